// Calls with a handle: their jobs are suspended, polled and finalized, whichever worker is lost.
import { afterEach, describe, expect, test } from "vitest";
import { usable } from "../../../../core/adapters/providers/media.ts";
import {
  type Provider,
  ProviderError,
  type ProviderOutput,
} from "../../../../core/adapters/providers/provider.ts";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import type { Claim, JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { type CallDoc, type JobDoc, jobs, suspended } from "../../../../core/studio/jobs/store.ts";
import { noteCall, suspendJob, resumeJob, wakeCall } from "../../../../core/studio/runs/calls.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { LostLease } from "../../../../core/studio/runs/finalize.ts";
import { pollCall } from "../../../../core/studio/runs/poll-call.ts";
import { startWorker, type Worker } from "../../../../core/studio/runs/worker.ts";
import { type Clock, systemClock } from "../../../../runtime/clock.ts";
import { acceptOne } from "../../../support/accept.ts";
import { createCustomer, separateApp, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import {
  createHandleProvider,
  createScriptedProvider,
  madeNow,
  SMALL_OUTPUT,
} from "../../../support/providers.ts";
import { waitFor } from "../../../support/wait-for.ts";

const LEASE_MS = 15_000;
const NEVER = new AbortController().signal;

let app: JobsApp;
const workers: Worker[] = [];

const shared = useTestApp();

function begin({ provider = createScriptedProvider(), clock = systemClock }: Begin = {}): void {
  app = separateApp(shared.app, { provider, clock });
}

type Begin = { provider?: Provider; clock?: Clock };

function work({ leaseMs = LEASE_MS, concurrency = 8 } = {}): Worker {
  const worker = startWorker(app, { concurrency, leaseMs });
  workers.push(worker);
  return worker;
}

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
  for (const name of ["accounts", "account_emails", "ledger", "jobs", "provider_calls"])
    await shared.app.mongo.db.collection(name).deleteMany({});
  await setRunTimeout(30_000);
});

const begun = async () => acceptOne(app, (await createCustomer(app)).caller);
/** An accepted job of a provider with handles. */
async function accepted(options?: Parameters<typeof createHandleProvider>[0], clock?: Clock) {
  const provider = createHandleProvider(options);
  begin({ provider, ...(clock && { clock }) });
  return { provider, job: await begun() };
}
/** The same with a worker, whose call has its handle. */
async function suspendedJob(clock?: Clock) {
  const { provider, job } = await accepted({}, clock);
  const worker = work();
  return { provider, job, worker, waiting: await isSuspended(job) };
}
const read = (job: JobDoc) => findOwnJob(app, job.account_id, job._id);
const rows = () => suspended(app.mongo.db).find().toArray();
const ended = (job: JobDoc, state: string) =>
  waitFor(`job to be ${state}`, async () => {
    const now = await read(job);
    return now.state === state && now;
  });
const isSuspended = (job: JobDoc) =>
  waitFor("the job to be parked", async () => {
    const now = await read(job);
    return now.lease === null && now.call?.handle !== undefined && now;
  });
const eventTypes = (job: JobDoc) => job.events.map(({ type }) => type);
const setRunTimeout = (ms: number) =>
  shared.app.mongo.db
    .collection("models")
    .updateOne({ _id: "picture" as never }, { $set: { run_timeout_ms: ms } });
const claimOne = async (worker = "lost", leaseMs = LEASE_MS): Promise<Claim> => {
  const [claim] = await claimJobs(app, { worker, limit: 1, leaseMs });
  if (!claim) throw new Error("there is something to claim");
  return claim;
};
const callOf = (change: Partial<CallDoc> = {}): CallDoc => ({
  provider: "test",
  provider_model: "test",
  at: new Date(),
  ...change,
});

