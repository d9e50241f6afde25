// What becomes of a wish to cancel a job. Pure.
import { AppError } from "../../proto/codes.ts";
import { later } from "../credits/rules.ts";
import type { Provider } from "../providers/provider.ts";
import { asRead, assertIs } from "./rules.ts";
import type { JobChange } from "./store-changes.ts";
import type { JobDoc } from "./store.ts";

/** release: it waits, and ends at once. wish: it runs, and ends once its provider has stopped. none: all is done that can be. */
export type Cancelling = "release" | "wish" | "none";

/** What a provider says of itself that matters here; undefined where it is not set up any more. */
export type Stopping = Pick<Provider, "stopsWhenAborted" | "cancel"> | undefined;

/** Throws job_not_cancellable. */
export function decideCancelling(
  { state, lease, call, cancel_requested_at: wishedAt }: JobDoc,
  provider: Stopping,
): Cancelling {
  switch (state) {
    case "reserved":
      return "release";
    // Asked again: the answer to the first time may have been lost.
    case "cancelled":
      return "none";
    case "running":
      if (wishedAt) return "none";
      if (provider?.stopsWhenAborted || provider?.cancel) return "wish";
      // It is parked before its provider was called.
      if (lease === null && !call) return "wish";
      throw new AppError("job_not_cancellable", {
        message: "The job runs at a provider that cannot stop what it has begun.",
        hint: "Let it end: its credits come back in full if it fails. A job that still waits can be cancelled, whatever its model.",
      });
    case "completed":
    case "failed":
      throw new AppError("job_not_cancellable", { message: `The job has ended: it is ${state}.` });
  }
}

/** Notes the wish of a running job's owner, for whoever runs it. No credits move. */
export function noteWish(job: JobDoc, at: Date): JobChange {
  assertIs("running", job);
  const wishedAt = later(at, job.events.at(-1)?.at);
  return {
    job,
    guard: asRead(job),
    set: { cancel_requested_at: wishedAt },
    events: [{ type: "cancelling", state: "running", at: wishedAt }],
  };
}
