// Removes what the callbacks of a deleted account have left behind.
import type { App } from "../../kernel/app.ts";
import { deleteDeliveriesOfJobs, deleteDeliveriesApart } from "./store.ts";

/** An attempt in progress is no longer recorded. */
export async function forgetDeliveries(
  app: App,
  accountId: string,
  jobIds: readonly string[],
): Promise<void> {
  await deleteDeliveriesOfJobs(app.mongo.db, accountId, jobIds);
}

export async function forgetOtherDeliveries(app: App, accountId: string): Promise<void> {
  await deleteDeliveriesApart(app.mongo.db, accountId);
}
