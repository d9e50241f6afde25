// One poll of one suspended job: asks its provider for the state of the call, and acts on the response.
import { tracedUnder } from "../../../runtime/log/tracing.ts";
import {
  type Polled,
  type Provider,
  ProviderError,
  type ProviderUsage,
} from "../../adapters/providers/provider.ts";
import { later } from "../../identity/credits/rules.ts";
import type { App } from "../../kernel/app.ts";
import { noteAskedToStop, postponeSuspended } from "../jobs/store-calls.ts";
import type { CallDoc, EventDoc, JobDoc, JobErrorDoc, SuspendedDoc } from "../jobs/store.ts";
import { callSpan } from "../jobs/trace.ts";
import type { CallEnd } from "../limits/circuit-breakers.ts";
import type { Limiters } from "../limits/limiters.ts";
import { lateError, nextLook, runDeadline } from "./call-rules.ts";
import { resumeJob } from "./calls.ts";
import { OUTCOME_UNKNOWN, providerGone, timeoutOf, toJobError } from "./failures.ts";
import { untilAborted } from "./fetch-result.ts";
import { isNearerBy, isWorthTelling, progressDetail } from "./progress.ts";
import { toProviderRequest } from "./provider-request.ts";
import { endOf, mayGoOn } from "./route-rules.ts";
import type { Runs, RunTask } from "./runs.ts";
import { appendEvent } from "./store-leases.ts";

/** The time limit for one poll. A slower provider is polled again later. */
export const ASK_TIMEOUT_MS = 10_000;
/** A job for which the worker has no slot is polled again after this time. */
const NO_PLACE_MS = 1_000;

export type PollInput = {
  readonly app: App;
  readonly row: SuspendedDoc;
  readonly job: JobDoc;
  readonly worker: string;
  readonly leaseMs: number;
  readonly runs: Pick<Runs, "start">;
  readonly limiters: Pick<Limiters, "ended">;
  /** Whether the worker has a slot for a job that is to be started. */
  readonly hasPlace: () => boolean;
  /** Aborted when the worker takes no more jobs. */
  readonly stopping: AbortSignal;
};

/** The job's files are being fetched. Resolves once they are stored, or the fetching has ended otherwise. */
export type Collecting = { readonly done: Promise<void> };

export async function pollCall(look: PollInput): Promise<Collecting | undefined> {
  const { app, job } = look;
  const { call } = job;
  if (!call) {
    if (job.cancel_requested_at) return cancel(look);
    const late = lateError(job, look.row, app.clock.now());
    return late ? fail(look, late) : start(look);
  }
  const isLate = app.clock.now() >= runDeadline(job);
  if (call.handle === undefined)
    return isLate ? fail(look, OUTCOME_UNKNOWN) : postpone(look, { hintMs: job.run_timeout_ms });
  const provider = app.providers.get(call.provider);
  // Another worker may have it.
  if (!provider?.poll) return isLate ? fail(look, providerGone(job)) : postpone(look);
  const isAsked =
    job.cancel_requested_at && !look.row.asked_to_stop_at && (await stop(look, provider, call.handle));
  const answer = await ask(look, provider, call.handle);
  count(app, provider, answer.state);
  switch (answer.state) {
    case "made":
      void noteEnd(look, call, "made");
      return resume(look, { kind: "collect", collect: answer.collect });
    case "failed":
      await noteEnd(look, call, endOf(answer.error));
      return isLate || job.cancel_requested_at || !mayGoOn(answer.error)
        ? fail(look, toJobError(answer.error), answer.usage)
        : resume(look, { kind: "failed", failure: answer.error, usage: answer.usage });
    case "cancelled":
      if (job.cancel_requested_at) return cancel(look);
      return fail(look, { code: "provider_failed", message: "The provider called the work off." });
    case "unanswered":
    case "running":
      // While this worker stops, the provider may not have been asked: the next one looks again.
      if (isLate && !look.stopping.aborted) {
        await cancelCall(look, provider, call.handle);
        await noteEnd(look, call, "failed");
        return fail(look, timeoutOf(job));
      }
      if (answer.state === "running") await tellProgress(look, answer);
      // From then on it is polled as often as at first.
      if (isAsked) return postpone({ ...look, row: { ...look.row, wait_ms: 0 } });
      return postpone(look, { hintMs: answer.pollAfterMs });
  }
}

function noteEnd(
  { limiters, job }: PollInput,
  { provider, provider_model: model }: CallDoc,
  end: CallEnd,
): Promise<void> {
  return limiters.ended({ provider, model }, job._id, end);
}

