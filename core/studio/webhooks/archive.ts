// Removes deliveries: for the archive, where they are stored with their jobs, and with a deleted account.
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { deliveryId, subjectOf } from "./delivery-id.ts";
import {
  deleteDeliveriesApart,
  deleteDeliveriesByIds,
  deleteDeliveriesOfJobs,
  type DeliveryDoc,
  findDeliveriesByIds,
} from "./store.ts";

/** By job or workflow, the oldest first. Its deliveries are numbered from 1, and most have one. */
export async function readDeliveriesOf(
  app: App,
  { accountId, subjects }: { accountId: string; subjects: readonly string[] },
  tx?: ReadContext,
): Promise<Map<string, DeliveryDoc[]>> {
  const bySubject = new Map<string, DeliveryDoc[]>();
  let asked = subjects;
  for (let number = 1; asked.length > 0; number++) {
    const ids = asked.map((subject) => deliveryId(subject, number));
    const found = await findDeliveriesByIds(app.mongo.db, accountId, ids, tx);
    for (const one of found) {
      const subject = subjectOf(one) ?? "";
      bySubject.set(subject, [...(bySubject.get(subject) ?? []), one]);
    }
    asked = found.flatMap((one) => subjectOf(one) ?? []);
  }
  return bySubject;
}

export async function removeDeliveries(
  app: App,
  accountId: string,
  deliveries: readonly DeliveryDoc[],
  tx: TxContext,
): Promise<void> {
  const ids = deliveries.map(({ _id }) => _id);
  await deleteDeliveriesByIds(app.mongo.db, accountId, ids, tx);
}

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
