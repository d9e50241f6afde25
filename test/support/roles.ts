// Starts role-process.ts for a service and controls it.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { CHILD_ENV } from "./child-env.ts";
import type { WholeService } from "./whole-service.ts";

export type RoleProcess = {
  readonly pid: number;
  /** Of its gRPC port, when it is a core. */
  readonly address: string;
  /** Its output: log lines from `warn` up. */
  output(): string;
  /** Lets its held provider calls end. */
  finish(): void;
  /** SIGSTOP and SIGCONT return immediately, SIGKILL when it is gone. */
  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT"): Promise<void>;
  /** Resolves when it is gone. */
  readonly gone: Promise<unknown>;
};

/** Resolves when it is working. It is killed at the end of the test if it still runs. */
export async function startRole(
  { config, mongodbUri }: Pick<WholeService, "config" | "mongodbUri">,
  role: "core" | "worker",
  env: Record<string, string> = {},
  /** The step at which it kills itself, and at which occurrence. */
  diesAt: readonly string[] = [],
): Promise<RoleProcess> {
  const child: ChildProcess = fork(fileURLToPath(new URL("role-process.ts", import.meta.url)), diesAt, {
    env: {
      ...CHILD_ENV,
      MONGODB_URI: mongodbUri,
      ATELIER_MONGO_DATABASE: config.mongoDatabase,
      ATELIER_DATA_DIR: config.dataDir,
      ATELIER_ROLES: role,
      ATELIER_LOG_LEVEL: "warn",
      ATELIER_CONTENT_CREDENTIALS: "off",
      ATELIER_GRPC_PORT: "0",
      ...env,
    },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, "close");
  const { pid = 0 } = child;
  const signal: RoleProcess["signal"] = async (name) => {
    child.kill(name);
    if (name === "SIGKILL") await ended;
  };
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await signal("SIGKILL");
  });
  const up = once(child, "message") as Promise<[{ address?: string }]>;
  const first = await Promise.race([up, ended.then(() => undefined)]);
  if (!first) throw new Error(`the ${role} did not start: ${output}`);
  return {
    pid,
    address: first[0].address ?? "",
    output: () => output,
    finish: () => void child.send("finish"),
    signal,
    gone: ended,
  };
}
