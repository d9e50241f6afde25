import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { type Provider, ProviderError } from "../../../../core/adapters/providers/provider.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import type { JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { measureQueue } from "../../../../core/studio/jobs/measure-queue.ts";
import { expireWaitingJobs } from "../../../../core/studio/jobs/release.ts";
import { QUEUE_DEADLINE_MS } from "../../../../core/studio/jobs/rules.ts";
import type { JobDoc } from "../../../../core/studio/jobs/store.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { LostLease, finalizeJobs } from "../../../../core/studio/runs/finalize.ts";
import { rescueJobs } from "../../../../core/studio/runs/rescue.ts";
import { extendLeases } from "../../../../core/studio/runs/store-leases.ts";
import { type Worker, finalizeTogether, startWorker } from "../../../../core/studio/runs/worker.ts";
import type { Caller } from "../../../../proto/caller.ts";
import type { JobRequest } from "../../../../proto/resources/job.ts";
import { acceptMany, askFor } from "../../../support/accept.ts";
import { createCustomer, separateApp, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { ledgerKinds } from "../../../support/credits.ts";
import {
  createFailingProvider,
  createInstantProvider,
  createScriptedProvider,
  SMALL_OUTPUT,
} from "../../../support/providers.ts";
import { waitFor } from "../../../support/wait-for.ts";

const LEASE_MS = 15_000;
/** Time for an idle worker to look for work several times. */
const MANY_POLLS_MS = 1_000;

const shared = useTestApp();
let app: JobsApp;
const workers: Worker[] = [];

function begin(change: Parameters<typeof separateApp>[1] = {}): JobsApp {
  app = separateApp(shared.app, change);
  return app;
}

function work(leaseMs = LEASE_MS): Worker {
  const worker = startWorker(app, { concurrency: 64, leaseMs });
  workers.push(worker);
  return worker;
}

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
  await shared.empty();
});

const generate = (caller: Caller, count = 1, change: Partial<JobRequest> = {}) =>
  acceptMany(app, count, askFor(caller, change));

/** An account's job, which a worker runs. */
async function running(change: Parameters<typeof begin>[0], { runTimeoutMs = 30_000 } = {}) {
  begin(change);
  await app.mongo.db
    .collection("models")
    .updateOne({ _id: "picture" as never }, { $set: { run_timeout_ms: runTimeoutMs } });
  const customer = await createCustomer(app);
  const [job] = await generate(customer.caller);
  work();
  return { ...customer, job: job as JobDoc };
}

const read = (job: JobDoc) => findOwnJob(app, job.account_id, job._id);
const ended = (job: JobDoc, state: string) =>
  waitFor(`job to be ${state}`, async () => {
    const now = await read(job);
    return now.state === state && now;
  });
const busyFor = (retryAfterMs: number) =>
  new ProviderError("provider_unavailable", "The provider is busy.", { retryable: true, retryAfterMs });
const eventTypes = (job: JobDoc) => job.events.map(({ type }) => type);

const kinds = (accountId: string) => ledgerKinds(app, accountId);

test("[OPS-22] running jobs are finalized while disk space is low, and waiting ones are claimed once there is space", async () => {
  const provider = createScriptedProvider();
  begin({ provider });
  const { caller } = await createCustomer(app);
  let isShort = false;
  // Only the worker knows, so that there is a waiting job.
  const ownDatabase = { isStopped: () => false, isShortOfSpace: () => isShort };
  workers.push(startWorker({ ...app, ownDatabase }, { concurrency: 64, leaseMs: LEASE_MS }));
  const [first] = await generate(caller);
  await waitFor("the first call", () => provider.calls.length === 1);
  isShort = true;
  const [second] = await generate(caller);
  provider.calls[0]?.finish();
  await ended(first as JobDoc, "completed");
  await delay(MANY_POLLS_MS);
  expect((await read(second as JobDoc)).state).toBe("reserved");
  isShort = false;
  await waitFor("the second call", () => provider.calls.length === 2);
  provider.calls[1]?.finish();
  await ended(second as JobDoc, "completed");
});

