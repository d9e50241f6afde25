// The request to a model as arguments of the generating tools: the body of REST, described briefly.
import { generateRequestSchema, modalitySchema } from "../../proto/resources/job.ts";

const { model_slug, prompt, params, metadata, allow_partial, expires_in, keep_days } =
  generateRequestSchema.shape;

export const generationArguments = generateRequestSchema.extend({
  modality: modalitySchema,
  model_slug: model_slug.describe("From list_models."),
  prompt: prompt.describe("At most the model's max_prompt_length in characters."),
  params: params.describe("Options, as the model's params_schema says."),
  metadata: metadata.describe("Your own strings, returned with the job."),
  allow_partial: allow_partial.describe("false: all files, or a failure."),
  expires_in: expires_in.describe("Seconds to wait for a slot, then refund."),
  keep_days: keep_days.describe("Days to keep the files."),
});
