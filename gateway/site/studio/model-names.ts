// The names of models, as the Generate page shows them.
import type { FastifyRequest } from "fastify";
import type { Model } from "../../../proto/types/atelier/v1/Model.ts";
import type { CoreClient } from "../../../proto/client.ts";
import { callFor } from "../../http/auth.ts";

/** Of a model that is not offered any more, only the slug is known. */
export type ModelName = (slug: string) => string;

export async function askModelNames(core: CoreClient, request: FastifyRequest): Promise<ModelName> {
  const { models } = await core.models.ShowModels({}, callFor(request));
  return modelNames(models);
}

export function modelNames(models: readonly Pick<Model, "model_slug" | "name">[]): ModelName {
  const names = new Map(models.map(({ model_slug, name }) => [model_slug, name]));
  return (slug) => names.get(slug) ?? slug;
}
