// Queries the provider about open orders without events, ends expired ones, and closes open checkouts of ended orders.
import { PaymentProviderFailed } from "../../adapters/payments/provider.ts";
import { again, attemptsOf, take } from "../../base/work/queue.ts";
import { getAnyAccount } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import { changeOrder } from "./change-order.ts";
import { liveCheckouts } from "./checkout-rules.ts";
import { closeCheckout, learn, lookAtCheckout, makeCheckout } from "./provider-checkout.ts";
import { nextCheckAt, REASONS, takeStep } from "./rules.ts";
import { findOrder, type OrderDoc, orders } from "./store.ts";
import { takeCheckout } from "./take-event.ts";

/** Longer than a question to the provider takes; then another worker may ask. */
const LEASE_MS = 2 * 60_000;

/** Handles one order that is due. Returns whether there was one. */
export async function checkOpenOrder(app: App): Promise<boolean> {
  const now = app.clock.now();
  const queue = orders(app.mongo.db);
  const [order] = await take(queue, { now, leaseMs: LEASE_MS, limit: 1 });
  if (!order) return false;
  try {
    const isOver = order.state !== "placed" || order.expires_at <= now || (await isAbandoned(app, order));
    if (isOver) await endOrder(app, order);
    else await lookAtOrder(app, order);
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed)) throw error;
    app.log.warn({ err: error, order_id: order._id }, "a payment provider did not tell of an order");
  }
  const after = (await findOrder(app.mongo.db, order._id)) ?? order;
  const isSettled = after.state !== "placed" && liveCheckouts(after).length === 0;
  await again(queue, order, isSettled ? null : nextCheckAt(after, attemptsOf(order) + 1, now));
  return true;
}

/** Closes what can still be paid; then an order that no one has paid expires. */
async function endOrder(app: App, order: OrderDoc): Promise<void> {
  for (const checkout of liveCheckouts(order)) await closeCheckout(app, order, checkout);
  // A bank may take days, and the payment must not arrive for an ended order.
  await changeOrder(app, order, (now, at) =>
    now.state === "placed" && liveCheckouts(now).length === 0
      ? takeStep(now, "expired", { at, note: REASONS.expired })
      : undefined,
  );
}

/** All but its newest checkout are closed, and that one is asked about. */
async function lookAtOrder(app: App, order: OrderDoc): Promise<void> {
  const live = liveCheckouts(order);
  const kept = live.findLast(({ state }) => state === "open");
  for (const checkout of live.filter((one) => one !== kept)) await closeCheckout(app, order, checkout);
  if (!kept) return;
  if (kept.ref === null) {
    await makeCheckout(app, order, kept);
    return;
  }
  const found = await lookAtCheckout(app, kept);
  if (!found || found.state === "cancelled") await learn(app, order, kept, { state: "closed" });
  else await takeCheckout(app, order, found);
}

/** No one will pay for a deleted account. */
async function isAbandoned(app: App, { account_id }: OrderDoc): Promise<boolean> {
  return (await getAnyAccount(app, account_id)).status === "deleted";
}
