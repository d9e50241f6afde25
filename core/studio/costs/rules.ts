// What a call to a provider cost the operator: the provider's own figure, or else the rates of its route. Pure.
import { priceOf } from "../../../proto/resources/pricing.ts";
import { withoutPrefix } from "../../../runtime/clock.ts";
import type { ProviderUsage } from "../../adapters/providers/provider.ts";
import type { CostRate, ModelDoc } from "../../kernel/definitions.ts";
import type { CallOutcome, CostDoc } from "./store.ts";

/** Millionths of a currency's unit: the smallest sum that is counted. */
export const MICROS = 1_000_000;
/** The currency in which money is added up. */
export const BOOK_CURRENCY = "USD";

/** Exact to a millionth. */
export function toMicros(amount: number): number {
  return Math.round(amount * MICROS);
}

/** One call to a provider, once its outcome is known. */
export type CallRecord = {
  readonly provider: string;
  readonly provider_model: string;
  readonly outcome: CallOutcome;
  readonly outputs: number;
  readonly usage: ProviderUsage;
  /** The provider's own id of the call. */
  readonly reference?: string | undefined;
};

/** The parts of a job that determine the cost. */
export type CostedJob = {
  readonly _id: string;
  readonly account_id: string;
  readonly model_slug: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly characters: number;
};

/** The rates of a route of the model; undefined where the operator has set none. */
export function rateOf(
  model: Pick<ModelDoc, "costs"> | undefined,
  route: Pick<CallRecord, "provider" | "provider_model">,
): CostRate | undefined {
  return model?.costs?.find(
    ({ provider, provider_model }) => provider === route.provider && provider_model === route.provider_model,
  )?.rate;
}

export type Cost = Pick<CostDoc, "micros" | "currency" | "basis">;

/** Empty where neither the provider nor the operator has a price. A call without outputs costs nothing by rates. */
export function costOf(
  { outcome, outputs, usage }: CallRecord,
  rate: CostRate | undefined,
  { params, characters }: Pick<CostedJob, "params" | "characters">,
): Cost {
  if (usage.cost)
    return {
      micros: toMicros(usage.cost.amount),
      currency: usage.cost.currency,
      basis: "provider",
    };
  if (!rate || outcome === "unknown") return {};
  const { currency, unit } = rate;
  if (outcome === "failed") return { micros: 0, currency, basis: "rate" };
  const made = {
    ...params,
    ...(params["count"] !== undefined && { count: usage.outputs ?? outputs }),
    ...(usage.seconds !== undefined && { duration_seconds: usage.seconds }),
  };
  const rules = rate.rules.map(({ when, micros }) => ({ when, credits: micros }));
  const price = priceOf({ version: 1, unit, default: rate.micros, rules }, { params: made, characters });
  return price ? { micros: price.credits, currency, basis: "rate" } : {};
}

/**
 * The accounting record of a call; undefined where nothing is known that could be compared with a bill. `number` counts the calls of one
 * lease of the job.
 */
export function toCostDoc(
  call: CallRecord,
  job: CostedJob,
  { rate, at, epoch, number }: { rate: CostRate | undefined; at: Date; epoch: number; number: number },
): CostDoc | undefined {
  const cost = costOf(call, rate, job);
  if (cost.micros === undefined && !rate && call.reference === undefined) return undefined;
  const { provider, provider_model, outcome, outputs, usage, reference } = call;
  return {
    _id: `cst_${withoutPrefix(job._id)}_${epoch}_${number}`,
    account_id: job.account_id,
    job_id: job._id,
    model_slug: job.model_slug,
    provider,
    provider_model,
    ...(reference !== undefined && { reference }),
    at,
    outcome,
    outputs,
    ...(usage.seconds !== undefined && { seconds: usage.seconds }),
    ...cost,
  };
}
