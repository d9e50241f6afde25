// The part of a job that its provider gets.
import type { ProviderRequest } from "../../adapters/providers/provider.ts";
import type { JobDoc } from "../jobs/store.ts";
import { type Route, routeOfCall } from "./route-rules.ts";

/** `route` is the provider to ask; by default the one that the job's call went to. */
export function toProviderRequest(job: JobDoc, route: Route = routeOfCall(job)): ProviderRequest {
  // This covers all fields: a field of requests that is not passed on here does not compile.
  const request: Required<ProviderRequest> = {
    modality: job.modality,
    model: route.provider_model,
    prompt: job.prompt,
    params: job.params,
    options: route.provider_options,
  };
  return request;
}
