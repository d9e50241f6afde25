// Bulk refunds that are repeated, killed midway or raced by finalizing refund each job once, and the audit is clean. 3 plans with all
// tests; `vitest run test/core/operations/bulk/refund.test.ts --mode thorough` draws 40.
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import type { AuditTrailDoc } from "../../../../core/identity/audit-trail/store.ts";
import { ledger } from "../../../../core/identity/credits/store.ts";
import type { Call } from "../../../../core/kernel/rpc.ts";
import { planBulk } from "../../../../core/operations/bulk/plan.ts";
import { findRunnable, resultOf, runBulk } from "../../../../core/operations/bulk/run.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { Claim } from "../../../../core/studio/jobs/local-dispatch.ts";
import { jobs } from "../../../../core/studio/jobs/store.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { type EndedRun, finalizeJobs } from "../../../../core/studio/runs/finalize.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer, type TestApp, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";

/** Parallel jobs that the plan allows. */
const SLOTS = 20;
const RUNS = inject("refundPlans");
const SEED = 16;

const testApp = useTestApp();

const EVERYTHING = {
  ids: [],
  account: "",
  state: "",
  model: "",
  provider: "",
  host: "",
  code: "",
  since: "",
  until: "",
};

function callOf(signal = new AbortController().signal): Call {
  return {
    caller: { kind: "none" },
    method: "RunBulk",
    requestId: "req_x",
    address: "",
    signal,
    untilMs: Number.POSITIVE_INFINITY,
    service: "cli",
    operatorContext: { operator: "Grace", reason: "incident 12" },
  };
}

const noRetry = {
  accept: () => Promise.reject(new Error("nothing is retried here")),
  uploads: undefined as never,
};

/** Runs a bulk action to its end, or until its caller disconnects after this many parts. */
async function runOnce(app: TestApp["app"], bulkId: string, parts = Number.POSITIVE_INFINITY): Promise<void> {
  const bulk = await findRunnable(app, bulkId, "refund");
  const gone = new AbortController();
  let seen = 0;
  for await (const _ of runBulk(app, noRetry, { bulk, perSecond: 1_000_000, call: callOf(gone.signal) }))
    if (++seen >= parts) gone.abort();
}

/** Completed and failed jobs of one account, and a running and a waiting one. */
async function world(completed: number, failed: number) {
  await testApp.empty();
  const { app } = testApp;
  const { accountId, caller } = await createCustomer(app, { plan: "studio", credits: 100_000 });
  const ends = [
    ...Array<"completed">(completed).fill("completed"),
    ...Array<"failed">(failed).fill("failed"),
    "running" as const,
  ];
  let running: Claim | undefined;
  while (ends.length > 0) {
    const some = ends.splice(0, SLOTS);
    await acceptJobs(
      app,
      some.map(() => askFor(caller)),
    );
    const claims = await claimJobs(app, { worker: "w", limit: SLOTS, leaseMs: 60_000 });
    if (some.at(-1) === "running") running = claims.at(-1);
    await finalizeJobs(
      app,
      claims.flatMap((claim, n) => (some[n] === "running" ? [] : [endOf(claim, some[n] ?? "failed")])),
    );
  }
  await acceptJobs(app, [askFor(caller)]);
  if (!running) throw new Error("nothing runs");
  return { accountId, running };
}

function endOf(claim: Claim, end: "completed" | "failed"): EndedRun {
  const error = { code: "provider_failed", message: "x" };
  return {
    claim,
    outcome: end === "completed" ? { kind: "completed", outputs: [] } : { kind: "failed", error },
    files: [],
  };
}

test("each job is refunded once however often refunds are repeated, killed, run in parallel and raced by a settlement", async () => {
  const { app } = testApp;
  const { db } = app.mongo;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        completed: fc.integer({ min: 1, max: 110 }),
        failed: fc.integer({ min: 0, max: 3 }),
        /** After how many parts each run is cut off. */
        runs: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
        sideBySide: fc.integer({ min: 1, max: 3 }),
        /** A second dry run of the same jobs, started in between. */
        again: fc.boolean(),
      }),
      async ({ completed, failed, runs, sideBySide, again }) => {
        const { accountId, running } = await world(completed, failed);
        const asked = {
          ...EVERYTHING,
          act: "refund",
          account: accountId,
          state: "completed,failed,running,reserved",
        };
        const bulk = await planBulk(app, asked, "Grace");
        expect(bulk.planned).toMatchObject({ acted: completed, credits: completed * 10 });
        const other = again ? [await planBulk(app, asked, "Grace")] : [];
        for (const parts of runs) await runOnce(app, bulk._id, parts);
        await Promise.all([
          ...Array.from({ length: sideBySide }, () => runOnce(app, bulk._id)),
          ...other.map(({ _id }) => runOnce(app, _id)),
          finalizeJobs(app, [endOf(running, "completed")]),
        ]);
        await runOnce(app, bulk._id);

        const refunds = await ledger(db).find({ account_id: accountId, kind: "refund" }).toArray();
        const ended = await jobs(db).find({ account_id: accountId }).toArray();
        const given = ended.filter(({ refunded_at }) => refunded_at !== undefined);
        const made = ended.filter(({ state }) => state === "completed");
        // The job that ended meanwhile may be included.
        expect([made.length, made.length - 1]).toContain(given.length);
        expect(refunds.length).toBe(given.length + failed);
        const both = [bulk, ...other];
        const results = await Promise.all(both.map(({ _id }) => resultOf(app, _id)));
        expect(results.reduce((sum, { acted }) => sum + acted, 0)).toBe(given.length);
        for (const { acted, left } of results)
          expect(acted + left.reduce((sum, { count }) => sum + count, 0)).toBe(bulk.items);
        const trail = db.collection<AuditTrailDoc>("admin_log");
        const told = await trail.find({ bulk: { $in: both.map(({ _id }) => _id) } }).toArray();
        expect(told.map(({ target }) => target).sort()).toEqual(given.map(({ _id }) => _id).sort());
        expect(told.every(({ outcome, operator }) => outcome === "done" && operator === "Grace")).toBe(true);
        const findings = await auditFindings(app);
        expect(findings).toEqual([]);
      },
    ),
    { numRuns: RUNS, seed: SEED },
  );
});
