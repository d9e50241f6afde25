// Takes a job to its provider, through the limiter before it, and to the fallbacks if the provider fails or may not be called.
import { setTimeout as sleep } from "node:timers/promises";
import type { RetryReason } from "../../../proto/resources/job.ts";
import { type Provider, type ProviderCall, ProviderError } from "../../adapters/providers/provider.ts";
import { untilBack } from "../../base/mongo/until-back.ts";
import type { Target } from "../limits/circuit-breakers.ts";
import type { NoPermit, Permission } from "../limits/limiters.ts";
import type { Attempt, Calling, FetchResult } from "./attempt.ts";
import { runDeadline } from "./call-rules.ts";
import type { Wait } from "./calls.ts";
import { providerGone, RunDeadline } from "./failures.ts";
import { endOf, idempotencyKeyAt, mayGoOn, type Route, routesOf } from "./route-rules.ts";
import { webhookAddress } from "./webhook-address.ts";

/** It is unknown when a permit becomes free. */
const NO_PLACE_MS = 1_000;

/** The provider may not be called now. This is neither a failure of its call nor an attempt. */
class RouteClosed extends ProviderError {
  readonly why: NoPermit;
  readonly untilMs: number | undefined;

  constructor(why: NoPermit, untilMs: number | undefined) {
    super("provider_unavailable", "The provider is unavailable at the moment.");
    this.why = why;
    this.untilMs = untilMs;
  }
}

type Ask = (calling: Calling) => Promise<FetchResult>;

/**
 * Tries the job's providers in order, starting at position `from`; `failure` is the error of the one before it. If none may be called now,
 * the job waits. Throws the error of the last provider that was called.
 */
export async function askRoutes(
  attempt: Attempt,
  ask: Ask,
  { from = 0, failure }: { from?: number; failure?: ProviderError } = {},
): Promise<FetchResult> {
  const { app, claim, limiters, cancellation } = attempt;
  const closed: { route: Route; error: RouteClosed }[] = [];
  let failed = failure;
  for (const [place, route] of routesOf(claim.job).entries()) {
    const provider = app.providers.get(route.provider);
    if (place < from || !provider) continue;
    // A cancelled job goes to no further provider.
    if (place > from && cancellation.signal.aborted) cancellation.cancelCall();
    attempt.call.signal.throwIfAborted();
    const onEntered = place === 0 ? undefined : tellOf(attempt, route, failed);
    try {
      const call = callAt(attempt, provider, place);
      return await ask({ ...attempt, provider, route, place, call, ...(onEntered && { onEntered }) });
    } catch (error) {
      if (attempt.call.signal.aborted || !(error instanceof ProviderError) || !mayGoOn(error)) throw error;
      if (!(error instanceof RouteClosed)) failed = error;
      else if (closed.push({ route, error }) && error.why === "room") break;
      if (!(error instanceof RouteClosed)) await limiters.leave(route.provider, claim.job._id);
    }
  }
  const next = soonest(closed);
  if (next && (!failed || next.error.why === "room")) return waitFor(attempt, next.route, next.error);
  if (failed) throw failed;
  return { error: providerGone(claim.job) };
}

function callAt({ app, claim, call }: Attempt, provider: Provider, place: number): ProviderCall {
  const { _id: jobId, account_id: accountId } = claim.job;
  const webhookUrl = provider.webhook && webhookAddress(app, { provider: provider.name, accountId, jobId });
  return {
    ...call,
    idempotencyKey: idempotencyKeyAt(jobId, place),
    ...(webhookUrl !== undefined && { webhookUrl }),
  };
}

/** What the owner is told if the job goes to a provider other than its model's own. */
function tellOf(
  { app, progress }: Attempt,
  { provider }: Route,
  failed: ProviderError | undefined,
): () => void {
  const message = failed?.message ?? "The provider is unavailable at the moment.";
  const fallbacks = app.metrics.counter(
    "provider_fallbacks_total",
    "Calls that went to this provider because another one had failed or could not be called.",
    ["provider"],
  );
  return () => {
    fallbacks.inc({ provider });
    progress.add("retrying", { reason: "fallback" satisfies RetryReason, message, provider });
  };
}

function soonest<T extends { error: RouteClosed }>(closed: readonly T[]): T | undefined {
  const rank = ({ error: { why, untilMs } }: T) =>
    why === "room" ? 0 : (untilMs ?? Number.POSITIVE_INFINITY);
  return closed.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** The job gives its lease up until it is admitted. Its time runs only while it waits for a provider that fails. */
async function waitFor(
  { app, claim, progress, limiters }: Attempt,
  route: Route,
  { why, untilMs, message }: RouteClosed,
): Promise<FetchResult> {
  const { job } = claim;
  await limiters.leave(route.provider, job._id);
  const newest = job.events.at(-1);
  const isTold = newest?.type === "retrying" && newest.detail?.["reason"] === "provider_unavailable";
  if (why === "failing" && !isTold) {
    const waitMs = Math.max(0, (untilMs ?? 0) - app.clock.now().getTime());
    progress.add("retrying", {
      reason: "provider_unavailable" satisfies RetryReason,
      message,
      wait_seconds: Math.round(waitMs / 1000),
    });
  }
  const wait: Wait = {
    provider: route.provider,
    model: route.provider_model,
    why,
    ...(why === "failing" && untilMs !== undefined && { until: new Date(untilMs) }),
  };
  const deadline = runDeadline({ ...job, started_at: claim.startedAt });
  const mayExpire = why !== "failing" || job.expires_in !== undefined;
  return { pollAt: (mayExpire ? job.queue_deadline : null) ?? deadline, wait };
}

/** Throws RouteClosed if the provider may not be called now. */
export async function enterLimiter(calling: Calling): Promise<void> {
  const passage = await enter(calling);
  if (!passage.may) throw new RouteClosed(passage.why, passage.untilMs);
  calling.onEntered?.();
}

/** For another attempt: the job already has its permit, and waits here until the limit per minute lets it call. */
export async function enterAgain(calling: Calling): Promise<void> {
  const { app, call } = calling;
  for (;;) {
    const passage = await enter(calling);
    if (passage.may) return;
    const { why, untilMs } = passage;
    if (why !== "room") throw new RouteClosed(why, untilMs);
    const waitMs = untilMs === undefined ? NO_PLACE_MS : untilMs - app.clock.now().getTime();
    await sleep(Math.max(0, waitMs), undefined, { signal: call.signal });
  }
}

function enter({ limiters, route, claim, call }: Calling): Promise<Permission> {
  return untilBack(() => limiters.enter(targetOf(route), claim.job._id), call.signal);
}

/** Counts the outcome of a failed call. */
export async function counted<T>(
  { limiters, route, claim, call }: Calling,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { signal } = call;
    // A call that its job's deadline ended was too slow. Other aborts are not the provider's fault.
    const isSlow = signal.aborted && signal.reason instanceof RunDeadline;
    const end = !signal.aborted && error instanceof ProviderError ? endOf(error) : "neutral";
    await limiters.ended(targetOf(route), claim.job._id, isSlow ? "failed" : end);
    throw error;
  }
}

function targetOf({ provider, provider_model: model }: Route): Target {
  return { provider, model };
}
