// Queues an event of the demo provider, in the transaction that makes it.
import type { Mongo } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { workDue } from "../../base/work/rules.ts";
import type { PaymentEvent } from "./provider.ts";
import { type DemoDelivery, planDelivery } from "./rules.ts";
import { insertEvent } from "./store.ts";

export async function sendDemoEvent(
  { db }: Pick<Mongo, "db">,
  event: PaymentEvent,
  { delivery, tx }: { delivery: DemoDelivery; tx: TxContext },
): Promise<void> {
  const plan = planDelivery(delivery, event.at);
  if (!plan) return;
  const body = JSON.stringify(event);
  await insertEvent(db, { _id: event.id, body, times: plan.times, work: workDue(plan.at) }, tx);
}
