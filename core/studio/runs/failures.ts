// The errors with which jobs fail, in words for their owners.
import type { ProviderError } from "../../adapters/providers/provider.ts";
import type { JobDoc, JobErrorDoc } from "../jobs/store.ts";

/** The reason of an aborted call: its job's time is over. */
export class RunDeadline extends Error {
  override readonly name = "RunDeadline";
}

export const OUTCOME_UNKNOWN: JobErrorDoc = {
  code: "outcome_unknown",
  message: "The provider's response was lost, so the outcome of the call is unknown.",
};

/** The job's time was over before its provider worked again. */
export const PROVIDER_AWAY: JobErrorDoc = {
  code: "provider_unavailable",
  message: "The provider was unavailable for all of the time that the job may take.",
};

export const WAITED_TOO_LONG: JobErrorDoc = {
  code: "queue_timeout",
  message: "The provider had no room for the job within a day.",
};

/** The error of a job whose deadline has passed. */
export function timeoutOf({ run_timeout_ms: timeoutMs }: Pick<JobDoc, "run_timeout_ms">): JobErrorDoc {
  const message = `The provider did not finish within ${Math.round(timeoutMs / 1000)} seconds.`;
  return { code: "provider_timeout", message };
}

export function providerGone({ model_slug: model }: Pick<JobDoc, "model_slug">): JobErrorDoc {
  return {
    code: "provider_unavailable",
    message: `The provider of ${model} is not set up here any more.`,
  };
}

export function toJobError({ failure, message }: ProviderError): JobErrorDoc {
  return { code: failure, message };
}
