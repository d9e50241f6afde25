// The names of models, as the Generate page shows them.
import type { FastifyRequest } from "fastify";
import type { CoreClient } from "../../../proto/client.ts";
import type { Model } from "../../../proto/types/atelier/v1/Model.ts";
import { callFor } from "../../http/auth.ts";
import { type Children, html } from "../design/markup.js";
import { modelPath } from "./paths.ts";

/** The slug of a model that a core of an earlier release does not list. */
export type ModelName = (slug: string) => string;

export async function askModelNames(core: CoreClient, request: FastifyRequest): Promise<ModelName> {
  const { models } = await core.models.ShowModels({ with_former: true }, callFor(request));
  return modelNames(models);
}

/** For texts about requests that may name a former model. */
export type ModelLink = (slug: string) => Children;

/** The names of models, with links to their pages: only live models have one. */
export async function askModelLinks(core: CoreClient, request: FastifyRequest): Promise<ModelLink> {
  const { models } = await core.models.ShowModels({ with_former: true }, callFor(request));
  const [nameOf, live] = [modelNames(models), models.filter(({ status }) => status === "live")];
  return (slug) =>
    live.some(({ model_slug }) => model_slug === slug)
      ? html`<a href=${modelPath(slug)}>${nameOf(slug)}</a>`
      : `${nameOf(slug)}, not offered now`;
}

export function modelNames(models: readonly Pick<Model, "model_slug" | "name">[]): ModelName {
  const names = new Map(models.map(({ model_slug, name }) => [model_slug, name]));
  return (slug) => names.get(slug) ?? slug;
}
