// Parallel cancels that are committed in one transaction: each gets its own result.
import { beforeEach, expect, test } from "vitest";
import { createContention } from "../../../../core/base/mongo/contention.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { cancelJobs, type CancelRequest, createCancelQueue } from "../../../../core/studio/jobs/cancel.ts";
import { jobs } from "../../../../core/studio/jobs/store.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { acceptMany, acceptOne, askFor } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createScriptedProvider } from "../../../support/providers.ts";

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
