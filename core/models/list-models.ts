// The model catalog, in the order of lists.
import type { Modality } from "../../proto/resources/job.ts";
import type { ModelDoc } from "../definitions.ts";
import type { App } from "../app.ts";
import { findModels } from "./store.ts";

/** Live models, or retired ones too; of one modality, or of all. */
export async function listModels(
  app: Pick<App, "mongo">,
  filter: { modality?: Modality; includeRetired?: boolean } = {},
): Promise<ModelDoc[]> {
  const all = await findModels(app.mongo.db);
  return all.filter(
    (model) =>
      (filter.includeRetired || model.status === "live") &&
      (filter.modality === undefined || model.modality === filter.modality),
  );
}
