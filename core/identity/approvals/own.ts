// The questions of an account, for its export.
import type { App } from "../../kernel/app.ts";
import { type ConfirmationDoc, findConfirmationsOf } from "./store.ts";

export async function listConfirmations(app: App, accountId: string): Promise<ConfirmationDoc[]> {
  return findConfirmationsOf(app.mongo.db, accountId);
}
