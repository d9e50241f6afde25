import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createContention } from "../../../../core/base/mongo/contention.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { cancelJobs, type CancelRequest, createCancelQueue } from "../../../../core/studio/jobs/cancel.ts";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import type { Claim, JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { toJobEvents } from "../../../../core/studio/jobs/rules.ts";
import { type JobDoc, jobs } from "../../../../core/studio/jobs/store.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { startWorker, type Worker } from "../../../../core/studio/runs/worker.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { acceptMany, askFor, acceptOne } from "../../../support/accept.ts";
import { createCustomer, separateApp, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createScriptedProvider, type ScriptedProvider } from "../../../support/providers.ts";
import { waitFor } from "../../../support/wait-for.ts";

let provider: ScriptedProvider;
const shared = useTestApp();
let app: JobsApp;
let worker: Worker | undefined;

beforeEach(() => {
  provider = createScriptedProvider();
  app = separateApp(shared.app, { provider });
});
afterEach(async () => {
  await worker?.stop(0);
  worker = undefined;
  await shared.empty();
});

const generate = (caller: Caller, count: number) => acceptMany(app, count, askFor(caller));

/** Records local dispatch in place of a worker. */
function fakeLocalDispatch(places: number): { claims: Claim[]; asked: number[] } {
  const seen: { claims: Claim[]; asked: number[] } = { claims: [], asked: [] };
  app.localDispatch.worker = {
    worker: "w",
    leaseMs: 15_000,
    take: (wanted) => {
      seen.asked.push(wanted);
      return Math.min(wanted, places);
    },
    start: (_taken, claims) => {
      seen.claims.push(...claims);
    },
  };
  return seen;
}

const states = async (jobs: readonly JobDoc[]) =>
  Promise.all(jobs.map(async (job) => (await findOwnJob(app, job.account_id, job._id)).state));

