// Gets a job's outputs from a provider: calls it, fetches the result, or finds out how a call ended after its worker was lost.
import { setTimeout as sleep } from "node:timers/promises";
import { tracedStep } from "../../../runtime/log/tracing.ts";
import {
  type AcceptedCall,
  type Polled,
  ProviderError,
  type ProviderOutput,
  type ProviderUsage,
} from "../../adapters/providers/provider.ts";
import { deliveredOf } from "../jobs/delivery-rules.ts";
import type { Claim } from "../jobs/local-dispatch.ts";
import { waitAfterRescueMs } from "../jobs/rules.ts";
import type { CallDoc, JobDoc } from "../jobs/store.ts";
import { callSpan } from "../jobs/trace.ts";
import type { Attempt, Calling, FetchResult, Cancellation } from "./attempt.ts";
import { nextLook, runDeadline } from "./call-rules.ts";
import { noteCall, type Suspension } from "./calls.ts";
import { OUTCOME_UNKNOWN, providerGone } from "./failures.ts";
import { toProviderRequest } from "./provider-request.ts";
import { idempotencyKeyAt, placeOfCall, routeOfCall, routesOf } from "./route-rules.ts";
import { askRoutes, counted, enterAgain, enterLimiter } from "./routes.ts";

const MAX_TRIES = 4;
const RETRY_BASE_MS = 500;
/** The same as in the interface of providers. */
const MAX_HANDLE_LENGTH = 4_096;
const COLLECT_AGAIN_MS = 5_000;

export type Collect = Extract<Polled, { state: "made" }>["collect"];

/** What remains to be done at a provider. */
export type Task =
  /** No one has called the provider. */
  | { readonly kind: "start" }
  /** An earlier worker may have called it: poll that call first. */
  | { readonly kind: "recover" }
  /** It has made the outputs. */
  | { readonly kind: "collect"; readonly collect: Collect }
  /** It has tried and failed: the next provider may succeed. */
  | {
      readonly kind: "failed";
      readonly failure: ProviderError;
      readonly usage?: ProviderUsage | undefined;
    };

/** Throws a ProviderError, the abort reason of a lost lease or a shutdown, or the error of an unavailable database. */
export async function fetchResult(attempt: Attempt, task: Task): Promise<FetchResult> {
  switch (task.kind) {
    case "start":
      return askRoutes(attempt, callProvider);
    case "recover":
      return recoverCall(attempt);
    case "collect":
      return collectFiles(attempt, task.collect);
    case "failed":
      attempt.calls.ended(attempt.claim.job, "failed", task.usage);
      return askRoutes(attempt, callProvider, {
        from: placeOfCall(attempt.claim.job) + 1,
        failure: task.failure,
      });
  }
}

/** First records which provider it calls, if that one may return a handle, or is a fallback. */
async function callProvider(calling: Calling): Promise<FetchResult> {
  const { app, provider, claim, call, cancellation, route, place, limiters } = calling;
  const request = toProviderRequest(claim.job, route);
  const note = provider.poll || place > 0 ? noteOf(calling, request.model) : undefined;
  await enterLimiter(calling);
  if (note) await noteCall(app, claim, note, call.signal);
  let isRetry = false;
  const took = app.metrics.duration("provider_call", "Calls of providers, until they answered or failed.", [
    "provider",
  ]);
  const start = async () => {
    if (isRetry) await enterAgain(calling);
    isRetry = true;
    return counted(calling, async () => {
      const end = took.startTimer({ provider: provider.name });
      const one = calling.calls.begin(route);
      const started = await tracedStep(app.tracing, ...callSpan("generate_content", provider, request), () =>
        untilAborted(provider.start(request, { ...call, onUsage: one.report }), call.signal).finally(end),
      ).catch((error: unknown) => {
        one.threw(error);
        throw error;
      });
      if ("handle" in started) return started;
      return checkOutputs(claim.job, started, one.made(started.length));
    });
  };
  const stoppable = () => unlessCancelRequested(cancellation, start);
  let answer: Awaited<ReturnType<typeof start>>;
  try {
    answer = await withTries(calling, provider.stopsWhenAborted ? stoppable : start, cancellation);
  } catch (error) {
    // The provider may be working on it, and knows where to report that.
    if (error instanceof ProviderError && error.outcomeUnknown && note?.webhook)
      return { pollAt: deadlineOf(claim) };
    throw error;
  }
  if ("handle" in answer) return suspensionOf(calling, note, answer);
  void limiters.ended({ provider: provider.name, model: request.model }, claim.job._id, "made");
  return answer;
}

function noteOf({ app, provider, call }: Calling, model: string): CallDoc {
  return {
    provider: provider.name,
    provider_model: model,
    at: app.clock.now(),
    ...(call.webhookUrl !== undefined && { webhook: true as const }),
  };
}

function suspensionOf(
  { app, claim }: Attempt,
  note: CallDoc | undefined,
  { handle, reference, pollAfterMs }: AcceptedCall,
): Suspension {
  // A handle that cannot be polled is unusable, and one of that size is not a handle.
  if (!note || handle.length === 0 || handle.length > MAX_HANDLE_LENGTH) throw noOutput();
  const look = { now: app.clock.now(), deadline: deadlineOf(claim), random: Math.random() };
  const { pollAt } = nextLook({ lastWaitMs: 0, hintMs: pollAfterMs }, look);
  return { pollAt, call: { ...note, handle, ...(reference !== undefined && { reference }) } };
}

