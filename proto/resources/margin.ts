// What a month earned, and the calls of a provider, as operators see them. No customer sees any of it.
import { z } from "zod";

export const marginLineSchema = z.object({
  key: z.string(),
  jobs: z.number().int(),
  credits_captured: z.number().int(),
  credits_refunded: z.number().int(),
  credits_expired: z.number().int(),
  revenue_usd: z.number(),
  cost_usd: z.number(),
  margin_usd: z.number(),
  other_costs: z.array(z.object({ currency: z.string(), amount: z.number() })),
  uncosted_jobs: z.number().int(),
  unpriced_credits: z.number().int(),
  unfounded_credits: z.number().int(),
});
export type MarginLineResource = z.output<typeof marginLineSchema>;

export const providerCallSchema = z.object({
  reference: z.string().optional(),
  job_id: z.string(),
  model_slug: z.string(),
  provider_model: z.string(),
  at: z.string(),
  outcome: z.string(),
  amount: z.number().optional(),
  currency: z.string().optional(),
  job_state: z.string(),
  credits_captured: z.number().int(),
  credits_kept: z.number().int(),
});
export type ProviderCallResource = z.output<typeof providerCallSchema>;
