// The tool list_models: the content of GET /api/models, with one row for each model, and in full for the one that `model` names. Without a
// key it shows the models on the website's page.
import { z } from "zod";
import { fromMessage } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { modelFilterSchema } from "../../proto/resources/job-filter.ts";
import { type Modality, modalitySchema } from "../../proto/resources/job.ts";
import { modelSchema } from "../../proto/resources/model.ts";
import type { ListModelsReply } from "../../proto/types/atelier/v1/ListModelsReply.ts";
import { remember } from "../../runtime/remember.ts";
import { describeModel, headOf, paramsInBrief } from "../jobs/describe.ts";
import { defineTool, type ToolContext, type ToolEndpoint } from "../protocol/tool.ts";

type Ask = (modality: Modality | undefined, context: ToolContext) => Promise<Pick<ListModelsReply, "models">>;

const headSchema = modelSchema.omit({ params_schema: true });
/** The params_schema is the heavy part of a model, so a model in a list has only the names of its params. */
const listedModelSchema = modelSchema
  .omit({ status: true, provider: true })
  .partial({ params_schema: true })
  .extend({ params: z.array(z.string()).optional() });

export const listModels = defineListModels(
  ["generation", "member"],
  "Use it before connect_generate to choose a model_slug.",
  (modality, { core, call }) => core.models.ListModels({ modality: modality ?? "" }, call),
);

/** For callers without a key, who can look but not make. */
export const listModelsForAnyone = defineListModels(
  ["catalog"],
  "Use it when the user asks what can be made here; how_to_connect says how.",
  async (modality, { core, call }) => {
    const { models } = await core.models.ShowModels({}, call);
    return { models: models.filter((model) => modality === undefined || model.modality === modality) };
  },
);

function defineListModels(endpoints: readonly ToolEndpoint[], use: string, ask: Ask) {
  return defineTool({
    name: "list_models",
    title: "List models and prices",
    endpoints,
    description: [
      "Lists the live models: price in credits, usual duration, prompt limit and params.",
      `${use} Costs nothing.`,
    ].join(" "),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    checksKey: true,
    input: z.strictObject({
      modality: modalitySchema.optional(),
      model: modelFilterSchema.optional().describe("A model_slug, for its params_schema."),
    }),
    output: z.object({ models: z.array(listedModelSchema) }),
    async handle({ modality, model }, context) {
      const { models } = await ask(modality, context);
      return model === undefined ? showAll(models) : showOne(models, model);
    },
  });
}

function showAll(models: ListModelsReply["models"]) {
  const rows = models.map((message) => {
    const model = fromMessage(headSchema, message);
    const { names, words } = briefOf(message.params_schema_json);
    return { line: `${headOf(model)}${words}`, listed: { ...model, params: names } };
  });
  const text =
    rows.length > 0 ? rows.map(({ line }) => line).join("\n") : "No live model makes this at the moment.";
  return { text, structured: { models: rows.map(({ listed }) => listed) } };
}

/** By the schema's JSON, which is the same in every call until an operator changes the model. */
const briefOf = remember(
  (schemaJson) => paramsInBrief(JSON.parse(schemaJson) as Record<string, unknown>),
  Number.POSITIVE_INFINITY,
);

/** Throws AppError model_not_available. */
function showOne(models: ListModelsReply["models"], slug: string) {
  const message = models.find(({ model_slug }) => model_slug === slug);
  if (!message) throw new AppError("model_not_available");
  const model = fromMessage(modelSchema, message);
  return { text: describeModel(model), structured: { models: [model] } };
}
