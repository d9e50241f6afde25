// Which providers a job may go to, in which order, and what the outcome of a call means for its provider. This file is pure.
import type { ProviderError, ProviderFailure } from "../../adapters/providers/provider.ts";
import type { Fallback } from "../../kernel/definitions.ts";
import type { JobDoc } from "../jobs/store.ts";
import type { CallEnd } from "../limits/circuit-breakers.ts";

/** A provider, its own name for the model, and its options besides prompt and params. */
export type Route = Fallback;

type Routed = Pick<JobDoc, "provider" | "provider_model" | "provider_options" | "fallbacks">;

/** The model's own provider first, then its fallbacks as they were when the job was accepted. */
export function routesOf({
  provider,
  provider_model,
  provider_options,
  fallbacks,
}: Routed): readonly [Route, ...Route[]] {
  return [{ provider, provider_model, provider_options }, ...(fallbacks ?? [])];
}

/** The position of the route that the job's call went to; the first if none was recorded. */
export function placeOfCall(job: Routed & Pick<JobDoc, "call">): number {
  const { call } = job;
  if (!call) return 0;
  const place = routesOf(job).findIndex(
    ({ provider, provider_model }) => provider === call.provider && provider_model === call.provider_model,
  );
  return Math.max(0, place);
}

/** The route that the job's call went to. */
export function routeOfCall(job: Routed & Pick<JobDoc, "call">): Route {
  const routes = routesOf(job);
  return routes[placeOfCall(job)] ?? routes[0];
}

/** Each provider is called under its own key, and under two keys if it is called for two models. */
export function idempotencyKeyAt(jobId: string, place: number): string {
  return place === 0 ? jobId : `${jobId}.${place}`;
}

const ENDS: Record<ProviderFailure, CallEnd> = {
  provider_unavailable: "failed",
  provider_bad_answer: "failed",
  // The provider works, and refuses this content.
  provider_refused: "made",
  // This is mostly about the operator's account: a customer must not be able to block a provider for all others.
  provider_failed: "neutral",
};

export function endOf({ failure }: Pick<ProviderError, "failure">): CallEnd {
  return ENDS[failure];
}

/**
 * Whether another provider may succeed. Content that one provider refuses is not taken to the next, and a call that may have been accepted
 * is not made again elsewhere.
 */
export function mayGoOn({
  failure,
  outcomeUnknown,
}: Pick<ProviderError, "failure" | "outcomeUnknown">): boolean {
  return failure !== "provider_refused" && !outcomeUnknown;
}
