// A worker that writes the public log once and asks its witnesses, and kills itself with -9 after some number of commands to the database, for a test of kills.
// Settings come from the environment; the number from its parent, which is told when the worker is up. Ends with 0 where it needs fewer.
import { once } from "node:events";
import { askWitnesses } from "../../../core/identity/log/ask-witnesses.ts";
import { writeLog } from "../../../core/identity/log/write-log.ts";
import { openApp } from "../../../core/entry/start.ts";
import { loadConfig } from "../../../runtime/config/config.ts";
import { createLog } from "../../../runtime/log/log.ts";
import { createMetrics } from "../../../runtime/ops/metrics.ts";
import { watchCommands } from "../../support/watch-commands.ts";

process.on("disconnect", () => process.exit());
const config = loadConfig();
const { app } = await openApp({
  config,
  log: createLog("silent", "worker"),
  metrics: createMetrics(),
  mongodbUri: config.mongodbUri ?? "",
});
let left = Number.POSITIVE_INFINITY;
const database = { name: config.mongoDatabase };
const watched = await watchCommands({ app, database }, () => {
  left -= 1;
  if (left < 0) process.kill(process.pid, "SIGKILL");
});
process.send?.("up");
const [commands] = (await once(process, "message")) as [number];
left = commands;
await writeLog(watched.app);
await askWitnesses(watched.app);
process.exit(0);
