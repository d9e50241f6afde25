// Opens, checks and closes single checkouts at their provider. Each step is stored before the next one, so that a process after a crash
// continues from there: a request with the same idempotency key returns the same checkout again.
import {
  type Checkout,
  knownProvider,
  type NewCheckout,
  PaymentProviderFailed,
} from "../../adapters/payments/provider.ts";
import { getAnyAccount } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import { subscriptionOf } from "../subscriptions/bought-subscription.ts";
import { changeOrder } from "./change-order.ts";
import { changeCheckout } from "./checkout-rules.ts";
import { itemOf } from "./fulfil.ts";
import type { OrderCheckout, OrderDoc } from "./store.ts";
import { takeCheckout } from "./take-event.ts";

/**
 * Makes the checkout, or finds it if the answer to an earlier request was lost, and stores its reference. `made` is undefined if the
 * provider refuses to make it: then it is closed. Rejects with PaymentProviderFailed.
 */
export async function makeCheckout(
  app: App,
  order: OrderDoc,
  checkout: OrderCheckout,
): Promise<{ order: OrderDoc; made: Checkout | undefined }> {
  const wanted = await newCheckout(app, order, checkout);
  const provider = knownProvider(app.payments, checkout.provider);
  const made = await provider.createCheckout(wanted).catch(undefinedIfRefused);
  const known = made ? { ref: made.ref } : { state: "closed" as const };
  return { order: await learn(app, order, checkout, known), made };
}

/** The provider's current state; undefined if the provider does not know it. Rejects with PaymentProviderFailed. */
export async function lookAtCheckout(
  app: App,
  { provider, ref }: OrderCheckout,
): Promise<Checkout | undefined> {
  return knownProvider(app.payments, provider)
    .fetchCheckout(ref ?? "")
    .catch(undefinedIfRefused);
}

export type ClosedCheckout = {
  readonly order: OrderDoc;
  /** paid: the payment was faster, and is handled. pending: the bank has not decided yet, so it cannot be closed. */
  readonly what: "closed" | "paid" | "pending";
};

/** Afterwards it cannot be paid any more, unless it is pending. Safe to repeat. Rejects with PaymentProviderFailed. */
export async function closeCheckout(
  app: App,
  order: OrderDoc,
  checkout: OrderCheckout,
): Promise<ClosedCheckout> {
  // It is stored first: the provider's event about a checkout that is closed on purpose does not end the order.
  const closing = await learn(app, order, checkout, { state: "closing" });
  const { ref } = checkout.ref === null ? await learnRef(app, closing, checkout) : checkout;
  const ended =
    ref === null
      ? undefined
      : await knownProvider(app.payments, checkout.provider).cancelCheckout(ref).catch(undefinedIfRefused);
  if (ended?.state === "open")
    throw new PaymentProviderFailed("a checkout is still open after it was closed");
  if (ended?.state === "pending")
    return { order: await learn(app, order, checkout, { state: "open" }), what: "pending" };
  if (ended?.state === "paid") await takeCheckout(app, order, ended);
  const after = await learn(app, order, checkout, { state: "closed" });
  return { order: after, what: ended?.state === "paid" ? "paid" : "closed" };
}

/** Stores new information about it. */
export async function learn(
  app: App,
  order: OrderDoc,
  { number }: OrderCheckout,
  known: Partial<Pick<OrderCheckout, "ref" | "state">>,
): Promise<OrderDoc> {
  return (await changeOrder(app, order, (now) => changeCheckout(now, number, known))).order;
}

async function learnRef(app: App, order: OrderDoc, checkout: OrderCheckout): Promise<{ ref: string | null }> {
  const { made } = await makeCheckout(app, order, checkout);
  return { ref: made?.ref ?? null };
}

/** All of it is stored with the order or derived from it: a repeat requests the same. */
async function newCheckout(
  app: App,
  order: OrderDoc,
  { number, amount_cents: amountCents, at }: OrderCheckout,
): Promise<NewCheckout> {
  const { _id: orderId, account_id: accountId, currency, expires_at: expiresAt } = order;
  const { name, interval } = itemOf(order);
  return {
    idempotencyKey: `${orderId}:${number}`,
    orderId,
    accountId,
    email: (await getAnyAccount(app, accountId)).email,
    items: [{ name, amountCents }],
    currency,
    every: interval ?? "once",
    ...(interval && { subscriptionId: subscriptionOf(orderId) }),
    returnUrl: `${app.baseUrl}/checkout/${orderId}/return`,
    expiresAt,
    at,
  };
}

function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof PaymentProviderFailed && error.why === "refused") return undefined;
  throw error;
}
