// Entries as separate processes, on free ports and a test's data folder, for tests that watch or kill them.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHILD_ENV } from "./child-env.ts";
import { waitFor } from "./wait-for.ts";

export type ServiceProcess = {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Exit code, or undefined when a signal ended it; once it has ended. */
  ended: Promise<number | undefined>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<number | undefined>;
};

/** Free ports and rate limits off; `env` overrides. */
export function spawnEntry(
  entry: string,
  env: Record<string, string>,
  args: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): ServiceProcess {
  const file = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
  const child = spawn(process.execPath, [...nodeFlags, file, ...args], {
    env: {
      ...CHILD_ENV,
      ATELIER_MONGOD: process.env["ATELIER_MONGOD"],
      ATELIER_HTTP_PORT: "0",
      ATELIER_GRPC_PORT: "0",
      ATELIER_OPS_PORT: "0",
      ATELIER_MONGO_PORT: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = once(child, "close").then(([code]) => (code as number | null) ?? undefined);
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

/** The arguments of `npm start` for node, in a checkout. */
export function startFlags(folder = fileURLToPath(new URL("../..", import.meta.url))): string[] {
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return (scripts.start as string).split(" ").filter((word) => word.startsWith("--"));
}

/** Starts `npm start` without npm until it reports ready. Fails with its output when it ends before. */
export async function startService(env: Record<string, string>): Promise<ServiceProcess> {
  const service = spawnEntry("scripts/start.ts", env, [], startFlags());
  await waitFor(
    "the service to be ready",
    () => {
      if (service.child.exitCode !== null) return "ended";
      return service.stdout().includes("Atelier is ready");
    },
    60_000,
  );
  if (service.child.exitCode !== null)
    throw new Error(`It did not start: ${service.stdout()}${service.stderr()}`);
  return service;
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
