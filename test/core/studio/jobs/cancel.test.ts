// Cancelling a running job: its worker stops it immediately or at the next poll, and the first outcome wins.
import { EventEmitter } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { type Provider, ProviderError } from "../../../../core/adapters/providers/provider.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import { listJobs } from "../../../../core/studio/jobs/list.ts";
import type { JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { toJob } from "../../../../core/studio/jobs/resource.ts";
import type { JobDoc } from "../../../../core/studio/jobs/store.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { startWorker, type Worker } from "../../../../core/studio/runs/worker.ts";
import { findDeliveriesOfJob } from "../../../../core/studio/webhooks/store.ts";
import type { Caller } from "../../../../proto/caller.ts";
import type { JobRequest } from "../../../../proto/resources/job.ts";
import { acceptMany, askFor, cancelJob } from "../../../support/accept.ts";
import { createCustomer, separateApp, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock, type FakeClock } from "../../../support/clock.ts";
import { ledgerKinds } from "../../../support/credits.ts";
import {
  createHandleProvider,
  createScriptedProvider,
  madeNow,
  type Script,
  SMALL_OUTPUT,
  STILL_RUNNING,
} from "../../../support/providers.ts";
import { waitFor } from "../../../support/wait-for.ts";

const LEASE_MS = 15_000;

const shared = useTestApp();
let app: JobsApp;
const workers: Worker[] = [];

const begin = (script: Script, clock?: FakeClock) => beginWith(createScriptedProvider(script), clock);

async function beginWith<P extends Provider>(provider: P, clock?: FakeClock) {
  app = separateApp(shared.app, { provider, ...(clock && { clock }) });
  return { provider, ...(await createCustomer(app, { credits: 100 })) };
}

function work(on = app): Worker {
  const worker = startWorker(on, { concurrency: 64, leaseMs: LEASE_MS });
  workers.push(worker);
  return worker;
}

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
  await shared.empty();
});

async function generate(caller: Caller, change: Partial<JobRequest> = {}): Promise<JobDoc> {
  const [job] = await acceptMany(app, 1, askFor(caller, change));
  return job as JobDoc;
}

const read = (job: JobDoc) => findOwnJob(app, job.account_id, job._id);
const ended = (job: JobDoc, state: string) =>
  waitFor(`job to be ${state}`, async () => {
    const now = await read(job);
    return now.state === state && now;
  });
const cancel = (job: JobDoc, on = app) => cancelJob(on, job.account_id, job._id);
const eventTypes = (job: JobDoc) => job.events.map(({ type }) => type);

const kinds = (accountId: string) => ledgerKinds(app, accountId);

const CALLED_OFF = ["reserved", "debited", "running", "cancelling", "refunded", "cancelled"];

