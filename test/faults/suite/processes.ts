// The processes of the fault suite: started, frozen, killed, and ended in any case, by pid.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { processStart } from "../../../runtime/process/alive.ts";

const END_ALL = fileURLToPath(new URL("end-all-process.ts", import.meta.url));
const KEPT_OUTPUT = 200_000;

export type SuiteProcess = {
  readonly name: string;
  readonly pid: number;
  /** The first message that it sends over IPC. Fails, with what it wrote, when it ends before. */
  readonly firstMessage: Promise<unknown>;
  isRunning(): boolean;
  /** What it wrote, the last part of it. */
  output(): string;
  /** SIGKILL resolves when it is gone. */
  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT"): Promise<void>;
};

export type Processes = {
  start(name: string, command: string, args: readonly string[], env?: Record<string, string>): SuiteProcess;
  /** Kills what still runs. */
  end(): Promise<void>;
};

export function createProcesses(): Processes {
  const watcher = spawn(process.execPath, [END_ALL], {
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const all: SuiteProcess[] = [];
  return {
    start: (name, command, args, env = {}) => {
      const one = startOne(name, command, args, env);
      watcher.stdin.write(`${one.pid} ${processStart(one.pid) ?? ""}\n`);
      all.push(one);
      return one;
    },
    end: async () => {
      await Promise.all(all.map((one) => one.signal("SIGKILL")));
      watcher.stdin.end();
      await once(watcher, "exit");
    },
  };
}

function startOne(
  name: string,
  command: string,
  args: readonly string[],
  env: Record<string, string>,
): SuiteProcess {
  const child: ChildProcess = spawn(command, args, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT);
    });
  const ended = once(child, "exit");
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const firstMessage = Promise.race([
    once(child, "message").then(([message]) => message as unknown),
    ended.then(() => {
      throw new Error(`${name} ended: ${output.slice(-2_000)}`);
    }),
  ]);
  // Not everything is waited for.
  firstMessage.catch(() => {});
  return {
    name,
    pid: child.pid ?? 0,
    firstMessage,
    isRunning,
    output: () => output,
    signal: async (signal) => {
      if (!isRunning()) return;
      child.kill(signal);
      if (signal === "SIGKILL") await ended;
    },
  };
}
