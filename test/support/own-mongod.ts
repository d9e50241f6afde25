// A separate mongod that a test may kill: it restarts automatically, like the embedded one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { findMongod } from "../../runtime/mongod/find.ts";
import { startMongod } from "../../runtime/mongod/mongod.ts";
import { waitFor } from "./wait-for.ts";

export type OwnMongod = {
  uri: string;
  /** Ends it with SIGKILL; resolves when its successor answers. */
  killAndComeBack(): Promise<void>;
};

const BACK_MS = 60_000;

/** Ends with the test. */
export async function startOwnMongod(): Promise<OwnMongod> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-test-mongod-"));
  const mongod = await startMongod({
    binary: await findMongod({ path: loadConfig().mongodPath, say: () => {} }),
    dbPath: join(folder, "db"),
    logPath: join(folder, "mongod.log"),
    port: 0,
    cacheGb: 0.25,
    log: createLog("silent", "test-mongod"),
    onLost: (error) => {
      throw error;
    },
  });
  onTestFinished(async () => {
    await mongod.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    uri: mongod.uri,
    killAndComeBack: async () => {
      const killed = mongod.pid();
      process.kill(killed, "SIGKILL");
      await waitFor("the database to be back", () => mongod.pid() !== killed, BACK_MS);
    },
  };
}
