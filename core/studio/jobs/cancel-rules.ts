// The effect of a request to cancel a job. This file is pure.
import { AppError } from "../../../proto/codes.ts";
import type { Provider } from "../../adapters/providers/provider.ts";
import { later } from "../../identity/credits/rules.ts";
import { asRead, assertIs } from "./rules.ts";
import type { JobChange } from "./store-changes.ts";
import type { JobDoc } from "./store.ts";

/**
 * release: the job waits, and ends immediately. request: it runs, and ends once its provider has stopped. none: a repeat without further
 * effect.
 */
export type Cancelling = "release" | "request" | "none";

/** What matters here about a provider; undefined if it is no longer configured. */
export type Stopping = Pick<Provider, "stopsWhenAborted" | "cancel"> | undefined;

/** Whether a request to cancel the job would change anything. */
export function isCancellable(
  job: Pick<JobDoc, "state" | "cancel_requested_at" | "lease" | "call">,
  provider: Stopping,
): boolean {
  if (job.state === "reserved") return true;
  return job.state === "running" && !job.cancel_requested_at && canStop(job, provider);
}

function canStop({ lease, call }: Pick<JobDoc, "lease" | "call">, provider: Stopping): boolean {
  // A job that is suspended without a call has not been to its provider.
  return Boolean(provider?.stopsWhenAborted || provider?.cancel || (lease === null && !call));
}

/** Throws job_not_cancellable. */
export function decideCancelling(job: JobDoc, provider: Stopping): Cancelling {
  const { state, cancel_requested_at: cancelRequestedAt } = job;
  switch (state) {
    case "reserved":
      return "release";
    // A repeat: the first response may have been lost.
    case "cancelled":
      return "none";
    case "running":
      if (cancelRequestedAt) return "none";
      if (canStop(job, provider)) return "request";
      throw new AppError("job_not_cancellable", {
        message: "The job runs at a provider that cannot stop what it has begun.",
        hint: "Let it end: its credits come back in full if it fails. A waiting job can always be cancelled.",
      });
    case "completed":
    case "failed":
      throw new AppError("job_not_cancellable", { message: `The job has ended: it is ${state}.` });
  }
}

/** Records the cancellation request for a running job's worker. No credits move. */
export function requestCancel(job: JobDoc, at: Date): JobChange {
  assertIs("running", job);
  const cancelRequestedAt = later(at, job.events.at(-1)?.at);
  return {
    job,
    guard: asRead(job),
    set: { cancel_requested_at: cancelRequestedAt },
    events: [{ type: "cancelling", state: "running", at: cancelRequestedAt }],
  };
}