test("[JOB-11] a job that succeeds is debited before its call, and stores the progress that its provider reports", async () => {
  const clock = createFakeClock();
  const provider = createScriptedProvider();
  const { accountId, job } = await running({ provider, clock });
  const { call, finish } = await waitFor("the call", () => provider.calls[0]);
  expect(call.idempotencyKey).toBe(job._id);
  expect(await kinds(accountId)).toContain("debit");
  for (const fraction of [0.2, 0.21, 0.5]) {
    clock.advance(1000);
    call.onProgress(fraction);
  }
  finish();
  const done = await ended(job, "completed");
  expect(
    done.events.filter(({ type }) => type === "progress").map(({ detail }) => detail?.["fraction"]),
  ).toEqual([0.2, 0.5]);
  expect(done.version).toBe(done.events.length);
});

describe("a provider that fails", () => {
  test.each([
    [
      "refuses the content",
      new ProviderError("provider_refused", "The provider refused this prompt."),
      "provider_refused",
    ],
    ["throws an unexpected error", new TypeError("undefined is not a function"), "provider_failed"],
  ])("ends the job immediately with a full refund when it %s", async (_name, error, code) => {
    const { accountId, job } = await running({ provider: createFailingProvider(error) });
    const done = await ended(job, "failed");
    expect(done.error).toMatchObject({ code });
    expect(JSON.stringify(done)).not.toContain("undefined is not a function");
    expect(eventTypes(done)).toEqual(["reserved", "debited", "running", "refunded", "failed"]);
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "debit", "refund"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("fails the job when it returns no output at all", async () => {
    const { job } = await running({ provider: createScriptedProvider({ answer: () => [] }) });
    expect((await ended(job, "failed")).error).toMatchObject({ code: "provider_bad_answer" });
  });

  test("[JOB-17] gets the memory budget alone for large responses, when there is only one", async () => {
    const roomy = new Set<string>();
    const provider = createScriptedProvider({
      answer: async (_request, { reserveMemory, idempotencyKey }) => {
        await reserveMemory();
        roomy.add(idempotencyKey);
        throw roomy.size === 1 ? busyFor(200) : new ProviderError("provider_failed", "It failed.");
      },
    });
    begin({ provider, config: { ...shared.app.config, workerAnswersMb: 64 } });
    const { caller } = await createCustomer(app);
    const jobs = await generate(caller, 2);
    work();
    await waitFor("both calls", () => provider.calls.length >= 2);
    for (const job of jobs) await ended(job, "failed");
    expect(roomy.size).toBe(2);
    // The first was retried in vain before the second had waited.
    expect(provider.calls.length).toBeGreaterThan(2);
  });

  test("ends the job after four failures", async () => {
    const provider = createFailingProvider(busyFor(1));
    const { job } = await running({ provider });
    expect((await ended(job, "failed")).error).toEqual({
      code: "provider_unavailable",
      message: "The provider is busy.",
    });
    expect(provider.calls).toHaveLength(4);
  });

  test("[JOB-16] is not called before the wait that it asks for is over", async () => {
    const provider = createFailingProvider(busyFor(60_000));
    const { job } = await running({ provider }, { runTimeoutMs: 120_000 });
    const retrying = await waitFor("the wait", async () =>
      (await read(job)).events.find(({ type }) => type === "retrying"),
    );
    expect(retrying.detail).toMatchObject({ wait_seconds: 60 });
    expect(provider.calls).toHaveLength(1);
  });

  test("[JOB-16] ends the job immediately when it asks for a wait beyond the deadline, with its message", async () => {
    const provider = createFailingProvider(busyFor(60_000));
    const { job } = await running({ provider }, { runTimeoutMs: 50_000 });
    const done = await ended(job, "failed");
    expect(done.error).toEqual({ code: "provider_unavailable", message: "The provider is busy." });
    expect(eventTypes(done)).toEqual(["reserved", "debited", "running", "refunded", "failed"]);
    expect(provider.calls).toHaveLength(1);
  });

  test("[JOB-14] is stopped at the model's deadline, even when it ignores its signal", async () => {
    const { accountId, job } = await running({ provider: createScriptedProvider() }, { runTimeoutMs: 50 });
    expect((await ended(job, "failed")).error).toMatchObject({ code: "provider_timeout" });
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "debit", "refund"]);
  });
});

