// The price of a generation, as clients see it before they ask for one.
import { z } from "zod";
import { generateRequestSchema } from "./job.ts";
import { modelSchema } from "./model.ts";
import { pricedBySchema } from "./pricing.ts";

const { modality, model_slug } = generateRequestSchema.shape;

export const estimateSchema = z
  .object({
    modality,
    model_slug,
    credits: z.number().int().describe("Price of the whole job."),
    units: z
      .number()
      .describe("How many units it has: 1, or its images, seconds, megapixels or thousands of characters."),
    per: modelSchema.shape.per,
    priced_by: pricedBySchema.optional(),
    estimated_seconds: z.number().describe("How long it takes once it runs."),
    params: z
      .record(z.string(), z.unknown())
      .describe("The params of the request with defaults filled in, without a seed that would be drawn."),
    credits_available: z.number().int(),
    affordable: z.boolean().describe("Whether credits_available covers it now."),
    key_credits_left: z
      .number()
      .int()
      .nullable()
      .describe("Credits that the key's monthly limit still allows; null without a limit."),
    needs_confirmation: z.boolean().describe("Whether the key's owner has to approve it first."),
  })
  .meta({ id: "Estimate" });

export type EstimateResource = z.output<typeof estimateSchema>;
