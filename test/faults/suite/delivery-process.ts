// A worker that first completes the jobs of a killed one, then a new one, each with three of the four files that it asks for. It kills itself
// with -9 after some number of commands to the database from the result of the new job on. Settings come from the environment; the number from its parent, which is told when the worker
// is up. Ends with 0 where it needs fewer.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Provider } from "../../../core/adapters/providers/provider.ts";
import { openApp } from "../../../core/entry/start.ts";
import { jobs } from "../../../core/studio/jobs/store.ts";
import { startWorker } from "../../../core/studio/runs/worker.ts";
import { loadConfig } from "../../../runtime/config/config.ts";
import { createLog } from "../../../runtime/log/log.ts";
import { createMetrics } from "../../../runtime/ops/metrics.ts";
import { SMALL_OUTPUT } from "../../support/providers.ts";
import { watchCommands } from "../../support/watch-commands.ts";

/** Shorter than the start of a process, so that the next worker does not wait. */
const LEASE_MS = 500;
/** Too large to be written with the job. */
const LARGE_OUTPUT = { ...SMALL_OUTPUT, bytes: new Uint8Array(300_000) };

process.on("disconnect", () => process.exit());
const config = loadConfig();
const { app } = await openApp({
  config,
  log: createLog("silent", "worker"),
  metrics: createMetrics(),
  mongodbUri: config.mongodbUri ?? "",
});
const open = (which: object = {}) =>
  jobs(app.mongo.db).countDocuments({ state: { $in: ["reserved", "running"] }, ...which });
/** The handle of a call is the id of its job. */
let leftOver: readonly string[] = [];
let hasResult = false;
let left = Number.POSITIVE_INFINITY;
const provider: Provider = {
  name: "test",
  safeToRepeat: false,
  start: async (_request, { idempotencyKey }) => ({ handle: idempotencyKey, pollAfterMs: 1 }),
  poll: async (handle) => ({
    state: "made",
    collect: async () => {
      if (!leftOver.includes(handle)) {
        while ((await open({ _id: { $in: leftOver } })) > 0) await sleep(50);
        hasResult = true;
      }
      return [SMALL_OUTPUT, LARGE_OUTPUT, SMALL_OUTPUT];
    },
  }),
};
const watched = await watchCommands({ app, database: { name: config.mongoDatabase } }, () => {
  if (hasResult) left -= 1;
  if (left < 0) process.kill(process.pid, "SIGKILL");
});
process.send?.("up");
const [commands] = (await once(process, "message")) as [number];
leftOver = (await jobs(app.mongo.db).find({ state: "running" }).toArray()).map(({ _id }) => _id);
left = commands;
startWorker(
  { ...watched.app, providers: new Map([["test", provider]]) },
  { concurrency: 100, leaseMs: LEASE_MS },
);
while ((await open()) > 0) await sleep(50);
process.exit(0);
