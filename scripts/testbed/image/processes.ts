// Facts from /proc about a container's processes: their users and rights.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export type Process = {
  readonly pid: number;
  /** The path of its program, as seen from here. */
  readonly program: string;
  /** Real, effective, saved and file system ids. */
  readonly users: readonly number[];
  /** Permitted and effective capabilities, both 0 where there are none. */
  readonly capabilities: readonly string[];
  readonly memoryKb: number;
};

/** A process and its descendants. */
export function processesOf(pid: number): Process[] {
  const parents = new Map<number, number[]>();
  for (const one of readdirSync("/proc").map(Number).filter(Boolean)) {
    const parent = Number(read(one)?.get("PPid"));
    parents.set(parent, [...(parents.get(parent) ?? []), one]);
  }
  const all = [pid];
  for (const one of all) all.push(...(parents.get(one) ?? []));
  return all.flatMap((one) => {
    const status = read(one);
    return status ? [describe(one, status)] : [];
  });
}

function describe(pid: number, status: Map<string, string>): Process {
  return {
    pid,
    program: programOf(pid),
    users: (status.get("Uid") ?? "").split("\t").map(Number),
    capabilities: ["CapPrm", "CapEff"].map((set) => status.get(set) ?? ""),
    memoryKb: Number.parseInt(status.get("VmRSS") ?? "0", 10),
  };
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return "";
  }
}

/** Undefined when it has ended. */
function read(pid: number): Map<string, string> | undefined {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, "utf8").trim().split("\n");
    return new Map(
      lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
    );
  } catch {
    return undefined;
  }
}
