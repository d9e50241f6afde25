// Deliveries on their way into the archive, where they stand with their jobs.
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { deleteDeliveriesOfJobs, type DeliveryDoc, findDeliveriesOfThese } from "./store.ts";

type OfJobs = { readonly accountId: string; readonly jobIds: readonly string[] };

/** By job, the oldest first. */
export async function readDeliveriesOf(
  app: App,
  { accountId, jobIds }: OfJobs,
  session?: ClientSession,
): Promise<Map<string, DeliveryDoc[]>> {
  const found = await findDeliveriesOfThese(app.mongo.db, accountId, jobIds, session);
  return Map.groupBy(found, ({ job_id }) => job_id ?? "");
}

export async function removeDeliveriesOf(
  app: App,
  { accountId, jobIds }: OfJobs,
  session: ClientSession,
): Promise<void> {
  await deleteDeliveriesOfJobs(app.mongo.db, accountId, jobIds, session);
}
