// Models and plans as clients see them.
import { z } from "zod";
import type { Model } from "../types/atelier/v1/Model.ts";
import type { Plan } from "../types/atelier/v1/Plan.ts";
import { modalitySchema } from "./job.ts";

export const modelSchema = z
  .object({
    model_slug: z.string(),
    name: z.string(),
    modality: modalitySchema,
    description: z.string(),
    credits: z.number().int().describe("Price of one unit."),
    per: z.enum(["generation", "image", "second"]).describe("What one unit is."),
    estimated_seconds: z.number(),
    max_prompt_length: z.number().int(),
    params_schema: z.record(z.string(), z.unknown()).describe("JSON Schema of params."),
    status: z.enum(["live", "retired"]),
    provider: z.string(),
  })
  .meta({ id: "Model" });

export const planSchema = z
  .object({
    plan: z.string(),
    name: z.string(),
    concurrency: z.number().int().describe("Jobs that run at a time."),
    api: z.boolean().describe("Whether the plan includes the generation API."),
    monthly_credits: z.number().int(),
  })
  .meta({ id: "Plan" });

export function fromModel(model: Model): z.output<typeof modelSchema> {
  const { params_schema_json, ...rest } = model;
  return {
    ...rest,
    modality: modalitySchema.parse(model.modality),
    per: modelSchema.shape.per.parse(model.per),
    status: modelSchema.shape.status.parse(model.status),
    params_schema: JSON.parse(params_schema_json) as Record<string, unknown>,
  };
}

export function fromPlan(plan: Plan): z.output<typeof planSchema> {
  return { ...plan };
}
