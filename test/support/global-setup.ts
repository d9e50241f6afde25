// Starts one mongod for the whole run and tells the tests where it is.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { findMongod } from "../../runtime/mongod/find.ts";
import { createLog } from "../../runtime/log.ts";
import { startMongod } from "../../runtime/mongod/mongod.ts";
import { loadConfig } from "../../runtime/config.ts";

declare module "vitest" {
  export interface ProvidedContext {
    mongodUri: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-test-mongod-"));
  const mongod = await startMongod({
    binary: await findMongod({ path: loadConfig().mongodPath, say: console.log }),
    dbPath: join(folder, "db"),
    logPath: join(folder, "mongod.log"),
    port: 0,
    cacheGb: 0.5,
    log: createLog("error", "test-mongod"),
    onLost: (error) => {
      throw error;
    },
  });
  project.provide("mongodUri", mongod.uri);
  return async () => {
    await mongod.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
