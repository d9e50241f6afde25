// Models as documents: the same as list_models shows of each, for people who add one to a conversation themselves.
import { fromMessages } from "../../proto/codec.ts";
import { type ModelResource, modelSchema } from "../../proto/resources/model.ts";
import { priceInWords, pricingOf } from "../../proto/resources/pricing.ts";
import { keepListed } from "../protocol/listed-fields.ts";
import type { ReadContext } from "../protocol/read-context.ts";
import { defineResource } from "../protocol/resource.ts";

const keepPublic = keepListed(modelSchema.omit({ status: true, provider: true }));

export const models = defineModels(async ({ core, call }) =>
  fromMessages(modelSchema, (await core.models.ListModels({ modality: "" }, call)).models),
);

/** The models for callers without a key. */
export const modelsForAnyone = defineModels(async ({ core, call }) =>
  fromMessages(modelSchema, (await core.models.ShowModels({}, call)).models),
);

function defineModels(ask: (context: ReadContext) => Promise<ModelResource[]>) {
  return defineResource({
    uri: "atelier://models/{slug}",
    name: "model",
    title: "A model with its price and params",
    description: "The output of a live model, its price in credits, and the JSON Schema of its params.",
    mimeType: "application/json",
    list: async (context) =>
      (await ask(context)).map(({ model_slug, name, modality, description, ...price }) => ({
        value: model_slug,
        title: name,
        description: `${description} Makes ${modality}; ${priceInWords(pricingOf(price))}.`,
      })),
    read: async (context, slug) => {
      const model = (await ask(context)).find(({ model_slug }) => model_slug === slug);
      return model && { text: JSON.stringify(keepPublic(model), undefined, 2) };
    },
  });
}