describe("concurrency of an account", () => {
  test("[PLAN-04] [PLAN-02] never exceeds the plan, for any number of workers", async () => {
    const provider = createScriptedProvider();
    begin({ provider });
    const { accountId, caller } = await createCustomer(app);
    await generate(caller, 12);
    work();
    work();
    const finished = new Set<number>();
    while (finished.size < 12) {
      const started = await waitFor("five running jobs or the last ones", () => {
        const running = provider.calls.length - finished.size;
        return running >= Math.min(5, 12 - finished.size) && provider.calls.length;
      });
      expect(started - finished.size).toBeLessThanOrEqual(5);
      const next = provider.calls.findIndex((_, i) => !finished.has(i));
      finished.add(next);
      provider.calls[next]?.finish();
    }
    await waitFor("the slots to come free", async () => {
      const account = await app.mongo.db.collection("accounts").findOne({ _id: accountId as never });
      return (
        account?.["waiting"] === 0 &&
        (await app.mongo.db.collection("jobs").countDocuments({ state: "running" })) === 0
      );
    });
    expect(await auditFindings(app)).toEqual([]);
  });

  test("[PLAN-03] [PLAN-02] is shared in turn between accounts, the oldest job of each first", async () => {
    begin();
    const [a, b, c] = [await createCustomer(app), await createCustomer(app), await createCustomer(app)];
    const jobsA = await generate(a.caller, 5);
    const jobsB = await generate(b.caller, 2);
    const jobsC = await generate(c.caller, 1);
    const claims = await claimJobs(app, { worker: "w", limit: 4, leaseMs: LEASE_MS });
    const byAccount = (accountId: string) =>
      claims.filter(({ job }) => job.account_id === accountId).map(({ job }) => job._id);
    expect(claims).toHaveLength(4);
    expect(byAccount(c.accountId)).toEqual([jobsC[0]?._id]);
    expect(byAccount(a.accountId).length).toBeGreaterThanOrEqual(1);
    expect(byAccount(a.accountId)).toEqual(
      jobsA.slice(0, byAccount(a.accountId).length).map(({ _id }) => _id),
    );
    expect(byAccount(b.accountId)).toEqual(
      jobsB.slice(0, byAccount(b.accountId).length).map(({ _id }) => _id),
    );
  });
});

test("finalizing wakes workers exactly when a freed slot lets a waiting job run", async () => {
  begin();
  const [busy, idle] = [await createCustomer(app), await createCustomer(app)];
  const waiting = await generate(busy.caller, 6);
  await generate(idle.caller);
  const claims = await claimJobs(app, { worker: "w", limit: 10, leaseMs: LEASE_MS });
  expect(claims).toHaveLength(6);
  let woken = 0;
  app.signals.on("claimable", () => woken++);
  const settle = (accountId: string) =>
    finalizeJobs(
      app,
      claims
        .filter(({ job }) => job.account_id === accountId)
        .slice(0, 1)
        .map((claim) => ({ claim, outcome: { kind: "completed", outputs: [] }, files: [] })),
    );
  expect(await settle(idle.accountId)).toMatchObject([{ status: "fulfilled" }]);
  expect(woken).toBe(0);
  expect(await settle(busy.accountId)).toMatchObject([{ status: "fulfilled" }]);
  expect(woken).toBe(1);
  const [next] = await claimJobs(app, { worker: "w", limit: 10, leaseMs: LEASE_MS });
  expect(next?.job._id).toBe(waiting[5]?._id);
  expect(await auditFindings(app)).toEqual([]);
});

test.each([
  ["queue_timeout", {}, QUEUE_DEADLINE_MS],
  ["expired", { expires_in: 60 }, 60_000],
])(
  "[JOB-14] a job that waits too long fails with %s and its hold released, once: %j",
  async (code, change, waitMs) => {
    const clock = createFakeClock();
    begin({ clock });
    const { accountId, caller } = await createCustomer(app);
    const [job] = await generate(caller, 1, change);
    clock.advance(waitMs - 1);
    expect(await expireWaitingJobs(app)).toBe(0);
    expect((await measureQueue(app)).oldestWaitingSeconds).toBe((waitMs - 1) / 1000);
    clock.advance(1);
    const [next] = await generate(caller);
    const claims = await claimJobs(app, { worker: "w", limit: 1, leaseMs: LEASE_MS });
    expect(claims.map((claim) => claim.job._id)).toEqual([next?._id]);
    const ends = await Promise.all([expireWaitingJobs(app), expireWaitingJobs(app)]);
    expect(ends.toSorted()).toEqual([0, 1]);
    expect(await read(job as JobDoc)).toMatchObject({ state: "failed", error: { code } });
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "reserve", "debit", "release"]);
    expect(await auditFindings(app)).toEqual([]);
  },
);

