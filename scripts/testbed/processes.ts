// The processes of a command, a measurement or a test: started, waited for, frozen, killed, and ended in any case, by pid.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processStart } from "../../runtime/process/alive.ts";
import { CHILD_ENV } from "../../test/support/child-env.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { ROOT } from "./compose.ts";

const END_ALL = fileURLToPath(new URL("end-all-process.ts", import.meta.url));
const KEPT_OUTPUT = 1_000_000;
const TOLD_OUTPUT = 2_000;
const START_BOUND_MS = 60_000;
/** The system chooses ports of 0. */
export const FREE_PORTS: Env = Object.fromEntries(
  ["HTTP", "GRPC", "OPS", "MONGO"].map((name) => [`ATELIER_${name}_PORT`, "0"]),
);

type Env = Readonly<Record<string, string>>;

export type ServiceProcess = {
  readonly name: string;
  readonly pid: number;
  isRunning(): boolean;
  /** The last part of what it wrote; with a log file, all of it is standard output. */
  stdout(): string;
  stderr(): string;
  output(): string;
  /** Waits until the condition holds. Fails with the output when the process ends before. */
  until(what: string, holds: () => unknown, boundMs?: number): Promise<void>;
  send(message: object): void;
  /** Its next IPC message. Fails with the output when the process ends before. */
  nextMessage(): Promise<unknown>;
  /** SIGKILL resolves when it is gone. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<number | null>;
  /** Its exit code once it has ended; null after a signal. */
  readonly ended: Promise<number | null>;
  /** The signal that has ended it; null if none has. */
  endedBy(): NodeJS.Signals | null;
};

type Options = {
  env?: Env;
  /** A file for its output; without one the last part is kept in memory. */
  logPath?: string;
  cwd?: string;
};
type Start = (name: string, command: string, args: readonly string[], options?: Options) => ServiceProcess;
type StartEntry = (
  entry: string,
  env: Env,
  options?: Pick<Options, "logPath"> & { args?: readonly string[]; checkout?: string },
) => ServiceProcess;

export type Processes = {
  readonly start: Start;
  /** Like `startEntry` below. */
  readonly startEntry: StartEntry;
  /** Kills all running processes. */
  end(): Promise<void>;
};

/** Its processes end with this one, also when it is killed, and when they are frozen. */
export function createProcesses(): Processes {
  const watcher = spawn(process.execPath, [END_ALL], {
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const all: ServiceProcess[] = [];
  const start: Start = (...order) => {
    const one = startProcess(...order);
    watcher.stdin.write(`${one.pid} ${processStart(one.pid) ?? ""}\n`);
    all.push(one);
    return one;
  };
  return {
    start,
    startEntry: (...order) => start(...entryOrder(...order)),
    end: async () => {
      await Promise.all(all.map((one) => one.signal("SIGKILL")));
      watcher.stdin.end();
      await once(watcher, "exit");
    },
  };
}

/** Starts an entry of a checkout, this one by default, with the Node and the start options of its release, on free ports. */
export const startEntry: StartEntry = (...order) => startProcess(...entryOrder(...order));

/** Starts `npm start` without npm. Resolves when it is ready. */
export async function startService(env: Env): Promise<ServiceProcess> {
  const service = startEntry("scripts/start.ts", env);
  await untilReady(service, START_BOUND_MS);
  return service;
}

export function untilReady(service: ServiceProcess, boundMs: number): Promise<void> {
  return service.until(
    "the service to be ready",
    () => service.stdout().includes("Atelier is ready"),
    boundMs,
  );
}

function entryOrder(...[entry, env, options = {}]: Parameters<StartEntry>): Parameters<Start> {
  const { args = [], checkout = ROOT, ...more } = options;
  const node = checkout === ROOT ? process.execPath : join(checkout, "node_modules/.bin/node");
  const { scripts } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const words = (scripts.start as string).split(" ");
  const flags = words.filter((word) => word.startsWith("--"));
  const settings = words.slice(0, words.indexOf("node")).map((word) => word.split("="));
  // oxlint-disable-next-line node/no-process-env -- passed on unchanged
  const { ATELIER_MONGOD } = process.env;
  const own = {
    ...FREE_PORTS,
    ...Object.fromEntries(settings),
    ...(ATELIER_MONGOD && { ATELIER_MONGOD }),
    ...env,
  };
  return [entry, node, [...flags, join(checkout, entry), ...args], { ...more, cwd: checkout, env: own }];
}

/** Nothing ends it with this process: see `createProcesses`. */
export const startProcess: Start = (name, command, args, { env = {}, logPath, cwd } = {}) => {
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
  const texts = [child.stdout, child.stderr].map((stream) => {
    let kept = "";
    stream?.on("data", (chunk: Buffer) => (kept = (kept + chunk.toString()).slice(-KEPT_OUTPUT)));
    return () => kept;
  });
  const written = () =>
    logPath !== undefined && existsSync(logPath)
      ? readFileSync(logPath, "utf8").slice(-KEPT_OUTPUT)
      : undefined;
  const stdout = () => written() ?? texts[0]?.() ?? "";
  const stderr = () => texts[1]?.() ?? "";
  const output = () => stdout() + stderr();
  // Without a log the output is complete once the pipes are closed. What a child of it has inherited may keep others open.
  const ended = once(child, log === undefined ? "close" : "exit").then(([code]) => code as number | null);
  // Not every promise is awaited.
  ended.catch(() => {});
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const hasEnded = async (): Promise<never> => {
    await ended;
    throw new Error(`${name} ended: ${output().slice(-TOLD_OUTPUT)}`);
  };
  return {
    name,
    pid: child.pid ?? 0,
    isRunning,
    stdout,
    stderr,
    output,
    until: async (what, holds, boundMs) => {
      await waitFor(what, async () => !isRunning() || (await holds()), boundMs);
      if (!isRunning()) await hasEnded();
    },
    send: (message) => void child.send(message),
    nextMessage: () =>
      Promise.race([once(child, "message").then(([message]) => message as unknown), hasEnded()]),
    signal: async (signal) => {
      if (!isRunning()) return;
      child.kill(signal);
      if (signal === "SIGKILL") await ended;
    },
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
    ended,
    endedBy: () => child.signalCode,
  };
};

/** Resident memory in MiB, now and at its highest, and processor time so far. Linux only. */
export function useOf(pid: number): { megabytes: number; peakMegabytes: number; cpuSeconds: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [now, peak] = ["VmRSS", "VmHWM"].map(
    (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1024,
  );
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / 100;
  return { megabytes: now ?? 0, peakMegabytes: peak ?? 0, cpuSeconds };
}

/** Pids of all running processes with `text` in their command line. Linux only. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        // Empty for a zombie process.
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}