describe("a job that can start immediately", () => {
  test("is accepted and claimed in one transaction, with the events and ledger entries of both", async () => {
    const seen = fakeLocalDispatch(10);
    const { caller } = await createCustomer(app);
    const [job] = await generate(caller, 1);
    expect(job).toMatchObject({ state: "reserved", version: 1 });
    const stored = await findOwnJob(app, (job as JobDoc).account_id, (job as JobDoc)._id);
    expect(stored).toMatchObject({ state: "running", epoch: 1, version: 3, lease: { worker: "w" } });
    expect(toJobEvents(stored).map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      "1 reserved",
      "2 debited",
      "3 running",
    ]);
    expect(seen.claims).toMatchObject([{ epoch: 1, version: 3, worker: "w" }]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is bounded by the plan's slots and the worker's capacity", async () => {
    fakeLocalDispatch(4);
    const [pro, starter] = [await createCustomer(app), await createCustomer(app, { plan: "starter" })];
    expect(await states(await generate(starter.caller, 4))).toEqual([
      "running",
      "running",
      "reserved",
      "reserved",
    ]);
    expect(await states(await generate(pro.caller, 6))).toEqual([
      "running",
      "running",
      "running",
      "running",
      "reserved",
      "reserved",
    ]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("waits behind older jobs of its account", async () => {
    const { caller } = await createCustomer(app);
    const older = await generate(caller, 1);
    fakeLocalDispatch(10);
    expect(await states(await generate(caller, 1))).toEqual(["reserved"]);
    expect(await states(older)).toEqual(["reserved"]);
  });

  test("is refused like any other, and nothing is claimed for it", async () => {
    const seen = fakeLocalDispatch(10);
    const { caller } = await createCustomer(app, { credits: 9 });
    await expect(generate(caller, 1)).rejects.toMatchObject({ code: "insufficient_credits" });
    expect(seen).toEqual({ claims: [], asked: [1] });
  });

  test("is run by this process's worker, which continues to claim waiting jobs", async () => {
    worker = startWorker(app, { concurrency: 3, leaseMs: 15_000 });
    const { caller } = await createCustomer(app);
    const jobs = await generate(caller, 5);
    const done = new Set<number>();
    while (done.size < 5) {
      const next = await waitFor("a call", () => provider.calls.find((_, i) => !done.has(i)));
      const i = provider.calls.indexOf(next);
      expect(provider.calls.length - done.size).toBeLessThanOrEqual(3);
      done.add(i);
      next.finish();
    }
    await waitFor("all to complete", async () =>
      (await states(jobs)).every((state) => state === "completed"),
    );
    expect(await auditFindings(app)).toEqual([]);
  });
});

// Parallel cancels that are committed in one transaction: each gets its own result.
const testApp = useTestApp({ provider: createScriptedProvider({ stopsWhenAborted: true }) });
beforeEach(() => testApp.empty());

async function world() {
  const owners = await Promise.all([createCustomer(testApp.app), createCustomer(testApp.app)]);
  const [a, b] = owners;
  const make = async ({ accountId, caller }: typeof a): Promise<CancelRequest> => {
    const { _id: jobId } = await acceptOne(testApp.app, caller);
    return { accountId, jobId };
  };
  return { a, b, make };
}

const eventsOf = async ({ jobId }: CancelRequest) => {
  const job = await jobs(testApp.app.mongo.db).findOne({ _id: jobId });
  return job?.events.map(({ type }) => type).join(" ");
};

const transactions = async () => {
  const counted = await testApp.app.metrics.registry.getSingleMetric("atelier_transactions_total")?.get();
  return counted?.values.find(({ labels }) => labels["kind"] === "cancel")?.value ?? 0;
};

const outcome = (one: PromiseSettledResult<unknown>) =>
  one.status === "fulfilled" ? "ok" : (one.reason as { code: string }).code;

test("[JOB-08] each cancel of a batch gets its own result: waiting, running, ended, repeated, foreign and unknown jobs", async () => {
  const { a, b, make } = await world();
  const [running, done] = [await make(a), await make(a)];
  await claimJobs(testApp.app, { worker: "w", limit: 2, leaseMs: 15_000 });
  await jobs(testApp.app.mongo.db).updateOne({ _id: done.jobId }, { $set: { state: "failed" } });
  const [waiting, others] = [await make(a), await make(b)];
  const cancel = createCancelQueue(testApp.app);
  const before = await transactions();
  const answers = await Promise.allSettled([
    cancel(waiting),
    cancel(running),
    cancel(done),
    cancel({ ...others, accountId: a.accountId }),
    cancel({ accountId: a.accountId, jobId: "job_unknown" }),
    cancel(waiting),
    cancel(running),
    cancel(others),
    cancel(waiting),
  ]);
  expect(answers.map(outcome)).toEqual([
    "ok",
    "ok",
    "job_not_cancellable",
    "job_not_found",
    "job_not_found",
    "ok",
    "ok",
    "ok",
    "ok",
  ]);
  expect((await transactions()) - before).toBe(1);
  expect(await Promise.all([waiting, running, others].map(eventsOf))).toEqual([
    "reserved released cancelled",
    "reserved debited running cancelling",
    "reserved released cancelled",
  ]);
  await jobs(testApp.app.mongo.db).updateOne({ _id: done.jobId }, { $set: { state: "running" } });
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("the credits of many cancelled jobs of an account are released in one transaction", async () => {
  const { a } = await world();
  const accepted = await acceptMany(testApp.app, 40, askFor(a.caller));
  const made = accepted.map(({ _id: jobId }) => ({ accountId: a.accountId, jobId }));
  const cancel = createCancelQueue(testApp.app);
  const before = await transactions();
  await Promise.all(made.map((one) => cancel(one)));
  expect((await transactions()) - before).toBe(1);
  expect(new Set(await Promise.all(made.map(eventsOf)))).toEqual(new Set(["reserved released cancelled"]));
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("[JOB-37] parallel cancels of many jobs on three cores each get a result, and each job is cancelled once", async () => {
  const { a } = await world();
  const accepted = await acceptMany(testApp.app, 100, askFor(a.caller));
  const made = accepted.map(({ _id: jobId }) => ({ accountId: a.accountId, jobId }));
  const { app } = testApp;
  const cores = Array.from({ length: 3 }, () =>
    createCancelQueue({ ...app, mongo: { ...app.mongo, contention: createContention() } }),
  );
  await Promise.all(cores.flatMap((cancel) => made.map((one) => cancel(one))));
  expect(new Set(await Promise.all(made.map(eventsOf)))).toEqual(new Set(["reserved released cancelled"]));
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("a cancel whose caller has left is dropped, and the others of its batch go on", async () => {
  const { a, make } = await world();
  const [first, second] = [await make(a), await make(a)];
  const results = await cancelJobs(testApp.app, [first, second], {
    isWanted: (i) => i === 1,
    maxConflicts: Number.POSITIVE_INFINITY,
  });
  expect(results.map(outcome)).toEqual(["deadline_exceeded", "ok"]);
  expect(await Promise.all([first, second].map(eventsOf))).toEqual([
    "reserved",
    "reserved released cancelled",
  ]);
});

test("a cancel that cannot be decided fails alone: the others of its batch are cancelled", async () => {
  const { a, b, make } = await world();
  const [good, bad] = [await make(a), await make(b)];
  // Its hold cannot be released.
  const broken = {
    ...testApp.app,
    plans: async () => new Map([...(await testApp.app.plans())].filter(([name]) => name !== "studio")),
  };
  await accounts(testApp.app.mongo.db).updateOne({ _id: b.accountId }, { $set: { plan: "studio" } });
  const cancel = createCancelQueue(broken);
  const answers = await Promise.allSettled([cancel(good), cancel(bad), cancel(good)]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await Promise.all([good, bad].map(eventsOf))).toEqual(["reserved released cancelled", "reserved"]);
});
