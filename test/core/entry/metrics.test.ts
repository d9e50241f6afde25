// Metrics of core and worker.
import { afterEach, beforeEach, expect, test } from "vitest";
import { claimJobs } from "../../../core/studio/runs/claim.ts";
import { startWorker } from "../../../core/studio/runs/worker.ts";
import { acceptMany, askFor } from "../../support/accept.ts";
import { createCustomer } from "../../support/app.ts";
import { createFakeClock, type FakeClock } from "../../support/clock.ts";
import { startTestCore, type TestCore } from "../../support/core.ts";
import { waitFor } from "../../support/wait-for.ts";
import { importRows, row } from "../shop/catalog/rows.ts";
import { clearCallbacks, queueEnds, startDeliverer } from "../studio/webhooks/fixtures.ts";
import { answerWith, startReceiver } from "../studio/webhooks/receiver.ts";

const LEASE_MS = 15_000;

let clock: FakeClock;
let core: TestCore;
beforeEach(async () => {
  clock = createFakeClock();
  core = await startTestCore({ clock });
});
afterEach(() => core.close());

/** The service's metrics by name and labels. */
async function scrape(): Promise<Record<string, number>> {
  const text = await core.app.metrics.registry.metrics();
  return Object.fromEntries(
    [...text.matchAll(/^atelier_(\S+) (\S+)$/gm)].map(([, name = "", value]) => [name, Number(value)]),
  );
}

async function accept(count: number): Promise<void> {
  const { caller } = await createCustomer(core.app);
  await acceptMany(core.app, count, askFor(caller));
}

test("waiting and running jobs are counted, with the oldest one's age and the jobs that lost their worker", async () => {
  expect(await scrape()).toMatchObject({ jobs_waiting: 0, jobs_running: 0, jobs_oldest_waiting_seconds: 0 });
  await accept(2);
  clock.advance(20_000);
  await accept(1);
  clock.advance(10_000);
  await waitFor("a new reading", async () => (await scrape())["jobs_waiting"] === 3);
  expect(await scrape()).toMatchObject({ jobs_running: 0, jobs_oldest_waiting_seconds: 30 });

  await claimJobs(core.app, { worker: "lost", limit: 2, leaseMs: LEASE_MS });
  await waitFor("a new reading", async () => (await scrape())["jobs_running"] === 2);
  expect(await scrape()).toMatchObject({ jobs_waiting: 1 });

  clock.advance(LEASE_MS);
  const worker = startWorker(core.app, { concurrency: 8, leaseMs: LEASE_MS });
  await waitFor("the rescue", async () => (await scrape())["jobs_rescued_total"] === 2);
  await worker.stop(1_000);
});

test("webhook attempts are counted by outcome", async () => {
  const [good, bad] = [await startReceiver(), await startReceiver(answerWith(500))];
  await clearCallbacks(core.app);
  await queueEnds(core.app, good.url, 2);
  await queueEnds(core.app, bad.url, 1);
  startDeliverer(core.app);
  const attempts = async (status: string) => (await scrape())[`callback_attempts_total{status="${status}"}`];
  await expect.poll(() => attempts("delivered")).toBe(2);
  await expect.poll(() => attempts("pending")).toBe(1);
  await Promise.all([good.close(), bad.close()]);
});

test("the catalog's version and size are those of the current view", async () => {
  const before = await scrape();
  expect(before).toMatchObject({ catalog_products: 0, catalog_fresh: 1 });
  await importRows(core.client(), [row("icon"), row("draft", { status: "draft" })]);
  await waitFor("the product", async () => (await scrape())["catalog_products"] === 1);
  expect((await scrape())["catalog_version"]).toBe((before["catalog_version"] ?? 0) + 1);
});

test("transactions, retries, lost leases and the age of the oldest request are exported", async () => {
  const { app } = core;
  await accept(1);
  const worker = startWorker(app, { concurrency: 4, leaseMs: LEASE_MS });
  await waitFor("the claim", async () => (await scrape())[`transactions_total{kind="claim"}`]);
  await worker.stop(0);
  const told = await scrape();
  for (const kind of ["accept", "claim"]) {
    const transactions = told[`transactions_total{kind="${kind}"}`] ?? 0;
    expect(transactions).toBeGreaterThan(0);
    expect(told[`transaction_tries_total{kind="${kind}"}`]).toBeGreaterThanOrEqual(transactions);
  }
  expect(told).toMatchObject({ jobs_leases_lost_total: 0, accept_oldest_waiting_seconds: 0 });
});
