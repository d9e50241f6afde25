// Retires, pauses and resumes models for operators. Running jobs continue in every case; waiting jobs of a retired model run too, and those
// of a paused one wait.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";
import { loadModels } from "./list-models.ts";
import { setModelStatus } from "./store.ts";

type ModelsApp = Pick<App, "mongo" | "clock">;

/** Retiring twice changes nothing. Throws model_not_available when no model has this slug. */
export async function retireModel(app: ModelsApp, slug: string): Promise<ModelDoc> {
  return changeStatus(app, slug, "retired", ["live", "paused", "retired"]);
}

/** Pausing twice changes nothing. Throws model_not_available for a retired or unknown model. */
export async function pauseModel(app: ModelsApp, slug: string): Promise<ModelDoc> {
  return changeStatus(app, slug, "paused", ["live", "paused"]);
}

/** Resuming a live one changes nothing. Throws model_not_available for a retired or unknown model. */
export async function resumeModel(app: ModelsApp, slug: string): Promise<ModelDoc> {
  return changeStatus(app, slug, "live", ["live", "paused"]);
}

async function changeStatus(
  app: ModelsApp,
  slug: string,
  to: ModelDoc["status"],
  from: readonly ModelDoc["status"][],
): Promise<ModelDoc> {
  const changed = await setModelStatus(app.mongo.db, slug, { to, from }, app.clock.now());
  if (changed) return changed;
  const isKnown = (await loadModels(app)).has(slug);
  throw new AppError("model_not_available", {
    message: isKnown ? "The model is retired; adding it again brings it back." : "No model has this slug.",
  });
}
