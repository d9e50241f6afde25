// An operator takes a model out of the catalog. Jobs that were accepted before still run.
import { AppError } from "../../proto/codes.ts";
import type { ModelDoc } from "../definitions.ts";
import type { App } from "../app.ts";
import { setModelStatus } from "./store.ts";

/** Retiring twice changes nothing. Throws model_not_available when no model has this slug. */
export async function retireModel(app: Pick<App, "mongo" | "clock">, slug: string): Promise<ModelDoc> {
  const model = await setModelStatus(app.mongo.db, slug, "retired", app.clock.now());
  if (!model) throw new AppError("model_not_available", { message: "No model has this slug." });
  return model;
}