/** The provider could not be polled. */
type Unanswered = { readonly state: "unanswered"; readonly pollAfterMs?: number | undefined };

async function ask(
  { app, job, stopping }: PollInput,
  provider: Provider,
  handle: string,
): Promise<Polled | Unanswered> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ASK_TIMEOUT_MS)]);
  try {
    const request = toProviderRequest(job);
    return await tracedUnder(app.tracing, job.trace, callSpan("poll", provider, request), async (span) => {
      const polled = provider.poll?.(handle, { request, signal });
      const answer: Polled | Unanswered = polled
        ? await untilAborted(polled, signal)
        : { state: "unanswered" };
      span?.set({ "atelier.call.state": answer.state });
      return answer;
    });
  } catch (error) {
    // Another worker does it.
    if (stopping.aborted) return { state: "unanswered", pollAfterMs: 0 };
    if (error instanceof ProviderError) {
      if (!error.retryable) return { state: "failed", error };
      return { state: "unanswered", pollAfterMs: error.retryAfterMs };
    }
    // The work may be fine: a failed poll is not a result.
    if (!signal.aborted)
      app.log.warn({ err: error, job: job._id, provider: provider.name }, "a provider could not be asked");
    return { state: "unanswered" };
  }
}

/** Sends the cancellation to the provider. Only its response is awaited, and no job depends on it. Returns whether it accepted. */
async function cancelCall({ app, job }: PollInput, provider: Provider, handle: string): Promise<boolean> {
  const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
  try {
    const asked = provider.cancel?.(handle, { request: toProviderRequest(job), signal });
    if (asked) await untilAborted(asked, signal);
    return true;
  } catch (error) {
    app.log.warn({ err: error, job: job._id, provider: provider.name }, "a call could not be cancelled");
    return error instanceof ProviderError && !error.retryable;
  }
}

/** At the request of the job's owner, until the provider has accepted it. */
async function stop(look: PollInput, provider: Provider, handle: string): Promise<boolean> {
  const isHeard = await cancelCall(look, provider, handle);
  if (isHeard) await noteAskedToStop(look.app.mongo.db, look.job._id, look.app.clock.now());
  return isHeard;
}

async function resume(
  { app, job, worker, leaseMs, runs }: PollInput,
  task: RunTask,
): Promise<Collecting | undefined> {
  const claim = await resumeJob(app, job, { worker, leaseMs });
  return claim && { done: runs.start(claim, task) };
}

async function fail(look: PollInput, error: JobErrorDoc, usage?: ProviderUsage): Promise<undefined> {
  await resume(look, { kind: "fail", error, usage });
}

async function cancel(look: PollInput): Promise<undefined> {
  await resume(look, { kind: "cancel" });
}

async function start(look: PollInput): Promise<undefined> {
  if (look.hasPlace()) await resume(look, { kind: "start" });
  else await postpone(look, { hintMs: NO_PLACE_MS });
}

async function postpone(
  { app, row, job }: PollInput,
  { hintMs }: { hintMs?: number | undefined } = {},
): Promise<undefined> {
  const at = { now: app.clock.now(), deadline: runDeadline(job), random: Math.random() };
  await postponeSuspended(app.mongo.db, row, nextLook({ lastWaitMs: row.wait_ms, hintMs }, at));
}

/** Most reports are dropped, as in a run. */
async function tellProgress(
  { app, job }: PollInput,
  { progress, position }: Extract<Polled, { state: "running" }>,
): Promise<void> {
  const told = job.events.filter(({ type }) => type === "progress");
  const newest = told.at(-1);
  const last = {
    fraction: Number(newest?.detail?.["fraction"] ?? 0),
    atMs: (newest?.at ?? job.started_at ?? job.created_at).getTime(),
    count: told.length,
  };
  const now = app.clock.now();
  const fraction = progress ?? last.fraction;
  const isNearer = position !== undefined && isNearerBy(position, newest?.detail?.["position"]);
  if (!isNearer && !isWorthTelling(fraction, now.getTime(), last)) return;
  const at = later(now, job.events.at(-1)?.at);
  const detail = { ...progressDetail(fraction), ...(isNearer && { position }) };
  const event: EventDoc = { type: "progress", state: "running", at, detail };
  if (await appendEvent(app.mongo.db, job, job.version, event)) app.signals.emit("changed", [job._id]);
}

function count({ metrics }: App, { name }: Provider, answer: string): void {
  const asked = "Questions to providers about calls, by what they answered.";
  metrics.counter("provider_polls_total", asked, ["provider", "answer"]).inc({ provider: name, answer });
}