/** Too few or too short outputs are a failure if the request asks for all or nothing. */
function checkOutputs(job: JobDoc, outputs: readonly ProviderOutput[], usage: ProviderUsage) {
  if (outputs.length === 0) throw noOutput();
  const { unit, asked, got } = deliveredOf(job, outputs.length, usage);
  if (job.allow_partial === false && got < asked)
    throw new ProviderError(
      "provider_bad_answer",
      `The provider delivered ${got} of ${asked} ${unit === "second" ? "seconds" : "files"}, and the request asked for all or nothing.`,
    );
  return { outputs, usage };
}

function noOutput(): ProviderError {
  return new ProviderError("provider_bad_answer", "The provider answered with no output.");
}

/**
 * Fetches the result. If that fails temporarily, the result still counts as made: the job is suspended again, or, if its time is over, gets
 * the files that can be fetched.
 */
async function collectFiles(attempt: Attempt, collect: Collect): Promise<FetchResult> {
  const { app, claim, call } = attempt;
  const one = attempt.calls.begin(routeOfCall(claim.job), claim.job.call?.reference);
  const fetchAll = (isLast: boolean) =>
    tracedStep(app.tracing, "collect outputs", { kind: "client" }, () =>
      collect({ ...call, onUsage: one.report, isLast }),
    );
  const orLater = async (error: unknown) => {
    if (call.signal.aborted || !(error instanceof ProviderError) || !error.retryable) throw error;
    const pollAt = new Date(app.clock.now().getTime() + (error.retryAfterMs ?? COLLECT_AGAIN_MS));
    return pollAt < deadlineOf(claim) ? { pollAt } : withTries(attempt, () => fetchAll(true));
  };
  const got = await withTries(attempt, () => fetchAll(false))
    .catch(orLater)
    .catch((error: unknown) => {
      one.threw(error);
      throw error;
    });
  return "pollAt" in got ? got : checkOutputs(claim.job, got, one.made(got.length));
}

/** Polls with the handle, or looks it up; calls again only if that is safe. */
async function recoverCall(attempt: Attempt): Promise<FetchResult> {
  const { app, call, claim } = attempt;
  const { job } = claim;
  if (job.call?.handle !== undefined)
    return { pollAt: new Date(app.clock.now().getTime() + waitAfterRescueMs(job)) };
  // Its worker would have recorded the call. A worker of a release without recorded calls may have had the job since, if another worker did
  // not.
  if (job.call === null && job.rescues <= 1) return askRoutes(attempt, callProvider);
  const from = placeOfCall(job);
  const provider = app.providers.get(routesOf(job)[from]?.provider ?? job.provider);
  if (!provider) return { error: providerGone(job) };
  const key = idempotencyKeyAt(job._id, from);
  const found = provider.lookup ? await provider.lookup(key, call.signal) : undefined;
  switch (found?.state) {
    case "done":
      attempt.calls.begin(routeOfCall(job)).made(found.outputs.length);
      return checkOutputs(job, found.outputs, {});
    case "failed":
      attempt.calls.ended(job, "failed");
      return askRoutes(attempt, callProvider, { from: from + 1, failure: found.error });
    case "never_started":
      return askRoutes(attempt, callProvider, { from });
    default:
      if (provider.safeToRepeat) return askRoutes(attempt, callProvider, { from });
      if (job.call?.webhook) return { pollAt: deadlineOf(claim) };
      attempt.calls.ended(job, "unknown");
      return { error: OUTCOME_UNKNOWN };
  }
}

/** The job before its claim does not have the time. */
function deadlineOf({ job, startedAt }: Claim): Date {
  return runDeadline({ ...job, started_at: startedAt });
}

/** Retries up to 3 times, if the provider's error allows it, and as long as no one wants to cancel. */
async function withTries<T>(
  { call, progress, endsAtMs }: Attempt,
  work: () => Promise<T>,
  cancellation?: Cancellation,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    if (cancellation?.signal.aborted) cancellation.cancelCall();
    call.signal.throwIfAborted();
    try {
      return await untilAborted(work(), call.signal);
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof ProviderError))
        throw new ProviderError("provider_failed", "The provider failed.", { cause: error });
      if (!error.retryable || tries >= MAX_TRIES) throw error;
      const waitMs = retryDelayMs(tries, error.retryAfterMs);
      // A call before that time would be refused again, and one after the deadline cannot be made, so no wait is needed.
      if (performance.now() + waitMs >= endsAtMs) throw error;
      progress.add("retrying", {
        reason: error.failure,
        message: error.message,
        try: tries + 1,
        wait_seconds: waitMs / 1000,
      });
      const pause = () => sleep(waitMs, undefined, { signal: call.signal });
      await (cancellation ? unlessCancelRequested(cancellation, pause) : pause());
    }
  }
}

/** Does the work, and cancels it as soon as the job's owner requests that. */
async function unlessCancelRequested<T>(
  { signal, cancelCall }: Cancellation,
  work: () => Promise<T>,
): Promise<T> {
  if (signal.aborted) cancelCall();
  signal.addEventListener("abort", cancelCall, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", cancelCall);
  }
}

/** Work that ignores its signal must not hold a job beyond its deadline, or a worker that stops. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // After an abort no one awaits it, and an unhandled rejection would end the process.
  work.catch(() => {});
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** The wait that the provider asked for, however long, or else 0.5 s, 1 s, 2 s, plus or minus a quarter. */
function retryDelayMs(tries: number, askedMs: number | undefined): number {
  return Math.round(askedMs ?? RETRY_BASE_MS * 2 ** (tries - 1) * (0.75 + Math.random() / 2));
}