describe("a call with a handle", () => {
  test("[PARK-03] suspends its job without a lease, keeps the slot, and is finalized as usual", async () => {
    const { provider, job, worker, waiting } = await suspendedJob();
    expect(waiting).toMatchObject({
      state: "running",
      epoch: 1,
      call: { provider: "test", provider_model: "test", handle: "work-1" },
    });
    expect(await rows()).toMatchObject([{ _id: job._id, account_id: job.account_id, provider: "test" }]);
    await waitFor("several questions", () => (provider.works[0]?.polls ?? 0) > 2);
    expect(worker.running()).toBe(0);
    expect(await auditFindings(app)).toEqual([]);
    provider.work("work-1").answer = madeNow();
    const done = await ended(job, "completed");
    expect(eventTypes(done)).toEqual(["reserved", "debited", "running", "completed"]);
    expect(done.outputs).toMatchObject([{ bytes: SMALL_OUTPUT.bytes.length }]);
    expect(await rows()).toEqual([]);
    expect(provider.works).toHaveLength(1);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is polled with its request, and stores its progress at a lower rate", async () => {
    const { provider, job } = await suspendedJob();
    let fraction = 0;
    provider.work("work-1").answer = () => {
      fraction += 0.01;
      return { state: "running", progress: fraction, pollAfterMs: 1 };
    };
    const told = await waitFor("two steps of progress", async () => {
      const now = await read(job);
      return now.events.filter(({ type }) => type === "progress").length >= 2 && now;
    });
    const fractions = told.events.flatMap(({ detail }) =>
      detail?.["fraction"] === undefined ? [] : [Number(detail["fraction"])],
    );
    expect(fractions.every((one, i) => i === 0 || one - (fractions[i - 1] ?? 0) >= 0.045)).toBe(true);
    provider.work("work-1").answer = madeNow();
    expect((await ended(job, "completed")).version).toBe(told.version + 1);
  });

  test("is completed for any number of lost workers, and its result is charged", async () => {
    const { provider, job } = await suspendedJob();
    await jobs(app.mongo.db).updateOne({ _id: job._id }, { $set: { rescues: 7 } });
    provider.work("work-1").answer = madeNow();
    expect(await ended(job, "completed")).toMatchObject({ rescues: 7 });
    expect(provider.works).toHaveLength(1);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("reports its place in the provider's queue first and each time it has halved", async () => {
    const { provider, job } = await suspendedJob();
    let position = 7;
    provider.work("work-1").answer = () => {
      position = Math.max(0, position - 1);
      return { state: "running", position, pollAfterMs: 1 };
    };
    const told = await waitFor("it to be next", async () => {
      const now = await read(job);
      return now.events.at(-1)?.detail?.["position"] === 0 && now;
    });
    const positions = told.events.flatMap(({ detail }) => detail?.["position"] ?? []);
    expect([positions[0], positions.at(-1)]).toEqual([6, 0]);
    expect(positions.every((one, i) => i === 0 || Number(one) <= Number(positions[i - 1]) / 2)).toBe(true);
    provider.work("work-1").answer = () => ({ state: "running", progress: 0.5, position: 0, pollAfterMs: 1 });
    const later = await waitFor("its progress", async () => {
      const now = await read(job);
      return now.events.at(-1)?.detail?.["fraction"] === 0.5 && now;
    });
    expect(later.events.at(-1)?.detail).toEqual({ fraction: 0.5 });
    provider.work("work-1").answer = madeNow();
    await ended(job, "completed");
  });

  test.each([
    [
      "failed",
      () => ({
        state: "failed" as const,
        error: new ProviderError("provider_refused", "The provider refused this prompt."),
      }),
      { code: "provider_refused", message: "The provider refused this prompt." },
    ],
    [
      "cannot be found any more",
      () => {
        throw new ProviderError("provider_failed", "The provider does not know the call.");
      },
      { code: "provider_failed", message: "The provider does not know the call." },
    ],
    ["was called off by its provider", () => ({ state: "cancelled" as const }), { code: "provider_failed" }],
  ])("a call with a handle that %s refunds its job", async (_what, answer, error) => {
    const { job } = await accepted({ firstAnswer: answer });
    work();
    const failed = await ended(job, "failed");
    expect(failed.error).toMatchObject(error);
    expect(eventTypes(failed)).toEqual(["reserved", "debited", "running", "refunded", "failed"]);
    expect(await rows()).toEqual([]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("continues when it cannot be polled for a moment", async () => {
    const busy = new ProviderError("provider_unavailable", "Busy.", { retryable: true, retryAfterMs: 1 });
    const { provider, job } = await accepted({ firstAnswer: busy });
    work();
    await waitFor("several questions", () => (provider.works[0]?.polls ?? 0) > 2);
    provider.work("work-1").answer = () => {
      provider.work("work-1").answer = madeNow();
      throw new TypeError("an adapter with a fault");
    };
    const done = await ended(job, "completed");
    expect(eventTypes(done)).toEqual(["reserved", "debited", "running", "completed"]);
  });

  test("is fetched again, and not generated again, when its files cannot be fetched for a moment", async () => {
    const { provider, job } = await suspendedJob();
    let tries = 0;
    const away = new ProviderError("provider_unavailable", "Away.", { retryable: true, retryAfterMs: 1 });
    provider.work("work-1").answer = {
      state: "made",
      collect: async () => {
        tries += 1;
        if (tries <= 4) throw away;
        return [SMALL_OUTPUT];
      },
    };
    const done = await ended(job, "completed");
    expect(tries).toBe(5);
    expect(done.epoch).toBe(3);
    expect(provider.works).toHaveLength(1);
  });

  test("gets the files that can be fetched when its time is over", async () => {
    await setRunTimeout(700);
    const { provider, job } = await suspendedJob();
    const away = new ProviderError("provider_unavailable", "Away.", { retryable: true, retryAfterMs: 1 });
    const files = [async () => SMALL_OUTPUT, () => Promise.reject(away)];
    provider.work("work-1").answer = { state: "made", collect: (call) => usable(files, call) };
    const done = await ended(job, "completed");
    expect(done.outputs).toHaveLength(1);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is an invalid response with an unusable handle, or from a provider that cannot be polled", async () => {
    for (const handle of ["", "h".repeat(4_097)]) {
      const provider = { ...createHandleProvider(), start: async () => ({ handle }) };
      begin({ provider });
      const job = await begun();
      work();
      expect((await ended(job, "failed")).error?.code).toBe("provider_bad_answer");
      await workers.pop()?.stop(0);
    }
    const { poll: _, ...mute } = createHandleProvider();
    begin({ provider: mute });
    const job = await begun();
    work();
    expect((await ended(job, "failed")).error?.code).toBe("provider_bad_answer");
  });
});

describe("the deadline of a run", () => {
  test("cancels the work and refunds the job", async () => {
    await setRunTimeout(700);
    const { provider, job } = await accepted();
    work();
    expect((await ended(job, "failed")).error).toMatchObject({ code: "provider_timeout" });
    expect(provider.work("work-1").calledOff).toBe(true);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("keeps a result that was ready while no worker could poll it", async () => {
    const clock = createFakeClock();
    const { provider, job, worker: first } = await suspendedJob(clock);
    await first.stop(0);
    provider.work("work-1").answer = madeNow();
    clock.advance(24 * 60 * 60_000);
    work();
    await ended(job, "completed");
    expect(provider.work("work-1").calledOff).toBe(false);
  });
});

describe("a worker that is lost", () => {
  test("causes no rescue and no event while its job is suspended", async () => {
    const { provider, job, worker: first } = await suspendedJob();
    await first.stop(0);
    provider.work("work-1").answer = madeNow();
    work();
    const done = await ended(job, "completed");
    expect(eventTypes(done)).toEqual(["reserved", "debited", "running", "completed"]);
    expect(done.rescues).toBe(0);
  });

  test("[PARK-01] leaves its unfetched files to the next, which polls and does not call again", async () => {
    const { provider, job } = await accepted({ firstAnswer: madeNow() });
    const claim = await claimOne();
    await noteCall(app, claim, callOf(), NEVER);
    const { handle } = (await provider.start({} as never, { idempotencyKey: job._id } as never)) as {
      handle: string;
    };
    await suspendJob(app, { claim }, { pollAt: new Date(), call: callOf({ handle }) });
    const taken = await resumeJob(app, await read(job), { worker: "lost too", leaseMs: 1 });
    expect(taken).toMatchObject({ epoch: 2, version: 3 });
    expect(await rows()).toEqual([]);
    work();
    const done = await ended(job, "completed");
    expect(eventTypes(done)).toEqual(["reserved", "debited", "running", "retrying", "completed"]);
    expect(provider.works).toHaveLength(1);
    expect(await auditFindings(app)).toEqual([]);
  });

  test.each([
    [true, "completed", undefined, 1],
    [false, "failed", "outcome_unknown", 0],
  ])(
    "between the call and its handle: where repeating is safe (%s) the job is %s",
    async (safeToRepeat, state, code, begunAgain) => {
      const { provider, job } = await accepted({ safeToRepeat, firstAnswer: madeNow() });
      await noteCall(app, await claimOne("lost", 1), callOf(), NEVER);
      work();
      expect((await ended(job, state)).error?.code).toBe(code);
      expect(provider.works.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
        Array(begunAgain).fill(job._id),
      );
      expect(await auditFindings(app)).toEqual([]);
    },
  );

  test("before it recorded the call: the job is called, though repeating a call would not be safe", async () => {
    const { provider, job } = await accepted({ safeToRepeat: false, firstAnswer: madeNow() });
    await claimOne("lost", 1);
    work();
    await ended(job, "completed");
    expect(provider.works).toHaveLength(1);
    expect(await auditFindings(app)).toEqual([]);
  });

  test.each([
    ["had taken it over before", { $set: { rescues: 1 } }],
    ["claimed it", { $unset: { call: "" as const } }],
  ])("leaves the outcome unknown when one of a release without recorded calls %s", async (_who, change) => {
    const { provider, job } = await accepted({ safeToRepeat: false, firstAnswer: madeNow() });
    await claimOne("lost", 1);
    await app.mongo.db.collection<{ _id: string }>("jobs").updateOne({ _id: job._id }, change);
    work();
    expect((await ended(job, "failed")).error?.code).toBe("outcome_unknown");
    expect(provider.works).toEqual([]);
  });

  test("between the call and its handle: a webhook brings the handle", async () => {
    const { provider, job } = await accepted({ firstAnswer: madeNow() });
    const claim = await claimOne("lost", 1);
    await noteCall(app, claim, callOf({ webhook: true }), NEVER);
    const { handle } = (await provider.start({} as never, { idempotencyKey: job._id } as never)) as {
      handle: string;
    };
    work();
    await waitFor("it to wait for the webhook", async () => (await rows()).length === 1);
    expect(await wakeCall(app, job._id, handle)).toBe(true);
    await ended(job, "completed");
    expect(provider.works).toHaveLength(1);
    expect(await wakeCall(app, job._id, handle)).toBe(false);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("between the call and its handle, with a webhook that never comes: refunded at the deadline", async () => {
    const clock = createFakeClock();
    const { provider, job } = await accepted({}, clock);
    await noteCall(app, await claimOne("lost", 1), callOf({ webhook: true }), NEVER);
    clock.advance(10);
    work();
    const [row] = await waitFor("it to wait for the webhook", async () => {
      const found = await rows();
      return found.length === 1 && found;
    });
    const { started_at: startedAt, run_timeout_ms: timeoutMs } = await read(job);
    expect(row?.poll_at).toEqual(new Date((startedAt?.getTime() ?? 0) + timeoutMs));
    // A webhook without new information changes nothing.
    await wakeCall(app, job._id);
    clock.advance(timeoutMs);
    expect((await ended(job, "failed")).error?.code).toBe("outcome_unknown");
    expect(provider.works).toEqual([]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("passes a returned handle to the job's new worker", async () => {
    const { provider, job } = await accepted({
      firstAnswer: madeNow(),
      // While its response is in flight, another worker takes the job over and waits for a webhook.
      onStart: async ({ idempotencyKey }) => {
        const { db } = app.mongo;
        await jobs(db).updateOne(
          { _id: idempotencyKey },
          { $inc: { epoch: 1 }, $set: { lease: null, "call.webhook": true } },
        );
        await suspended(db).insertOne({
          _id: idempotencyKey,
          account_id: "",
          provider: "test",
          poll_at: new Date(Date.now() + 60_000),
          wait_ms: 0,
          taken_by: null,
        });
      },
    });
    work();
    await ended(job, "completed");
    expect(provider.works).toHaveLength(1);
  });
});

describe("a worker that drains", () => {
  test("waits for the response to a call, and suspends its job", async () => {
    const answer = Promise.withResolvers<void>();
    const { provider, job } = await accepted({ onStart: () => answer.promise });
    const worker = work();
    await waitFor("the call", () => provider.works.length === 1);
    const stopped = worker.stop(20_000);
    answer.resolve();
    await stopped;
    expect(await read(job)).toMatchObject({ lease: null, call: { handle: "work-1" }, rescues: 0 });
    provider.work("work-1").answer = madeNow();
    work();
    expect((await ended(job, "completed")).rescues).toBe(0);
  });

  test("leaves its unfetched files to the next, which fetches them again", async () => {
    const { provider, job, worker } = await suspendedJob();
    const fetched = Promise.withResolvers<void>();
    const never = new Promise<readonly ProviderOutput[]>(() => {});
    provider.work("work-1").answer = {
      state: "made",
      collect: async () => {
        fetched.resolve();
        return never;
      },
    };
    await fetched.promise;
    await worker.stop(0);
    provider.work("work-1").answer = madeNow();
    work();
    const done = await ended(job, "completed");
    expect([done.rescues, provider.works.length]).toEqual([1, 1]);
    expect(await auditFindings(app)).toEqual([]);
  });
});

describe("suspending a job", () => {
  test("is idempotent when its response was lost", async () => {
    begin({ provider: createHandleProvider() });
    await begun();
    const claim = await claimOne();
    const parking = { pollAt: new Date(), call: callOf({ handle: "h" }) };
    await suspendJob(app, { claim }, parking);
    await suspendJob(app, { claim }, parking);
    expect(await rows()).toHaveLength(1);
  });

  test("is refused once another worker has the job", async () => {
    begin({ provider: createHandleProvider() });
    const job = await begun();
    const claim = await claimOne();
    await jobs(app.mongo.db).updateOne({ _id: job._id }, { $inc: { epoch: 1 } });
    await expect(suspendJob(app, { claim }, { pollAt: new Date() })).rejects.toThrow(LostLease);
    await expect(noteCall(app, claim, callOf(), NEVER)).rejects.toThrow(LostLease);
    expect(await rows()).toEqual([]);
  });

  test("waits for the job's time without a call, and starts then", async () => {
    const { provider, job } = await accepted({ firstAnswer: madeNow() });
    await suspendJob(app, { claim: await claimOne() }, { pollAt: new Date(Date.now() + 100) });
    expect(await auditFindings(app)).toEqual([]);
    expect(provider.works).toEqual([]);
    work();
    const done = await ended(job, "completed");
    expect(eventTypes(done)).toEqual(["reserved", "debited", "running", "completed"]);
    expect(provider.works).toHaveLength(1);
  });

  test("uses what its provider reported meanwhile", async () => {
    const { job } = await accepted({ firstAnswer: madeNow() });
    const claim = await claimOne();
    await noteCall(app, claim, callOf(), NEVER);
    expect(await wakeCall(app, job._id)).toBe(true);
    await suspendJob(
      app,
      { claim },
      {
        pollAt: new Date(Date.now() + 60_000),
        call: callOf({ handle: "work-1" }),
      },
    );
    const [row] = await rows();
    expect(row?.poll_at.getTime()).toBeLessThan(Date.now() + 1000);
  });

  test("is resumed by one of several workers", async () => {
    begin({ provider: createHandleProvider() });
    const job = await begun();
    await suspendJob(app, { claim: await claimOne() }, { pollAt: new Date(), call: callOf({ handle: "h" }) });
    const seen = await read(job);
    const claims = await Promise.all(
      ["a", "b", "c", "d"].map((worker) => resumeJob(app, seen, { worker, leaseMs: LEASE_MS })),
    );
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    expect(await rows()).toEqual([]);
    expect(await auditFindings(app)).toEqual([]);
  });
});

test("a worker that stops as it polls leaves the call to the next one, also at the deadline of the run", async () => {
  const clock = createFakeClock();
  const { provider, job, worker, waiting } = await suspendedJob(clock);
  await worker.stop(0);
  clock.advance(24 * 60 * 60_000);
  const [row] = await rows();
  if (!row) throw new Error("the job is suspended");
  provider.work("work-1").answer = new Error("the request was aborted");
  await pollCall({
    app,
    row,
    job: waiting,
    worker: "stopping",
    leaseMs: LEASE_MS,
    runs: { start: neverCalled },
    limiters: { ended: neverCalled },
    hasPlace: neverCalled,
    stopping: AbortSignal.abort(),
  });
  expect((await read(job)).state).toBe("running");
  expect(provider.work("work-1").calledOff).toBe(false);
});

function neverCalled(): never {
  throw new Error("a worker that stops does nothing more for the job");
}

test("a hanging poll delays no shutdown, and the next worker polls immediately", async () => {
  const { provider, job } = await accepted({ firstAnswer: () => new Promise(() => {}) });
  const first = work();
  await waitFor("the question", () => (provider.works[0]?.polls ?? 0) > 0);
  await first.stop(0);
  provider.work("work-1").answer = madeNow();
  work();
  expect((await ended(job, "completed")).rescues).toBe(0);
});

test("a hanging provider delays no poll of another", async () => {
  const hanging = createHandleProvider({ firstAnswer: () => new Promise(() => {}) });
  begin({ provider: hanging });
  let askedBefore: number | undefined;
  const answer = () => {
    askedBefore ??= hanging.works[0]?.polls;
    return madeNow();
  };
  const other = { ...createHandleProvider({ firstAnswer: answer }), name: "other" };
  app = {
    ...app,
    providers: new Map([
      ["test", hanging],
      ["other", other],
    ]),
  };
  const { caller, accountId } = await createCustomer(app, { plan: "studio" });
  // More of them than a worker polls in all, and due before the others.
  const model = await acceptOne(app, caller);
  const { _id, ...like } = await read(model);
  const at = new Date(Date.now() - 60_000);
  const waiting = Array.from({ length: 100 }, (_, i) => ({
    ...like,
    _id: `${_id}_${i}`,
    state: "running" as const,
    call: callOf({ handle: "work-1" }),
  }));
  await hanging.start({} as never, { idempotencyKey: "none" } as never);
  await jobs(app.mongo.db).insertMany(waiting);
  const row = { account_id: accountId, provider: "test", wait_ms: 0, taken_by: null };
  await suspended(app.mongo.db).insertMany(waiting.map((job) => ({ ...row, _id: job._id, poll_at: at })));
  const last = `${_id}_99`;
  await jobs(app.mongo.db).updateOne({ _id: last }, { $set: { "call.provider": "other" } });
  await suspended(app.mongo.db).updateOne(
    { _id: last },
    { $set: { provider: "other", poll_at: new Date() } },
  );
  await other.start({} as never, { idempotencyKey: "none" } as never);
  work({ concurrency: 128 });
  await waitFor("the other one to be asked", () => askedBefore !== undefined, 25_000);
  expect(askedBefore).toBe(32);
});

test("a provider without handles costs no extra write", async () => {
  begin();
  expect(app.providers.get("test")?.poll).toBeUndefined();
  const job = await begun();
  work();
  await waitFor("the call", () => read(job).then(({ state }) => state === "running"));
  expect((await read(job)).call).toBeUndefined();
});
