// The names of models, as the Generate page shows them.
import type { FastifyRequest } from "fastify";
import type { CoreClient } from "../../../proto/client.ts";
import { callFor } from "../../http/auth.ts";

/** Of a model that is not offered any more, only the slug is known. */
export type ModelName = (slug: string) => string;

export async function askModelNames(core: CoreClient, request: FastifyRequest): Promise<ModelName> {
  const { models } = await core.models.ShowModels({}, callFor(request));
  const names = new Map(models.map(({ model_slug, name }) => [model_slug, name]));
  return (slug) => names.get(slug) ?? slug;
}
