// Whether half of the usual rate is accepted while the database commits once in 100 ms: first the usual rate with a worker beside, then
// requests that come at half of it, whether the ones before are answered or not.
import { setTimeout as sleep } from "node:timers/promises";
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import { startWorker } from "../core/studio/runs/worker.ts";
import { committingEvery } from "./support/slow-commits.ts";
import { drive, ms, printTable, quantile, rate } from "./support/stats.ts";
import { createCustomers, onBenchApp, requestsOf } from "./support/world.ts";

const CALLERS = 64;
const FOR_MS = 8_000;
const CONCURRENCY = 128;
const COMMIT_EVERY_MS = 100;
/** As callers of core wait. */
const PATIENCE_MS = 10_000;

export async function run(): Promise<void> {
  await onBenchApp("slow_commits", async (app) => {
    const customers = await createCustomers(app, 100);
    const next = requestsOf(customers);
    const usual = await withWorker(app, () => {
      const accept = createAcceptQueue(app);
      return drive(CALLERS, FOR_MS, (i) => accept(next(i)));
    });
    const slow = committingEvery(app, COMMIT_EVERY_MS);
    const half = usual.perSecond / 2;
    const offered = await withWorker(slow, () => offer(createAcceptQueue(slow), next, half));
    console.log(
      `usual: ${rate(usual.perSecond)} accepts/s; half of it, with a commit each ${COMMIT_EVERY_MS} ms:`,
    );
    printTable(
      ["offered", "accepted", "refused", "p50 ms", "p99 ms", "backlog gone after ms"],
      [
        [
          rate(offered.asked),
          rate(offered.took.length),
          rate(offered.asked - offered.took.length),
          ms(quantile(offered.took, 0.5)),
          ms(quantile(offered.took, 0.99)),
          ms(offered.backlogMs),
        ],
      ],
    );
  });
}

async function withWorker<T>(app: Parameters<typeof startWorker>[0], work: () => Promise<T>): Promise<T> {
  const worker = startWorker(app, { concurrency: CONCURRENCY, leaseMs: 15_000 });
  try {
    return await work();
  } finally {
    await worker.stop(20_000);
  }
}

async function offer(
  accept: ReturnType<typeof createAcceptQueue>,
  next: ReturnType<typeof requestsOf>,
  perSecond: number,
): Promise<{ asked: number; took: number[]; backlogMs: number }> {
  const took: number[] = [];
  const asked: Promise<void>[] = [];
  const one = async (i: number) => {
    const fromMs = performance.now();
    await accept(next(i), { untilMs: fromMs + PATIENCE_MS, signal: AbortSignal.timeout(PATIENCE_MS) });
    took.push(performance.now() - fromMs);
  };
  const beganMs = performance.now();
  while (performance.now() - beganMs < FOR_MS) {
    while (asked.length < ((performance.now() - beganMs) / 1000) * perSecond)
      asked.push(one(asked.length).catch(() => {}));
    await sleep(5);
  }
  const lastMs = performance.now();
  await Promise.all(asked);
  return { asked: asked.length, took, backlogMs: performance.now() - lastMs };
}
