// The questions of an account, for its export and its deletion.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { type ConfirmationDoc, deleteConfirmations, findConfirmationsOf } from "./store.ts";

export async function listConfirmations(app: App, accountId: string): Promise<ConfirmationDoc[]> {
  return findConfirmationsOf(app.mongo.db, accountId);
}

export async function forgetConfirmations(app: App, accountId: string, tx: TxContext): Promise<void> {
  await deleteConfirmations(app.mongo.db, accountId, tx);
}
