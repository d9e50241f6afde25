// Models and plans as clients see them.
import { z } from "zod";
import { modalitySchema } from "./job.ts";
import { PRICE_UNITS, pricingSchema } from "./pricing.ts";

export const modelSchema = z
  .object({
    model_slug: z.string(),
    name: z.string(),
    modality: modalitySchema,
    description: z.string(),
    credits: z.number().int().describe("The lowest price of one unit."),
    per: z.enum(PRICE_UNITS).describe("The unit."),
    pricing: pricingSchema.optional().describe("All prices. Absent from services that price by unit only."),
    estimated_seconds: z.number(),
    max_prompt_length: z.number().int(),
    params_schema: z.record(z.string(), z.unknown()).describe("JSON Schema of params."),
    status: z
      .enum(["live", "paused", "retired"])
      .describe(
        "Only a live model can be generated with; a paused one will be again, and its waiting jobs wait on.",
      ),
    provider: z.string(),
  })
  .meta({ id: "Model" });

/** What a provider charges the operator. Only operators see it. */
export const costSchema = z.object({
  currency: z.string(),
  unit: z.enum(PRICE_UNITS),
  default: z.number(),
  rules: z.array(z.object({ when: z.record(z.string(), z.unknown()), amount: z.number() })),
});

/** Another provider that can make what a model makes, from the same params. */
const fallbackSchema = z.object({
  provider: z.string(),
  provider_model: z.string(),
  provider_options: z.record(z.string(), z.unknown()),
  cost: costSchema.optional(),
});

/** A model as an operator defines it: what clients see of it, and what only its provider needs. */
export const modelDefinitionSchema = z.object({
  model: modelSchema,
  provider_model: z.string(),
  run_timeout_seconds: z.int32(),
  provider_options: z.record(z.string(), z.unknown()),
  cost: costSchema.optional(),
  fallbacks: z
    .array(fallbackSchema)
    .optional()
    .describe("Asked in this order where the model's own provider fails or may not be called."),
});

export const planSchema = z
  .object({
    plan: z.string(),
    name: z.string(),
    concurrency: z.number().int().describe("Jobs that run at a time."),
    api: z.boolean().describe("Whether the plan includes the generation API."),
    monthly_credits: z.number().int(),
    price_usd: z.number().nullable().describe("A month, in USD; null: it is not sold."),
  })
  .meta({ id: "Plan" });

/** The plan that a mailbox can try once, and for how long. */
export const TRIED_PLAN = "pro";
export const TRIAL_DAYS = 14;

export type ModelResource = z.output<typeof modelSchema>;
export type PlanResource = z.output<typeof planSchema>;
