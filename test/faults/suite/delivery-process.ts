// A worker that first completes the jobs of a killed one, then a new one, each with three of the four files that it asks for. It kills itself
// with -9 after some number of commands to the database from the result of the new job on. The number comes from its parent, which is told
// when the worker is up. Ends with 0 where it needs fewer.
import { setTimeout as sleep } from "node:timers/promises";
import type { Provider } from "../../../core/adapters/providers/provider.ts";
import { jobs } from "../../../core/studio/jobs/store.ts";
import { startWorker } from "../../../core/studio/runs/worker.ts";
import { SMALL_OUTPUT } from "../../support/providers.ts";
import { openMortal } from "./open-process.ts";

/** Shorter than the start of a process, so that the next worker does not wait. */
const LEASE_MS = 500;
/** Too large to be written with the job. */
const LARGE_OUTPUT = { ...SMALL_OUTPUT, bytes: new Uint8Array(300_000) };

let hasResult = false;
const { app, counted } = await openMortal(() => hasResult);
const open = (which: object = {}) =>
  jobs(app.mongo.db).countDocuments({ state: { $in: ["reserved", "running"] }, ...which });
/** The handle of a call is the id of its job. */
const leftOver = (await jobs(app.mongo.db).find({ state: "running" }).toArray()).map(({ _id }) => _id);
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
startWorker(
  { ...counted, providers: new Map([["test", provider]]) },
  { concurrency: 100, leaseMs: LEASE_MS },
);
while ((await open()) > 0) await sleep(50);
process.exit(0);
