// Removes the licences of an account that is deleted.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { deleteLicences } from "./store.ts";

export async function forgetLicences(app: App, accountId: string, tx: TxContext): Promise<void> {
  await deleteLicences(app.mongo.db, accountId, tx);
}
