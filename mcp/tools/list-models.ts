// Tool list_models: the same as GET /api/models.
import { fromMessages } from "../../proto/codec.ts";
import { z } from "zod";
import { modalitySchema } from "../../proto/resources/job.ts";
import { modelSchema } from "../../proto/resources/model.ts";
import { describeModel } from "../jobs/describe.ts";
import { defineTool } from "../protocol/tool.ts";

export const listModels = defineTool({
  name: "list_models",
  title: "List models and prices",
  description: [
    "Lists the live models with price in credits, usual duration, prompt limit and the options that params may hold.",
    "Use it before connect_generate to choose a model_slug. Costs nothing and answers at once.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ modality: modalitySchema.optional() }),
  output: z.object({ models: z.array(modelSchema.omit({ status: true, provider: true })) }),
  async handle({ modality }, { core, call }) {
    const { models } = await core.models.ListModels({ modality: modality ?? "" }, call);
    const listed = fromMessages(modelSchema, models);
    const text =
      listed.length > 0 ? listed.map(describeModel).join("\n") : "No live model makes this at the moment.";
    return { text, structured: { models: listed } };
  },
});
