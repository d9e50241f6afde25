// A process that embeds a mongod, for tests that kill it. Arguments: mongod, data folder. Prints mongod's pid when it is ready.
import { join } from "node:path";
import { createLog } from "../../runtime/log/log.ts";
import { startMongod } from "../../runtime/mongod/mongod.ts";

const [binary = "mongod", folder = "."] = process.argv.slice(2);
const mongod = await startMongod({
  binary,
  dbPath: join(folder, "db"),
  logPath: join(folder, "mongod.log"),
  port: 0,
  cacheGb: 0.25,
  log: createLog("silent", "parent"),
  onLost: () => process.exit(1),
});
console.log(mongod.pid());