describe("a job at a provider that stops when it is aborted", () => {
  test("[JOB-30] [CALL-05] is cancelled: its call ends, all credits return once, its slot is free and one webhook is sent", async () => {
    const { provider, accountId, caller } = await begin({ stopsWhenAborted: true });
    const job = await generate(caller, { callback_url: "http://127.0.0.1:1/hooks" });
    work();
    const { call } = await waitFor("the call", () => provider.calls[0]);
    await cancel(job);
    expect((await toJob(app, await read(job))).state).toMatch(/^cancel(ling|led)$/);
    const done = await ended(job, "cancelled");
    expect(call.signal.aborted).toBe(true);
    expect(eventTypes(done)).toEqual(CALLED_OFF);
    expect(done).toMatchObject({ error: null, outputs: [], lease: null, version: CALLED_OFF.length });
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "debit", "refund"]);
    expect(await accounts(app.mongo.db).findOne({ _id: accountId })).toMatchObject({
      balance: 100,
      held: 0,
      running: 0,
    });
    const told = await findDeliveriesOfJob(app.mongo.db, accountId, job._id);
    expect(told.map(({ event }) => event)).toEqual(["job.cancelled"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("[JOB-31] is stopped in another process too, also while that one drains", async () => {
    const { provider, caller } = await begin({ stopsWhenAborted: true });
    const job = await generate(caller);
    const worker = work({ ...app, signals: new EventEmitter() });
    await waitFor("the call", () => provider.calls[0]);
    const stopped = worker.stop(60_000);
    await cancel(job);
    await stopped;
    expect(eventTypes(await read(job))).toEqual(CALLED_OFF);
  });

  test("is not called again when it is cancelled between two tries", async () => {
    const busy = new ProviderError("provider_unavailable", "Busy.", {
      retryable: true,
      retryAfterMs: 10_000,
    });
    // No call is in flight, so an abort does not matter.
    const { provider, caller } = await begin({ stopsWhenAborted: true, answer: () => Promise.reject(busy) });
    const job = await generate(caller);
    work();
    await waitFor("the wait", async () => eventTypes(await read(job)).includes("retrying"));
    await cancel(job);
    await ended(job, "cancelled");
    expect(provider.calls).toHaveLength(1);
  });

  test("[JOB-32] is unchanged by repeated requests while cancelling and when cancelled", async () => {
    const { accountId, caller } = await begin({ stopsWhenAborted: true });
    const job = await generate(caller);
    await claimJobs(app, { worker: "w", limit: 1, leaseMs: LEASE_MS });
    await Promise.all([cancel(job), cancel(job), cancel(job)]);
    await cancel(job);
    expect(eventTypes(await read(job))).toEqual(["reserved", "debited", "running", "cancelling"]);
    const waiting = await generate(caller);
    await cancel(waiting);
    await cancel(waiting);
    expect(eventTypes(await read(waiting))).toEqual(["reserved", "released", "cancelled"]);
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "debit", "reserve", "release"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is listed as cancelling, and not as running, until it has ended", async () => {
    const { accountId, caller } = await begin({ stopsWhenAborted: true });
    const [job, other] = [await generate(caller), await generate(caller)];
    await claimJobs(app, { worker: "w", limit: 2, leaseMs: LEASE_MS });
    await cancel(job);
    const listed = async (state: string) => {
      const { jobs } = await listJobs(app, { accountId, limit: 10, cursor: "", state, modality: "" });
      return jobs.map(({ job_id, state: shown }) => [job_id, shown]);
    };
    expect(await listed("cancelling")).toEqual([[job._id, "cancelling"]]);
    expect(await listed("running")).toEqual([[other._id, "running"]]);
    expect((await toJob(app, await read(job))).credits_charged).toBe(10);
  });
});

describe("a job whose provider does not stop immediately", () => {
  test("[JOB-33] and cannot be cancelled: the request is refused with the next step, and the job continues", async () => {
    const { provider, caller } = await begin({});
    const job = await generate(caller);
    work();
    const { finish } = await waitFor("the call", () => provider.calls[0]);
    await expect(cancel(job)).rejects.toMatchObject({
      code: "job_not_cancellable",
      message: "The job runs at a provider that cannot stop what it has begun.",
      hint: expect.stringMatching(/^Let it end: /),
    });
    finish();
    expect(eventTypes(await ended(job, "completed"))).toEqual([
      "reserved",
      "debited",
      "running",
      "completed",
    ]);
    await expect(cancel(job)).rejects.toMatchObject({
      code: "job_not_cancellable",
      message: "The job has ended: it is completed.",
    });
  });

  test("that finishes first: progress after the request is stored, and the job is completed and charged", async () => {
    const clock = createFakeClock();
    const { provider, accountId, caller } = await begin({ cancel: async () => {} }, clock);
    const job = await generate(caller);
    work();
    const { call, finish } = await waitFor("the call", () => provider.calls[0]);
    await cancel(job);
    for (const fraction of [0.3, 0.6]) {
      clock.advance(1000);
      call.onProgress(fraction);
    }
    finish();
    const done = await ended(job, "completed");
    expect(eventTypes(done)).toEqual([
      "reserved",
      "debited",
      "running",
      "cancelling",
      "progress",
      "progress",
      "completed",
    ]);
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "debit"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("that fails with a retryable error: it is cancelled instead of retried", async () => {
    const { provider, caller } = await begin({ cancel: async () => {} });
    const job = await generate(caller);
    work();
    const { fail } = await waitFor("the call", () => provider.calls[0]);
    await cancel(job);
    fail(new ProviderError("provider_unavailable", "Busy.", { retryable: true, retryAfterMs: 1 }));
    expect(eventTypes(await ended(job, "cancelled")).slice(-2)).toEqual(["refunded", "cancelled"]);
    expect(provider.calls).toHaveLength(1);
  });
});

describe("[JOB-34] a job whose worker is lost while cancelling", () => {
  const cases: [string, Script, { state: string; code?: string }][] = [
    ["is cancelled, where a repeated call is safe", {}, { state: "cancelled" }],
    [
      "is cancelled, where the provider does not know the call",
      { safeToRepeat: false, lookup: async () => ({ state: "never_started" }) },
      { state: "cancelled" },
    ],
    [
      "is completed, where the provider has finished it",
      { lookup: async () => ({ state: "done", outputs: [SMALL_OUTPUT] }) },
      { state: "completed" },
    ],
    [
      "fails, where the outcome is unknown",
      { safeToRepeat: false },
      { state: "failed", code: "outcome_unknown" },
    ],
  ];
  test.each(cases)("%s", async (_what, script, { state, code }) => {
    const clock = createFakeClock();
    const { provider, caller } = await begin({ stopsWhenAborted: true, ...script }, clock);
    const job = await generate(caller);
    await claimJobs(app, { worker: "lost", limit: 1, leaseMs: LEASE_MS });
    await cancel(job);
    clock.advance(LEASE_MS);
    work();
    const done = await ended(job, state);
    expect(done.error?.code).toBe(code);
    expect(provider.calls).toHaveLength(0);
    expect(await auditFindings(app)).toEqual([]);
  });
});

describe("[JOB-35] a job that is suspended at its provider", () => {
  async function parked(clock?: FakeClock) {
    const asked: string[] = [];
    const provider = createHandleProvider();
    const cancelling = { ...provider, cancel: async (handle: string) => void asked.push(handle) };
    const world = await beginWith(cancelling, clock);
    const job = await generate(world.caller, { callback_url: "http://127.0.0.1:1/hooks" });
    work();
    await waitFor("it to be asked for", () => {
      clock?.advance(100);
      return (provider.works[0]?.polls ?? 0) > 0;
    });
    return { ...world, job, asked, theWork: provider.work("work-1") };
  }

  test("is cancelled once its provider confirms, which is asked to stop once", async () => {
    const { job, asked, theWork, accountId } = await parked();
    await cancel(job);
    const pollsBefore = theWork.polls;
    await waitFor("some more questions", () => theWork.polls > pollsBefore + 1);
    expect((await toJob(app, await read(job))).state).toBe("cancelling");
    theWork.answer = { state: "cancelled" };
    const done = await ended(job, "cancelled");
    expect(asked).toEqual(["work-1"]);
    expect(eventTypes(done)).toEqual(CALLED_OFF);
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "debit", "refund"]);
    const told = await findDeliveriesOfJob(app.mongo.db, accountId, job._id);
    expect(told.map(({ event }) => event)).toEqual(["job.cancelled"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is completed and charged when it finished before", async () => {
    const { job, theWork, accountId } = await parked();
    theWork.answer = madeNow();
    await cancel(job).catch(() => {});
    const done = await ended(job, "completed");
    expect(done.outputs).toHaveLength(1);
    expect(await kinds(accountId)).toEqual(["grant", "reserve", "debit"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is held no longer than its deadline by a provider that never stops", async () => {
    const clock = createFakeClock();
    const { job, asked, theWork } = await parked(clock);
    await cancel(job);
    await waitFor("it to be asked to stop", () => asked.length > 0);
    theWork.answer = new ProviderError("provider_unavailable", "Away.", { retryable: true });
    clock.advance(job.run_timeout_ms);
    // A poll that began before sees it the next time.
    await waitFor("the job to end", async () => {
      clock.advance(1_000);
      return (await read(job)).state !== "running";
    });
    expect((await ended(job, "failed")).error?.code).toBe("provider_timeout");
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is cancelled again at the provider until that was heard, and then no more", async () => {
    const provider = createHandleProvider();
    let asked = 0;
    const deaf = {
      ...provider,
      cancel: async () => {
        asked += 1;
        if (asked < 3) throw new ProviderError("provider_unavailable", "Away.", { retryable: true });
      },
    };
    const { caller } = await beginWith(deaf);
    const job = await generate(caller);
    work();
    await waitFor("it to be asked for", () => (provider.works[0]?.polls ?? 0) > 0);
    await cancel(job);
    await waitFor("it to be heard", () => asked === 3);
    const pollsBefore = provider.work("work-1").polls;
    await waitFor("some more questions", () => provider.work("work-1").polls > pollsBefore + 1);
    expect(asked).toBe(3);
    provider.work("work-1").answer = { state: "cancelled" };
    await ended(job, "cancelled");
  });

  test("that has no handle yet is cancelled at the provider as soon as it has one", async () => {
    const held = Promise.withResolvers<void>();
    const provider = createHandleProvider({ firstAnswer: STILL_RUNNING, onStart: () => held.promise });
    const { caller } = await beginWith(provider);
    const job = await generate(caller);
    work();
    await waitFor("the call", () => provider.works.length === 1);
    await cancel(job);
    held.resolve();
    await waitFor("it to be asked to stop", () => provider.work("work-1").calledOff);
    provider.work("work-1").answer = { state: "cancelled" };
    expect(eventTypes(await ended(job, "cancelled"))).toEqual(CALLED_OFF);
  });
});
