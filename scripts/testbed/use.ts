// The machine, and what a process uses of it.
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

export function machineInWords(): string {
  return `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}

/** Resident memory, and processor time so far. Linux only. */
export function useOf(pid: number): { megabytes: number; cpuSeconds: number } {
  const resident = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return { megabytes: resident / 1024, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100 };
}
