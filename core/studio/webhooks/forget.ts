// Removes what the callbacks of a deleted account have left behind.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { deleteDeliveriesOfJobs, deleteSecrets, deleteTestDeliveries } from "./store.ts";

export async function forgetCallbackSecrets(app: App, accountId: string, tx: TxContext): Promise<void> {
  await deleteSecrets(app.mongo.db, accountId, tx);
}

/** An attempt under way is no longer recorded. */
export async function forgetDeliveries(
  app: App,
  accountId: string,
  jobIds: readonly string[],
): Promise<void> {
  await deleteDeliveriesOfJobs(app.mongo.db, accountId, jobIds);
}

export async function forgetTestEvents(app: App, accountId: string): Promise<void> {
  await deleteTestDeliveries(app.mongo.db, accountId);
}
