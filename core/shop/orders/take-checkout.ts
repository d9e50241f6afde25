// Handles the provider's answer about a checkout as if the provider had reported it by an event.
import type { Checkout, PaymentEventBody } from "../../adapters/payments/provider.ts";
import type { App } from "../../kernel/app.ts";
import { findOrder, type OrderDoc } from "./store.ts";
import { takeEvent } from "./take-event.ts";

/** The changed order. A later event about the same finds its payment known. */
export async function takeCheckout(app: App, order: OrderDoc, checkout: Checkout): Promise<OrderDoc> {
  const news = eventOf(order, checkout);
  if (!news) return order;
  const id = `asked:${checkout.ref}:${news.kind}`;
  await takeEvent(app, order.provider ?? "", { id, at: app.clock.now(), news });
  return (await findOrder(app.mongo.db, order._id)) ?? order;
}

function eventOf(
  { _id: orderId, account_id: accountId }: OrderDoc,
  { ref: checkoutRef, state, payment, subscriptionRef }: Checkout,
): PaymentEventBody | undefined {
  const facts = { checkoutRef, orderId, accountId };
  if (state === "paid" && payment) return { kind: "paid", ...facts, payment, subscriptionRef };
  if (state === "declined" || state === "expired") return { kind: state, ...facts };
  return undefined;
}
