// What jobs fail with, in words for their owners.
import type { ProviderError } from "../providers/provider.ts";
import type { JobDoc, JobErrorDoc } from "./store.ts";

export const OUTCOME_UNKNOWN: JobErrorDoc = {
  code: "outcome_unknown",
  message: "The provider's answer to the call was lost, and nobody can tell what became of it.",
};

/** Its deadline has passed. */
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
