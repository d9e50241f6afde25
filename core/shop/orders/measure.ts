// Metrics of orders: steps and money as counts, and what waits for someone.
import type { App } from "../../kernel/app.ts";
import { countLateRefunds, countPayments, type OrderDoc } from "./store.ts";

/** After this many attempts it is unlikely to succeed automatically. */
const MANY_ATTEMPTS = 3;

/** Counts what happened to an order at this moment. It is called after the transaction, so that what was undone is not counted. */
export function countSteps({ metrics }: Pick<App, "metrics">, order: OrderDoc, at: Date): void {
  const steps = metrics.counter("order_events_total", "Orders by outcome.", ["event"]);
  const cents = metrics.counter(
    "order_cents_total",
    "Money of fulfilled orders, and of those refunded, in cents.",
    ["what"],
  );
  const total = order.amount_cents + order.tax_cents;
  for (const { type, at: happened } of order.events) {
    if (happened.getTime() !== at.getTime()) continue;
    steps.inc({ event: type });
    if (type === "fulfilled") cents.inc({ what: "revenue" }, total);
    if (type === "refunded" || type === "dispute_lost") cents.inc({ what: "refunds" }, total);
  }
}

/** Payments that are still to be refunded, and those that name no known order. */
export async function measurePayments({
  mongo,
}: Pick<App, "mongo">): Promise<{ refundPending: number; unclaimed: number }> {
  return countPayments(mongo.db);
}

/** Payments that the provider does not refund. */
export async function measureLateRefunds({ mongo }: Pick<App, "mongo">): Promise<number> {
  return countLateRefunds(mongo.db, MANY_ATTEMPTS);
}
