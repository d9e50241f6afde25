// Asks the provider about open orders that nothing was heard of, and ends those that have run out of time.
import { getAnyAccount } from "../accounts/get-account.ts";
import type { App } from "../app.ts";
import { type Checkout, knownProvider, PaymentProviderFailed } from "../payments/provider.ts";
import { changeOpen } from "./checkout.ts";
import { nextCheckAt, REASONS, takeStep } from "./rules.ts";
import { type OrderDoc, saveNextCheck, takeDueOrder } from "./store.ts";
import { takeCheckout } from "./take-checkout.ts";

/** Outlives a question to the provider; then another worker may ask. */
const LEASE_MS = 2 * 60_000;

/** One order that is due. Answers whether there was one. */
export async function checkOpenOrder(app: App): Promise<boolean> {
  const now = app.clock.now();
  const order = await takeDueOrder(app.mongo.db, now, new Date(now.getTime() + LEASE_MS));
  if (!order) return false;
  const checks = order.checks + 1;
  const next_check_at = nextCheckAt(order, checks, now);
  try {
    const isOver = order.expires_at <= now || (await isAbandoned(app, order));
    const checkout = await askFor(app, order, isOver);
    const after = checkout ? await takeCheckout(app, order, checkout) : order;
    // A bank may take days; the money is not to come for an order that is over.
    if (after.state === "placed" && isOver && checkout?.state !== "pending")
      await changeOpen(app, order, (open, at) => takeStep(open, "expired", { at, note: REASONS.expired }));
    else await saveNextCheck(app.mongo.db, order._id, { next_check_at, checks });
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed)) throw error;
    app.log.warn({ err: error, order_id: order._id }, "a payment provider did not tell of an order");
    await saveNextCheck(app.mongo.db, order._id, { next_check_at, checks });
  }
  return true;
}

/** undefined where nobody was sent to a provider, or the provider knows nothing of it. One that is over cannot be paid afterwards. */
async function askFor(app: App, order: OrderDoc, isOver: boolean): Promise<Checkout | undefined> {
  if (order.provider_ref === null) return undefined;
  const provider = knownProvider(app.payments, order.provider);
  try {
    return isOver
      ? await provider.cancelCheckout(order.provider_ref)
      : await provider.fetchCheckout(order.provider_ref);
  } catch (error) {
    if (error instanceof PaymentProviderFailed && error.isFinal) return undefined;
    throw error;
  }
}

/** Nobody will pay for an account that was deleted. */
async function isAbandoned(app: App, { account_id }: OrderDoc): Promise<boolean> {
  return (await getAnyAccount(app, account_id)).status === "deleted";
}
