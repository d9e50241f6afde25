// The model catalog, in the order of lists.
import { AppError } from "../../../proto/codes.ts";
import type { Modality } from "../../../proto/resources/job.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";
import type { App } from "../../kernel/app.ts";
import { loadModels } from "./load-models.ts";
import { findModels } from "./store.ts";

/** Live models, or paused and retired ones too, as operators have set them; of one modality, or of all. */
export async function listModels(
  app: Pick<App, "mongo">,
  filter: { modality?: Modality; includeAll?: boolean } = {},
): Promise<ModelDoc[]> {
  const all = filter.includeAll ? await findModels(app.mongo.db) : [...(await loadModels(app)).values()];
  return all.filter(
    (model) =>
      (filter.includeAll || model.status === "live") &&
      (filter.modality === undefined || model.modality === filter.modality),
  );
}

/** One model, even a retired one, because jobs still name it. Throws not_found. */
export async function getModel(app: Pick<App, "mongo">, slug: string): Promise<ModelDoc> {
  const model = (await loadModels(app)).get(slug);
  if (model) return model;
  throw new AppError("not_found", {
    message: `There is no model ${JSON.stringify(slug)}.`,
    hint: "Use a model_slug from GET /api/models.",
  });
}
