// Puts an event of the demo provider in line to be sent, in the transaction that makes it.
import type { ClientSession, Mongo } from "../../base/mongo/client.ts";
import type { PaymentEvent } from "./provider.ts";
import { type DemoDelivery, planDelivery } from "./rules.ts";
import { workDue } from "../../base/work/rules.ts";
import { insertEvent } from "./store.ts";

export async function sendDemoEvent(
  { db }: Pick<Mongo, "db">,
  event: PaymentEvent,
  { delivery, session }: { delivery: DemoDelivery; session: ClientSession },
): Promise<void> {
  const plan = planDelivery(delivery, event.at);
  if (!plan) return;
  const body = JSON.stringify(event);
  await insertEvent(db, { _id: event.id, body, times: plan.times, work: workDue(plan.at) }, session);
}
