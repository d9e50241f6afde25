// The model catalog, in the order of lists.
import { AppError } from "../../../proto/codes.ts";
import type { Modality } from "../../../proto/resources/job.ts";
import type { ReadContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";
import { pausedProviders } from "../limits/settings.ts";
import { findModels } from "./store.ts";

/** Live models, as they were at most a second ago; of one modality, or of all. */
export async function listModels(app: Pick<App, "models">, modality?: Modality): Promise<ModelDoc[]> {
  const models = [...(await app.models()).values()].filter(({ status }) => status === "live");
  return ofModality(models, modality);
}

/** For operators: paused and retired models too, as they have been set; of one modality, or of all. */
export async function listAllModels({ mongo }: Pick<App, "mongo">, modality?: Modality): Promise<ModelDoc[]> {
  return ofModality(await findModels(mongo.db), modality);
}

function ofModality(models: ModelDoc[], modality: Modality | undefined): ModelDoc[] {
  return modality === undefined ? models : models.filter((model) => model.modality === modality);
}

/** One model, even a retired one, because jobs still name it. Throws not_found. */
export async function getModel(app: Pick<App, "models">, slug: string): Promise<ModelDoc> {
  const model = (await app.models()).get(slug);
  if (model) return model;
  throw new AppError("not_found", {
    message: `There is no model ${JSON.stringify(slug)}.`,
    hint: "Use a model_slug from GET /api/models.",
  });
}

/**
 * Includes retired and paused ones: the caller decides whether a model may be used. A model whose providers are all paused counts as
 * paused. Reads inside the transaction if there is one.
 */
export async function loadModels(app: Pick<App, "mongo">, tx?: ReadContext): Promise<Map<string, ModelDoc>> {
  const models = await findModels(app.mongo.db, tx);
  const paused = await pausedProviders(app, tx);
  return new Map(models.map((model) => [model._id, pausedWith(paused, model)]));
}

function pausedWith(paused: ReadonlySet<string>, model: ModelDoc): ModelDoc {
  const isPaused = [model, ...(model.fallbacks ?? [])].every(({ provider }) => paused.has(provider));
  return isPaused && model.status === "live" ? { ...model, status: "paused" } : model;
}
