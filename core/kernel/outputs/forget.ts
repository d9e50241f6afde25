// Removes files before their time: those of an account that is deleted.
import type { App } from "../app.ts";
import { removeFiles } from "./expire.ts";
import { findFiles } from "./store.ts";

/** Throws if the object store refused some, after removing the others. Files that no job ever named expire like any file. */
export async function forgetOutputs(app: App, outputIds: readonly string[]): Promise<void> {
  const files = await findFiles(app.mongo.db, outputIds);
  const { refused } = await removeFiles(app, files);
  if (refused) throw refused.reason;
}
