// Every model by slug, for decisions that must agree with one snapshot of the database.
import type { ReadContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";
import { pausedProviders } from "../limits/settings.ts";
import { findModels } from "./store.ts";

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