describe("a worker that is gone", () => {
  async function abandoned(provider?: Provider) {
    const clock = createFakeClock();
    begin({ clock, ...(provider && { provider }) });
    const customer = await createCustomer(app);
    await generate(customer.caller);
    const [claim] = await claimJobs(app, { worker: "gone", limit: 1, leaseMs: LEASE_MS });
    if (!claim) throw new Error("nothing claimed");
    clock.advance(LEASE_MS);
    return { ...customer, clock, claim };
  }

  test("[JOB-13] loses its jobs to another, and finalizes nothing any more", async () => {
    const { accountId, claim } = await abandoned();
    const [rescued] = await rescueJobs(app, { worker: "next", limit: 10, leaseMs: LEASE_MS });
    expect(rescued).toMatchObject({ epoch: claim.epoch + 1, worker: "next" });
    const late = await finalizeJobs(app, [{ claim, outcome: { kind: "completed", outputs: [] }, files: [] }]);
    expect(late).toMatchObject([{ status: "rejected", reason: expect.any(LostLease) }]);
    const stale = await finalizeJobs(app, [
      { claim, outcome: { kind: "failed", error: { code: "x", message: "x" } }, files: [] },
    ]);
    expect(stale).toMatchObject([{ status: "rejected", reason: expect.any(LostLease) }]);
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "debit"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("keeps its jobs with their results when it returns before another has them", async () => {
    const { clock, accountId, claim } = await abandoned();
    const until = new Date(clock.now().getTime() + LEASE_MS);
    expect(await extendLeases(app.mongo.db, "gone", [claim.job._id], until)).toBe(1);
    expect(await rescueJobs(app, { worker: "next", limit: 10, leaseMs: LEASE_MS })).toEqual([]);
    clock.advance(LEASE_MS);
    const settlement = { claim, outcome: { kind: "completed", outputs: [] } as const, files: [] };
    expect(await finalizeJobs(app, [settlement])).toMatchObject([{ status: "fulfilled" }]);
    // The response may have been lost: a repeat is accepted, unless it is the first report.
    expect(await finalizeJobs(app, [{ ...settlement, isRepeat: true }])).toMatchObject([
      { status: "fulfilled" },
    ]);
    expect(await finalizeJobs(app, [settlement])).toMatchObject([{ reason: expect.any(LostLease) }]);
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "debit"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("[PLAN-04] leaves no slot in use: a rescue recounts them", async () => {
    const { accountId } = await abandoned();
    const stored = () => accounts(app.mongo.db).findOne({ _id: accountId });
    expect(await stored()).toMatchObject({ running: 1 });
    await accounts(app.mongo.db).updateOne({ _id: accountId }, { $set: { running: 5 } });
    await rescueJobs(app, { worker: "next", limit: 10, leaseMs: LEASE_MS });
    expect(await stored()).toMatchObject({ running: 1 });
    expect(await auditFindings(app)).toEqual([]);
  });

  test("[JOB-12] has its job called again where repeating is safe", async () => {
    const { accountId, claim } = await abandoned(createInstantProvider());
    work();
    const done = await ended(claim.job, "completed");
    expect(eventTypes(done)).toEqual(["reserved", "debited", "running", "retrying", "completed"]);
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "debit"]);
  });

  test("loses its jobs immediately when the database starts and ends with the process of the next", async () => {
    begin({ provider: createInstantProvider(), clock: createFakeClock() });
    const { caller } = await createCustomer(app);
    const [job] = await generate(caller);
    await claimJobs(app, { worker: "gone", limit: 1, leaseMs: LEASE_MS });
    const ownDatabase = { isStopped: () => false, isShortOfSpace: () => false };
    workers.push(startWorker({ ...app, ownDatabase }, { concurrency: 64, leaseMs: LEASE_MS }));
    expect((await ended(job as JobDoc, "completed")).rescues).toBe(1);
  });

  test("[JOB-12] has its job failed as outcome_unknown and refunded where it is not", async () => {
    const provider = createScriptedProvider({ safeToRepeat: false });
    const { accountId, claim } = await abandoned(provider);
    work();
    const done = await ended(claim.job, "failed");
    expect(done.error).toMatchObject({ code: "outcome_unknown" });
    expect(provider.calls).toHaveLength(0);
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "debit", "refund"]);
  });

  test("[JOB-15] has its job looked up first where the provider supports it", async () => {
    const provider = createScriptedProvider({
      safeToRepeat: false,
      lookup: async () => ({ state: "done", outputs: [SMALL_OUTPUT] }),
    });
    const { claim } = await abandoned(provider);
    work();
    expect((await ended(claim.job, "completed")).outputs).toHaveLength(1);
    expect(provider.calls).toHaveLength(0);
  });

  test("ends a job that four workers have lost", async () => {
    const { clock, claim } = await abandoned(createInstantProvider());
    for (let i = 0; i < 3; i++) {
      await rescueJobs(app, { worker: `w${i}`, limit: 1, leaseMs: LEASE_MS });
      clock.advance(LEASE_MS);
    }
    work();
    expect((await ended(claim.job, "failed")).error).toMatchObject({ code: "outcome_unknown" });
  });
});

