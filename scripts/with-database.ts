// Runs an entry of core (its path and options are the arguments) on the embedded database of the data folder: the running service's, or one
// that is started for this run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, loadConfig } from "../runtime/config/config.ts";
import { createLog } from "../runtime/log/log.ts";
import { findMongod } from "../runtime/mongod/find.ts";
import { startMongod } from "../runtime/mongod/mongod.ts";
import { type DataLock, lockDataFolder } from "../runtime/process/data-lock.ts";
import { closeDataFolder, keepNewFilesPrivate } from "../runtime/process/private-folder.ts";
import { StartupError } from "../runtime/process/startup-error.ts";

keepNewFilesPrivate();
const config = loadConfig();
try {
  closeDataFolder(config.dataDir);
  const lock = lockUnlessHeld(config);
  if (lock) await onOwnDatabase(config, lock);
  else process.exitCode = await run(readFileSync(join(config.dataDir, "mongo.uri"), "utf8").trim());
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = 1;
}

/** Undefined when a service is running on the folder. */
function lockUnlessHeld({ dataDir }: Config): DataLock | undefined {
  try {
    return lockDataFolder(dataDir);
  } catch (error) {
    if (error instanceof StartupError && existsSync(join(dataDir, "mongo.uri"))) return undefined;
    throw error;
  }
}

async function onOwnDatabase({ dataDir, mongodPath, logLevel }: Config, lock: DataLock): Promise<void> {
  try {
    const mongod = await startMongod({
      binary: await findMongod({ path: mongodPath, say: console.error }),
      dbPath: join(dataDir, "mongo"),
      logPath: join(dataDir, "mongod.log"),
      port: 0,
      accessDir: dataDir,
      log: createLog(logLevel, "mongod", process.stderr),
      onLost: (error) => {
        throw error;
      },
    });
    try {
      process.exitCode = await run(mongod.uri);
    } finally {
      await mongod.stop();
    }
  } finally {
    lock.release();
  }
}

async function run(mongodbUri: string): Promise<number> {
  const child = spawn(process.execPath, process.argv.slice(2), {
    // oxlint-disable-next-line node/no-process-env -- the entry has the command's settings
    env: { ...process.env, MONGODB_URI: mongodbUri },
    stdio: "inherit",
  });
  const [code] = (await once(child, "close")) as [number | null];
  return code ?? 1;
}
