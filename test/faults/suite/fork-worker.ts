// A process that is to be killed, on the database of a test.
import { inject } from "vitest";
import { type ServiceProcess, startEntry } from "../../../scripts/testbed/processes.ts";
import type { TestApp } from "../../support/app.ts";

export type ForkedWorker = ServiceProcess & {
  /** Its first message. */
  readonly up: Promise<unknown>;
};

/** `program` is a file of this folder. */
export function forkWorker(
  program: string,
  { app, database }: Pick<TestApp, "app" | "database">,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): ForkedWorker {
  const settings = {
    MONGODB_URI: inject("mongodUri"),
    ATELIER_MONGO_DATABASE: database.name,
    ATELIER_SECRET: app.secrets[0],
    ATELIER_DATA_DIR: app.config.dataDir,
    ATELIER_LOG_LEVEL: "silent",
    ...env,
  };
  const worker = startEntry(`test/faults/suite/${program}`, settings, { args });
  const up = worker.nextMessage();
  // The last one may be killed before it is up.
  up.catch(() => {});
  return { ...worker, up };
}