describe("a worker that drains", () => {
  test("keeps extending the leases of running jobs, however long they take", async () => {
    // So long that a worker on a busy machine extends it in time.
    const leaseMs = 2_000;
    const provider = createScriptedProvider();
    begin({ provider });
    const { caller } = await createCustomer(app);
    const [job] = await generate(caller);
    const first = startWorker(app, { concurrency: 64, leaseMs });
    const { finish } = await waitFor("the call", () => provider.calls[0]);
    work();
    const stopping = first.stop(60_000);
    const leaseEnd = async () => (await read(job as JobDoc)).lease?.until.getTime() ?? 0;
    const before = await leaseEnd();
    await waitFor("the lease to be moved on twice over", async () => (await leaseEnd()) > before + leaseMs);
    finish();
    await stopping;
    expect(eventTypes(await read(job as JobDoc))).toEqual(["reserved", "debited", "running", "completed"]);
  });

  test("gives up a signature that takes too long, for another worker to make", async () => {
    const provider = createScriptedProvider();
    const { credentials } = shared.app;
    const { promise: signing, resolve: begun } = Promise.withResolvers<void>();
    const signer = () => {
      begun();
      return new Promise<never>(() => {});
    };
    begin({ provider, credentials: { ...credentials, mode: "on", signer } });
    const { caller } = await createCustomer(app);
    const [job] = await generate(caller);
    const first = work();
    (await waitFor("the call", () => provider.calls[0])).finish();
    await signing;
    await first.stop(20);
    expect(await read(job as JobDoc)).toMatchObject({ state: "running" });
    begin({ provider });
    work();
    (await waitFor("another worker to take it over", () => provider.calls[1])).finish();
    await ended(job as JobDoc, "completed");
  });

  test("lets running jobs finish, or releases their leases", async () => {
    const provider = createScriptedProvider();
    begin({ provider });
    const { caller } = await createCustomer(app);
    const [quick, slow] = await generate(caller, 2);
    const first = work();
    await waitFor("both calls", () => provider.calls.length === 2);
    provider.calls.find(({ call }) => call.idempotencyKey === quick?._id)?.finish();
    await ended(quick as JobDoc, "completed");
    await first.stop(20);
    expect(await read(slow as JobDoc)).toMatchObject({ state: "running" });
    work();
    const again = await waitFor("another worker to take it over", () => provider.calls[2]);
    again.finish();
    await ended(slow as JobDoc, "completed");
    expect(await auditFindings(app)).toEqual([]);
  });
});

test.each([
  { running: 1, hasBacklog: true, most: 256 },
  { running: 1_000, hasBacklog: true, most: 256 },
  { running: 0, hasBacklog: false, most: 32 },
  { running: 64, hasBacklog: false, most: 32 },
  { running: 65, hasBacklog: false, most: 33 },
  { running: 512, hasBacklog: false, most: 256 },
  { running: 1_000, hasBacklog: false, most: 256 },
])(
  "$running running jobs, with a backlog: $hasBacklog, give batches of at most $most",
  ({ running, hasBacklog, most }) => {
    expect(finalizeTogether({ running, hasBacklog })).toBe(most);
  },
);
