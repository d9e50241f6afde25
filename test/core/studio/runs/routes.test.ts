// The route of a job: through the limiter of its provider, to its fallbacks, and back in line when none may be called.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Provider, ProviderError } from "../../../../core/adapters/providers/provider.ts";
import type { Fallback } from "../../../../core/kernel/definitions.ts";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import type { JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { QUEUE_DEADLINE_MS } from "../../../../core/studio/jobs/rules.ts";
import { type JobDoc, suspended } from "../../../../core/studio/jobs/store.ts";
import { FIRST_PAUSE_MS, MIN_FAILURES } from "../../../../core/studio/limits/circuit-breakers.ts";
import { setLimits, setPaused } from "../../../../core/studio/limits/settings.ts";
import { findProvider } from "../../../../core/studio/limits/store.ts";
import { admitWaiting, countWaiting, openLimiters } from "../../../../core/studio/runs/admit.ts";
import { noteCall } from "../../../../core/studio/runs/calls.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { startWorker, type Worker } from "../../../../core/studio/runs/worker.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { acceptMany, acceptOne, askFor } from "../../../support/accept.ts";
import { createCustomer, separateApp, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock, type FakeClock } from "../../../support/clock.ts";
import {
  createFailingProvider,
  createHandleProvider,
  createInstantProvider,
  createScriptedProvider,
  madeNow,
  type ScriptedProvider,
} from "../../../support/providers.ts";
import { waitFor } from "../../../support/wait-for.ts";

const LEASE_MS = 15_000;
const BACKUP: Fallback = { provider: "backup", provider_model: "flux", provider_options: { quality: "low" } };
const down = () => new ProviderError("provider_unavailable", "The provider is down.");

let app: JobsApp;
let clock: FakeClock;
const workers: Worker[] = [];

const shared = useTestApp();
beforeEach(() => {
  clock = createFakeClock();
  // The circuit breaker library reads the time itself.
  vi.spyOn(Date, "now").mockImplementation(() => clock.now().getTime());
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
  for (const name of ["accounts", "account_emails", "ledger", "jobs", "provider_calls", "providers"])
    await shared.app.mongo.db.collection(name).deleteMany({});
});

/** `test` is the models' own provider; the model `picture` has these fallbacks. */
async function begin(
  { test: own, backup }: { test: Provider; backup?: Provider },
  fallbacks: readonly Fallback[] = [],
): Promise<void> {
  const providers = new Map([["test", own]]);
  if (backup) providers.set("backup", { ...backup, name: "backup" });
  app = separateApp(shared.app, { providers, clock });
  await app.mongo.db
    .collection("models")
    .updateOne(
      { _id: "picture" as never },
      fallbacks.length > 0 ? { $set: { fallbacks } } : { $unset: { fallbacks: "" } },
    );
}

function work(): void {
  workers.push(startWorker(app, { concurrency: 8, leaseMs: LEASE_MS }));
}

const failing = () => createFailingProvider(down());
const read = (job: JobDoc) => findOwnJob(app, job.account_id, job._id);
const ended = (job: JobDoc, state: string) =>
  waitFor(`the job to be ${state}`, async () => {
    const now = await read(job);
    return now.state === state && now;
  });
const details = ({ events }: JobDoc) =>
  events.flatMap(({ type, detail }) => (type === "retrying" ? [detail ?? {}] : []));
const kindsOf = async ({ _id }: JobDoc) =>
  (await app.mongo.db.collection("ledger").find({ job_id: _id }).sort({ seq: 1 }).toArray()).map(
    ({ kind }) => kind as string,
  );
const waiting = () =>
  suspended(app.mongo.db)
    .find({ waits: { $exists: true } })
    .toArray();
/** Lets the provider fail this many times for this account's jobs, until the worker's circuit is open. */
async function openCircuit(caller: Caller, state: "failed" | "completed", openings = 1): Promise<void> {
  for (let n = 0; n < MIN_FAILURES; n++) await ended(await acceptOne(app, caller), state);
  for (let n = 0; n < openings - 1; n++) {
    clock.advance(FIRST_PAUSE_MS * 2 ** n);
    await ended(await acceptOne(app, caller), state);
  }
}
/** As the worker's metric shows it. */
async function breakerStates(): Promise<unknown[]> {
  const metric = await app.metrics.registry.getSingleMetric("atelier_provider_breakers")?.get();
  return (metric?.values ?? []).map(({ labels }) => labels["state"]);
}

describe("fallbacks", () => {
  test("[GATE-04] are called in order after a failure; the job is debited once, and its events name the providers", async () => {
    const [own, backup] = [failing(), createInstantProvider()];
    const nobody = { provider: "gone", provider_model: "x", provider_options: {} };
    await begin({ test: own, backup }, [nobody, BACKUP]);
    const job = await acceptOne(app, (await createCustomer(app)).caller);
    work();
    const done = await ended(job, "completed");
    expect([own.calls.length, backup.calls.length]).toEqual([1, 1]);
    expect(backup.calls[0]).toMatchObject({
      request: { model: "flux", options: { quality: "low" }, params: { count: 1 } },
      call: { idempotencyKey: `${job._id}.2` },
    });
    expect(details(done)).toEqual([
      { reason: "fallback", message: "The provider is down.", provider: "backup" },
    ]);
    expect(done.credits).toBe(job.credits);
    expect(await kindsOf(done)).toEqual(["reserve", "debit"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test.each([
    ["provider_refused", [1, 0]],
    ["provider_bad_answer", [1, 1]],
    ["provider_failed", [1, 1]],
  ] as const)("are called as the failure allows: %s leads to the calls %j", async (failure, calls) => {
    const own = createFailingProvider(new ProviderError(failure, "No."));
    const backup = createInstantProvider();
    await begin({ test: own, backup }, [BACKUP]);
    const job = await acceptOne(app, (await createCustomer(app)).caller);
    work();
    const done = await ended(job, failure === "provider_refused" ? "failed" : "completed");
    expect([own.calls.length, backup.calls.length]).toEqual(calls);
    if (done.error) expect(done.error.code).toBe("provider_refused");
  });

  test("fallbacks that all fail end the job with the last error, refunded in full", async () => {
    const nonsense = new ProviderError("provider_bad_answer", "The backup talks nonsense.");
    const backup = createFailingProvider(nonsense);
    await begin({ test: failing(), backup }, [BACKUP]);
    const job = await acceptOne(app, (await createCustomer(app)).caller);
    work();
    const done = await ended(job, "failed");
    expect(done.error).toEqual({ code: "provider_bad_answer", message: "The backup talks nonsense." });
    expect(await kindsOf(done)).toEqual(["reserve", "debit", "refund"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("are called once a provider reports failed work, and never before", async () => {
    const [own, backup] = [createHandleProvider(), createHandleProvider()];
    await begin({ test: own, backup }, [BACKUP]);
    const job = await acceptOne(app, (await createCustomer(app)).caller);
    work();
    const first = await waitFor("the call", () => own.works[0]);
    first.answer = down();
    // The provider cannot be polled, so the outcome of the call is unknown.
    const unreachable = new ProviderError("provider_unavailable", "No connection.", {
      retryable: true,
      retryAfterMs: 1,
    });
    first.answer = unreachable;
    const before = first.polls;
    await waitFor("more questions", () => {
      clock.advance(100);
      return first.polls > before + 2;
    });
    expect(backup.works).toEqual([]);
    first.answer = { state: "failed", error: down() };
    const second = await waitFor("the call of the fallback", () => {
      clock.advance(100);
      return backup.works[0];
    });
    expect((await read(job)).call?.provider).toBe("backup");
    second.answer = madeNow();
    await waitFor("the job to be completed", async () => {
      clock.advance(100);
      return (await read(job)).state === "completed";
    });
    expect([own.works.length, backup.works.length]).toEqual([1, 1]);
    expect(await kindsOf(job)).toEqual(["reserve", "debit"]);
  });

  test("keep the call of a lost worker: its provider is asked for the result, and no call is repeated", async () => {
    const own = failing();
    const asked: string[] = [];
    const backup = {
      ...createScriptedProvider({ safeToRepeat: false }),
      lookup: async (key: string) => {
        asked.push(key);
        return { state: "unknown" } as const;
      },
    };
    await begin({ test: own, backup }, [BACKUP]);
    const job = await acceptOne(app, (await createCustomer(app)).caller);
    const [claim] = await claimJobs(app, { worker: "lost", limit: 1, leaseMs: 1_000 });
    if (!claim) throw new Error("there is something to claim");
    const { provider, provider_model } = BACKUP;
    const never = new AbortController().signal;
    await noteCall(app, claim, { provider, provider_model, at: clock.now() }, never);
    clock.advance(2_000);
    work();
    expect((await ended(job, "failed")).error?.code).toBe("outcome_unknown");
    expect(asked).toEqual([`${job._id}.1`]);
    expect([own.calls.length, backup.calls.length]).toEqual([0, 0]);
  });
});

describe("a provider that fails", () => {
  test("[GATE-05] is not called any more: jobs wait without a lease, the first probe it, and the others follow", async () => {
    let isDown = true;
    const own = createScriptedProvider({
      answer: () => {
        if (isDown)
          throw new ProviderError("provider_unavailable", "Down.", { retryable: true, retryAfterMs: 1 });
        return [{ bytes: new Uint8Array(8), mimeType: "image/png" }];
      },
    });
    await begin({ test: own });
    const { caller } = await createCustomer(app, { plan: "studio" });
    const jobs = await acceptMany(app, 8, askFor(caller));
    work();
    await waitFor("the circuit to open", async () => (await breakerStates())[0] === "open");
    await waitFor("all to wait or to have failed", async () => {
      const states = await Promise.all(jobs.map(read));
      return states.every(({ state, lease }) => state === "failed" || lease === null);
    });
    const left = (await Promise.all(jobs.map(read))).filter(({ state }) => state === "running");
    // Enough to close it again.
    expect(left.length).toBeGreaterThan(1);
    expect((await countWaiting(app)).get("test")).toBe(left.length);
    expect(details(left[0] as JobDoc).at(-1)).toMatchObject({
      reason: "provider_unavailable",
      wait_seconds: expect.any(Number),
    });
    const calls = own.calls.length;
    expect(calls).toBeGreaterThanOrEqual(MIN_FAILURES);
    isDown = false;
    clock.advance(5_000);
    for (const job of left) await ended(job, "completed");
    await waitFor("it to be closed", async () => (await breakerStates()).length === 0);
    expect(own.calls.length).toBe(calls + left.length);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is skipped by jobs with a fallback, which do not wait for it", async () => {
    const [own, backup] = [failing(), createInstantProvider()];
    await begin({ test: own, backup }, [BACKUP]);
    const { caller } = await createCustomer(app);
    work();
    await openCircuit(caller, "completed");
    const done = await ended(await acceptOne(app, caller), "completed");
    expect([own.calls.length, backup.calls.length]).toEqual([MIN_FAILURES, MIN_FAILURES + 1]);
    expect(details(done)).toEqual([
      { reason: "fallback", message: "The provider is unavailable at the moment.", provider: "backup" },
    ]);
  });

  test("fails jobs past their deadline as provider_unavailable, refunded", async () => {
    const own = failing();
    await begin({ test: own });
    const { caller } = await createCustomer(app);
    work();
    // For 40 seconds; the model's jobs may run for 30.
    await openCircuit(caller, "failed", 4);
    const calls = own.calls.length;
    const job = await acceptOne(app, caller);
    await waitFor("it to wait", async () => (await waiting()).length === 1);
    clock.advance(30_001);
    const done = await ended(job, "failed");
    expect(done.error?.code).toBe("provider_unavailable");
    expect(await kindsOf(done)).toEqual(["reserve", "debit", "refund"]);
    expect(own.calls.length).toBe(calls);
  });

  test("keeps a job that one worker suspended from another until that worker's pause is over", async () => {
    const own = failing();
    await begin({ test: own });
    const { caller } = await createCustomer(app);
    work();
    await openCircuit(caller, "failed");
    const job = await acceptOne(app, caller);
    await waitFor("it to wait", async () => (await waiting()).length === 1);
    await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
    const calls = own.calls.length;
    const gates = openLimiters(app);
    await admitWaiting(app, gates);
    expect(await waiting()).toMatchObject([{ _id: job._id, waits: { why: "failing" } }]);
    clock.advance(FIRST_PAUSE_MS);
    await admitWaiting(app, gates);
    expect(await waiting()).toEqual([]);
    expect(own.calls.length).toBe(calls);
  });
});

describe("a provider with a limit", () => {
  const nth = (own: ScriptedProvider, n: number) => waitFor(`call ${n}`, () => own.calls[n - 1]);

  test("[GATE-06] is called up to its limit, the longest waiting first over all workers, and waiting takes none of a job's time", async () => {
    const own = createScriptedProvider();
    await begin({ test: own });
    await setLimits(app, "test", { max_calls: 1 });
    const { caller } = await createCustomer(app);
    const jobs: JobDoc[] = [];
    work();
    work();
    for (let n = 1; n <= 4; n++) {
      jobs.push(await acceptOne(app, caller));
      await waitFor("the others to wait", async () => (await waiting()).length === n - 1);
      await nth(own, 1);
      clock.advance(1);
    }
    const [row] = await waiting();
    expect(row).toMatchObject({ provider: "test", waits: { why: "room", model: "test" } });
    // Longer than any of them may run.
    clock.advance(40_000);
    for (let n = 1; n <= 4; n++) {
      (await nth(own, n)).finish();
      await ended(jobs[n - 1] as JobDoc, "completed");
      expect(own.calls.length).toBeLessThanOrEqual(n + 1);
    }
    expect(own.calls.map(({ call }) => call.idempotencyKey)).toEqual(jobs.map(({ _id }) => _id));
    await waitFor(
      "all places to be free",
      async () => (await findProvider(app.mongo.db, "test"))?.places.length === 0,
    );
    expect(await auditFindings(app)).toEqual([]);
  });

  test("keeps a job's permit while the call is suspended, and frees it at the result", async () => {
    const own = createHandleProvider();
    await begin({ test: own });
    await setLimits(app, "test", { max_calls: 1 });
    const { caller } = await createCustomer(app);
    await acceptMany(app, 2, askFor(caller));
    work();
    await waitFor(
      "one call, and one that waits",
      async () => own.works.length === 1 && (await waiting()).length === 1,
    );
    own.work("work-1").answer = madeNow();
    await waitFor("the second call", () => {
      clock.advance(10);
      return own.works.length === 2;
    });
    expect(own.work("work-1").polls).toBeGreaterThan(0);
    own.work("work-2").answer = madeNow();
  });

  test.each([
    ["a day", "queue_timeout", {}, QUEUE_DEADLINE_MS],
    ["its own expires_in", "expired", { expires_in: 60 }, 60_000],
  ])(
    "[JOB-14] fails a job without a permit for %s with %s, refunded",
    async (_time, code, change, waitMs) => {
      const own = createScriptedProvider();
      await begin({ test: own });
      await setLimits(app, "test", { max_calls: 1 });
      await app.mongo.db
        .collection("providers")
        .updateOne({}, { $set: { places: [{ job: "somebody else's", begun: true }] } });
      const { caller } = await createCustomer(app);
      const [first] = await acceptMany(app, 1, askFor(caller, change));
      // Permits of ended jobs would be free.
      await app.mongo.db.collection("jobs").insertOne({ _id: "somebody else's" as never, state: "running" });
      work();
      await waitFor("it to wait", async () => (await waiting()).length === 1);
      clock.advance(waitMs + 1);
      const done = await ended(first as JobDoc, "failed");
      expect(done.error?.code).toBe(code);
      expect(await kindsOf(done)).toEqual(["reserve", "debit", "refund"]);
    },
  );
});

test("[GATE-07] that is paused pauses its models, except those with another provider", async () => {
  const [own, backup] = [createInstantProvider(), createInstantProvider()];
  await begin({ test: own, backup }, [BACKUP]);
  await setPaused(app, "test", true);
  const { caller } = await createCustomer(app);
  await expect(acceptOne(app, caller, { modality: "audio", model_slug: "tune" })).rejects.toMatchObject({
    code: "model_not_available",
    message: 'The model "tune" is paused.',
  });
  const job = await acceptOne(app, caller);
  work();
  await ended(job, "completed");
  expect([own.calls.length, backup.calls.length]).toEqual([0, 1]);
  await setPaused(app, "test", false);
  await acceptOne(app, caller, { modality: "audio", model_slug: "tune" });
  await waitFor("the call", () => own.calls.length === 1);
});
