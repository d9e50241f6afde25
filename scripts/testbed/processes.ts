// The processes of a command or a test: started, frozen, killed, and ended in any case, by pid.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processStart } from "../../runtime/process/alive.ts";
import { CHILD_ENV } from "../../test/support/child-env.ts";
import { startFlags } from "../../test/support/service.ts";
import { ROOT } from "./compose.ts";

const END_ALL = fileURLToPath(new URL("end-all-process.ts", import.meta.url));
const KEPT_OUTPUT = 200_000;

export type SuiteProcess = {
  readonly name: string;
  readonly pid: number;
  /** The first IPC message. Fails with the output when the process ends before. */
  readonly firstMessage: Promise<unknown>;
  isRunning(): boolean;
  /** The last part of its output. */
  output(): string;
  /** SIGKILL resolves when it is gone. */
  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGTERM"): Promise<void>;
  /** Its exit code once it has ended; null after a signal. */
  readonly ended: Promise<number | null>;
};

export type StartOptions = {
  env?: Readonly<Record<string, string>>;
  /** A file for its output; without one the last part is kept in memory. */
  logPath?: string;
  cwd?: string;
};

export type Processes = {
  start(name: string, command: string, args: readonly string[], options?: StartOptions): SuiteProcess;
  /** Starts an entry of a checkout, with the Node and the start options of its release; of this checkout by default. */
  startEntry(entry: string, options?: StartOptions & { checkout?: string }): SuiteProcess;
  /** Kills all running processes. */
  end(): Promise<void>;
};

export function createProcesses(): Processes {
  const watcher = spawn(process.execPath, [END_ALL], {
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const all: SuiteProcess[] = [];
  const start: Processes["start"] = (name, command, args, options = {}) => {
    const one = startProcess(name, command, args, options);
    watcher.stdin.write(`${one.pid} ${processStart(one.pid) ?? ""}\n`);
    all.push(one);
    return one;
  };
  return {
    start,
    startEntry: (entry, { checkout = ROOT, ...options } = {}) => {
      const node = checkout === ROOT ? process.execPath : join(checkout, "node_modules/.bin/node");
      return start(entry, node, [...startFlags(checkout), entry], { cwd: checkout, ...options });
    },
    end: async () => {
      await Promise.all(all.map((one) => one.signal("SIGKILL")));
      watcher.stdin.end();
      await once(watcher, "exit");
    },
  };
}

/** Nothing ends it with this one: see `createProcesses`. */
export function startProcess(
  name: string,
  command: string,
  args: readonly string[],
  { env = {}, logPath, cwd }: StartOptions,
): SuiteProcess {
  const log = logPath === undefined ? undefined : openSync(logPath, "a", 0o600);
  const out = log ?? "pipe";
  const child: ChildProcess = spawn(command, args, {
    env: { ...CHILD_ENV, ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: ["ignore", out, out, "ipc"],
    // Ctrl-C reaches the parent, which ends them in order.
    detached: logPath !== undefined,
  });
  if (log !== undefined) closeSync(log);
  let kept = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      kept = (kept + chunk.toString()).slice(-KEPT_OUTPUT);
    });
  const output = () =>
    logPath !== undefined && existsSync(logPath) ? readFileSync(logPath, "utf8").slice(-KEPT_OUTPUT) : kept;
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const firstMessage = Promise.race([
    once(child, "message").then(([message]) => message as unknown),
    ended.then(() => {
      throw new Error(`${name} ended: ${output().slice(-2_000)}`);
    }),
  ]);
  // Not every promise is awaited.
  firstMessage.catch(() => {});
  ended.catch(() => {});
  return {
    name,
    pid: child.pid ?? 0,
    firstMessage,
    isRunning,
    output,
    signal: async (signal) => {
      if (!isRunning()) return;
      child.kill(signal);
      if (signal === "SIGKILL") await ended;
    },
    ended,
  };
}

/** Resident memory, and processor time so far. Linux only. */
export function useOf(pid: number): { megabytes: number; cpuSeconds: number } {
  const resident = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return { megabytes: resident / 1024, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100 };
}
