// Starts one mongod for the whole run and passes its address to the tests.
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import type { TestProject } from "vitest/node";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { findMongod } from "../../runtime/mongod/find.ts";
import { startMongod } from "../../runtime/mongod/mongod.ts";

declare module "vitest" {
  export interface ProvidedContext {
    mongodUri: string;
  }
}

const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 2 ** 30;

/** In memory when there is enough, because test data are temporary and the disk would slow every write. */
function folderOfRun(): string {
  const { bavail = 0, bsize = 0 } = existsSync(MEMORY) ? statfsSync(MEMORY) : {};
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(folderOfRun(), "atelier-test-mongod-"));
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
  await leaveOldDocuments(mongod.uri);
  project.provide("mongodUri", mongod.uri);
  return async () => {
    await mongod.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Many tests' clocks are in the past, so the server's minutely deletion of expired documents would remove their data. */
async function leaveOldDocuments(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  await client.db("admin").command({ setParameter: 1, ttlMonitorEnabled: false });
  await client.close();
}
