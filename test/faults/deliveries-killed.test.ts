// A worker that is killed with -9 before each of its commands between a provider's result and the end of the job, which delivers three of
// four files: one refund of the difference. 500 kills: npm test -- test/faults/deliveries-killed.test.ts --mode thorough
import { expect, inject, test } from "vitest";
import { ledger } from "../../core/identity/credits/store.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import { acceptMany, askFor } from "../support/accept.ts";
import { createCustomer, createTestApp } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { forkWorker } from "./suite/fork-worker.ts";

const JOBS_PER_LIFE = 2;
/** The most commands of a worker's life. */
const MOST_COMMANDS = 60;

test(
  "[PART-01] killed workers leave each job with one charge of what was delivered and one refund of the rest",
  { timeout: 3_600_000 },
  async () => {
    const kills = inject("deliveryKills");
    const testApp = await createTestApp();
    const { app } = testApp;
    const { db } = app.mongo;
    const credits = 40 * JOBS_PER_LIFE * kills * 2;
    const { caller } = await createCustomer(app, { plan: "studio", credits });
    const start = () =>
      forkWorker("delivery-process.ts", testApp, { env: { ATELIER_CONTENT_CREDENTIALS: "off" } });

    let [killed, lives] = [0, 0];
    let next = start();
    while (killed < kills) {
      const worker = next;
      // It starts up while the other one works.
      next = start();
      await acceptMany(app, JOBS_PER_LIFE, askFor(caller, { params: { count: 4 } }));
      await worker.up;
      worker.child.send((lives * 7) % MOST_COMMANDS);
      const [code, signal] = await worker.ended;
      expect([0, "SIGKILL"]).toContain(code ?? signal);
      if (signal) killed += 1;
      lives += 1;
    }
    await next.up;
    next.child.send(Number.MAX_SAFE_INTEGER);
    expect((await next.ended)[0]).toBe(0);

    const all = await jobs(db).find().toArray();
    expect(all).toHaveLength(lives * JOBS_PER_LIFE);
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
  },
);
