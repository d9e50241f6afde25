// A worker in a separate process that is to be killed, on the database of a test.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import type { TestApp } from "../../support/app.ts";
import { COMPILED } from "../../support/child-env.ts";

export type ForkedWorker = {
  readonly child: ChildProcess;
  /** Its first message. */
  readonly up: Promise<unknown>;
  readonly ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
};

/** `program` is a file of this folder. */
export function forkWorker(
  program: string,
  { app, database }: Pick<TestApp, "app" | "database">,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): ForkedWorker {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), args, {
    env: {
      ...COMPILED,
      MONGODB_URI: inject("mongodUri"),
      ATELIER_MONGO_DATABASE: database.name,
      ATELIER_SECRET: app.secrets[0],
      ATELIER_DATA_DIR: app.config.dataDir,
      ATELIER_LOG_LEVEL: "silent",
      ...env,
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit") as ForkedWorker["ended"];
  return { child, up: once(child, "message"), ended };
}
