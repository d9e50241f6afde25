// Tool list_models: the same as GET /api/models; for anybody, the same as the website's page of models.
import { fromMessages } from "../../proto/codec.ts";
import { z } from "zod";
import { type Modality, modalitySchema } from "../../proto/resources/job.ts";
import { modelSchema } from "../../proto/resources/model.ts";
import type { ListModelsReply } from "../../proto/types/atelier/v1/ListModelsReply.ts";
import { describeModel } from "../jobs/describe.ts";
import { defineTool, type ToolContext } from "../protocol/tool.ts";

type Ask = (modality: Modality | undefined, context: ToolContext) => Promise<Pick<ListModelsReply, "models">>;

export const listModels = defineListModels(
  "Use it before connect_generate to choose a model_slug.",
  (modality, { core, call }) => core.models.ListModels({ modality: modality ?? "" }, call),
);

/** For those without a key, who can look but not make. */
export const listModelsForAnybody = defineListModels(
  "Use it when the person asks what can be made here; how_to_connect says how.",
  async (modality, { core, call }) => {
    const { models } = await core.models.ShowModels({}, call);
    return { models: models.filter((model) => modality === undefined || model.modality === modality) };
  },
);

function defineListModels(use: string, ask: Ask) {
  return defineTool({
    name: "list_models",
    title: "List models and prices",
    description: [
      "Lists the live models: price in credits, usual duration, prompt limit, and the options for params.",
      `${use} Costs nothing.`,
    ].join(" "),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: z.strictObject({ modality: modalitySchema.optional() }),
    output: z.object({ models: z.array(modelSchema.omit({ status: true, provider: true })) }),
    async handle({ modality }, context) {
      const { models } = await ask(modality, context);
      const listed = fromMessages(modelSchema, models);
      const text =
        listed.length > 0 ? listed.map(describeModel).join("\n") : "No live model makes this at the moment.";
      return { text, structured: { models: listed } };
    },
  });
}
