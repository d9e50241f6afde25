// Every model by slug, for decisions that must agree with one snapshot of the database.
import type { ModelDoc } from "../definitions.ts";
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { findModels } from "./store.ts";

/** Retired ones too: whether a model may be used is for the caller to decide. Reads inside the transaction when there is one. */
export async function loadModels(
  app: Pick<App, "mongo">,
  session?: ClientSession,
): Promise<Map<string, ModelDoc>> {
  return new Map((await findModels(app.mongo.db, session)).map((model) => [model._id, model]));
}
