// The names of models, as the Generate page shows them.
import type { FastifyRequest } from "fastify";
import type { Model } from "../../../proto/types/atelier/v1/Model.ts";
import type { CoreClient } from "../../../proto/client.ts";
import { callFor } from "../../http/auth.ts";

/** The slug of a model that a core of an earlier release does not list. */
export type ModelName = (slug: string) => string;

export async function askModelNames(core: CoreClient, request: FastifyRequest): Promise<ModelName> {
  const { models } = await core.models.ShowModels({ with_former: true }, callFor(request));
  return modelNames(models);
}

export function modelNames(models: readonly Pick<Model, "model_slug" | "name">[]): ModelName {
  const names = new Map(models.map(({ model_slug, name }) => [model_slug, name]));
  return (slug) => names.get(slug) ?? slug;
}
