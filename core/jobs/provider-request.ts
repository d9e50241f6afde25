// What a provider gets of a job.
import type { ProviderRequest } from "../providers/provider.ts";
import type { JobDoc } from "./store.ts";

export function toProviderRequest(job: JobDoc): ProviderRequest {
  // All of it: a field of requests that is not handed on here does not compile.
  const request: Required<ProviderRequest> = {
    modality: job.modality,
    model: job.call?.provider_model ?? job.provider_model,
    prompt: job.prompt,
    params: job.params,
    options: job.provider_options,
  };
  return request;
}
