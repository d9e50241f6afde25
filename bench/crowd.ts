// 500 callers at once beside a worker that claims and settles their jobs: how long the longest time is in which none is accepted.
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import { startWorker } from "../core/studio/runs/worker.ts";
import { drive, ms, printTable, rate } from "./support/stats.ts";
import { createCustomers, onBenchApp, requestsOf } from "./support/world.ts";

const CALLERS = 500;
const FOR_MS = 12_000;
const CONCURRENCY = 128;
/** Few accounts are written by nearly every batch, many by few. */
const [FEW, MANY] = [50, 1_000];

export async function run(): Promise<void> {
  await onBenchApp("crowd", async (app) => {
    const rows: string[][] = [];
    const customers = await createCustomers(app, MANY);
    for (const accounts of [FEW, MANY]) {
      const next = requestsOf(customers.slice(0, accounts));
      const accept = createAcceptQueue(app);
      const worker = startWorker(app, { concurrency: CONCURRENCY, leaseMs: 15_000 });
      let lastMs = performance.now();
      let longestMs = 0;
      const load = await drive(CALLERS, FOR_MS, async (i) => {
        await accept(next(i));
        const nowMs = performance.now();
        longestMs = Math.max(longestMs, nowMs - lastMs);
        lastMs = nowMs;
      });
      await worker.stop(10_000);
      rows.push([`${accounts} accounts`, rate(load.perSecond), ms(load.p99Ms), ms(longestMs)]);
    }
    console.log(`${CALLERS} callers for ${FOR_MS / 1000} s, a worker of ${CONCURRENCY} places beside them`);
    printTable(["", "accepts/s", "p99 ms", "longest gap ms"], rows);
    console.log(await app.metrics.registry.getSingleMetricAsString("atelier_transaction_tries_total"));
    console.log(await app.metrics.registry.getSingleMetricAsString("atelier_transactions_total"));
  });
}
