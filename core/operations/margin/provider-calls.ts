// The calls of a provider with the settlement of their jobs, for comparison with the provider's bill.
import { invalidField } from "../../../proto/codes.ts";
import type { ProviderCallResource } from "../../../proto/resources/margin.ts";
import { inParts } from "../../base/mongo/read-some.ts";
import type { App } from "../../kernel/app.ts";
import { costsOfProvider } from "../../studio/costs/costs.ts";
import { MICROS } from "../../studio/costs/rules.ts";
import type { CostDoc } from "../../studio/costs/store.ts";
import { creditsCharged } from "../../studio/jobs/rules.ts";
import { readAllSteps } from "../../studio/jobs/steps.ts";

const CALLS_PER_BATCH = 1_000;

export type CallsQuery = { readonly provider: string; readonly since: Date; readonly until: Date };

/** In parts, oldest first. Throws invalid_request for an invalid time. */
export async function* listProviderCalls(
  app: App,
  query: CallsQuery,
): AsyncGenerator<ProviderCallResource[]> {
  for (const [path, at] of Object.entries({ since: query.since, until: query.until }))
    if (Number.isNaN(at.getTime())) throw invalidField(path, "must be a time");
  for await (const part of inParts(costsOfProvider(app, query), CALLS_PER_BATCH))
    yield await withCredits(app, part);
}

async function withCredits(app: App, calls: readonly CostDoc[]): Promise<ProviderCallResource[]> {
  const byAccount = Map.groupBy(calls, ({ account_id }) => account_id);
  const charged = new Map<string, { state: string; credits: number; charged: number }>();
  for (const [accountId, own] of byAccount) {
    const jobs = await readAllSteps(app, accountId, [...new Set(own.map(({ job_id }) => job_id))]);
    for (const job of jobs.values())
      charged.set(job._id, { state: job.state, credits: job.credits, charged: creditsCharged(job) });
  }
  return calls.map((call) => {
    const job = charged.get(call.job_id);
    const { reference, micros, currency } = call;
    return {
      ...(reference !== undefined && { reference }),
      job_id: call.job_id,
      model_slug: call.model_slug,
      provider_model: call.provider_model,
      at: call.at.toISOString(),
      outcome: call.outcome,
      ...(micros !== undefined && { amount: micros / MICROS }),
      ...(currency !== undefined && { currency }),
      job_state: job?.state ?? "gone",
      credits_captured: job?.credits ?? 0,
      credits_kept: job?.charged ?? 0,
    };
  });
}
