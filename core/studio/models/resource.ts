// A model as clients see it.
import type { ModelResource } from "../../../proto/resources/model.ts";
import { pricingOf } from "../../../proto/resources/pricing.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";

export function toModel(model: ModelDoc): ModelResource {
  return {
    model_slug: model._id,
    name: model.name,
    modality: model.modality,
    description: model.description,
    credits: model.credits,
    per: model.per,
    pricing: pricingOf(model),
    estimated_seconds: model.estimated_seconds,
    max_prompt_length: model.max_prompt_length,
    params_schema: JSON.parse(model.params_schema_json) as Record<string, unknown>,
    status: model.status,
    provider: model.provider,
  };
}
