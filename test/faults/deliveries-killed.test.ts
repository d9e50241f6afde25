// A worker that is killed with -9 before each of its commands between a provider's result and the end of the job, which delivers three of
// four files: one refund of the difference. 500 kills: npm test -- test/faults/deliveries-killed.test.ts --mode thorough
import { expect, inject, test } from "vitest";
import { ledger } from "../../core/identity/credits/store.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import { acceptOne } from "../support/accept.ts";
import { createCustomer, createTestApp } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { forkWorker } from "./suite/fork-worker.ts";

/** As many as there are at least between a result and the end of its job. */
const COMMANDS = 12;
/** One worker after another uses one core, so there are two databases. */
const LANES = 2;
/** A slow machine must not end a job by its timeout. */
const RUN_TIMEOUT_MS = 3_600_000;

test(
  "[PART-01] killed workers leave each job with one charge of what was delivered and one refund of the rest",
  { timeout: 3_600_000 },
  async () => {
    const kills = inject("deliveryKills");
    const lanes = Math.min(LANES, kills);
    const inEach = Math.ceil(kills / lanes);
    const killed = await Promise.all(Array.from({ length: lanes }, (_, lane) => killOften(inEach, lane)));
    expect(killed).toEqual(Array(lanes).fill(inEach));
  },
);

/** On a database of its own, from the command with the number of the lane. Returns how many workers were killed. */
async function killOften(kills: number, lane: number): Promise<number> {
  const testApp = await createTestApp();
  const { app } = testApp;
  const { db } = app.mongo;
  await db.collection("models").updateMany({}, { $set: { run_timeout_ms: RUN_TIMEOUT_MS } });
  const credits = 40 * kills * 2;
  const { caller } = await createCustomer(app, { plan: "studio", credits });
  const start = () =>
    forkWorker("delivery-process.ts", testApp, { env: { ATELIER_CONTENT_CREDENTIALS: "off" } });

  let [killed, lives] = [0, 0];
  let next = start();
  while (killed < kills) {
    const worker = next;
    // It starts up while the other one works.
    next = start();
    await acceptOne(app, caller, { params: { count: 4 } });
    await worker.up;
    worker.child.send((lane + lives) % COMMANDS);
    const [code, signal] = await worker.ended;
    expect([0, "SIGKILL"]).toContain(code ?? signal);
    if (signal) killed += 1;
    lives += 1;
  }
  await next.up;
  next.child.send(Number.MAX_SAFE_INTEGER);
  expect((await next.ended)[0]).toBe(0);

  const all = await jobs(db).find().toArray();
  expect(new Set(all.map((job) => job.run_timeout_ms))).toEqual(new Set([RUN_TIMEOUT_MS]));
  expect(all).toHaveLength(lives);
  const entries = Map.groupBy(await ledger(db).find().sort({ seq: 1 }).toArray(), ({ job_id }) => job_id);
  for (const { _id, state, delivered, outputs, rescues } of all)
    expect({
      state,
      delivered,
      files: outputs.length,
      money: entries.get(_id)?.map(({ kind, amount, hold }) => [kind, amount, hold]),
      rescues,
    }).toEqual({
      state: "completed",
      delivered: { unit: "output", asked: 4, got: 3 },
      files: 3,
      money: [
        ["reserve", 0, 40],
        ["debit", -40, -40],
        ["refund", 10, 0],
      ],
      rescues: expect.any(Number),
    });
  const rescued = all.filter(({ rescues }) => rescues > 0).length;
  console.log(`${killed} of ${lives} workers killed, ${all.length} jobs, ${rescued} of them taken over`);
  expect(rescued).toBeGreaterThan(0);
  expect(await auditFindings(app)).toEqual([]);
  await testApp.close();
  return killed;
}
