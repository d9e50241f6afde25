// Sends a person to the payment provider for an open order, and cancels an order that is not to be paid. The provider is called outside any
// transaction; what it says is taken in like its events.
import { AppError } from "../../proto/codes.ts";
import { getAccount } from "../accounts/get-account.ts";
import type { App } from "../app.ts";
import { inTx } from "../mongo/in-tx.ts";
import { type Checkout, type PaymentProvider, PaymentProviderFailed } from "../payments/provider.ts";
import { subscriptionOf } from "../subscriptions/bought-subscription.ts";
import { itemOf } from "./fulfil.ts";
import { findOwnOrder } from "./list-orders.ts";
import { countSteps } from "./measure.ts";
import { checkPrice } from "./place-order.ts";
import { quote, wantedOf } from "./quote.ts";
import { addNote, nextCheckAt, REASONS, takeStep } from "./rules.ts";
import { findOrder, type OrderDoc, saveOrder } from "./store.ts";
import { takeCheckout } from "./take-checkout.ts";

export type CheckoutPage = { order: OrderDoc; url: string };

/**
 * Where the person pays. A price that has changed is asked about again: with the new one as `expectedCents` the order takes it.
 * Throws not_found, order_conflict, price_changed, service_unavailable, and what quote throws.
 */
export async function startCheckout(
  app: App,
  accountId: string,
  { orderId, expectedCents }: { orderId: string; expectedCents: number },
): Promise<CheckoutPage> {
  const order = await findOwnOrder(app, accountId, orderId);
  if (order.state !== "placed") throw conflict(order, "be paid");
  if (order.expires_at <= app.clock.now()) throw conflict(order, "be paid any more");
  const account = await getAccount(app, accountId);
  const quoted = await quote(app, account, wantedOf(order));
  checkPrice(quoted, expectedCents);
  const isSamePrice = expectedCents === order.amount_cents;
  if (order.provider_ref !== null) {
    const provider = providerOf(app, order);
    const open = await ask(() =>
      isSamePrice
        ? provider.fetchCheckout(order.provider_ref ?? "")
        : provider.cancelCheckout(order.provider_ref ?? ""),
    );
    if (open.state === "paid") return { order: await takeCheckout(app, order, open), url: "" };
    if (open.state === "pending") throw conflict(order, "be paid again while the bank decides");
    if (open.url !== null) return { order, url: open.url };
  }
  const provider = app.payments.current;
  if (!provider) throw new AppError("not_for_sale");
  const priced = await prepare(app, order, { item: quoted.item, provider });
  if (priced.state !== "placed") throw conflict(priced, "be paid");
  const made = await ask(() =>
    provider.createCheckout({
      idempotencyKey: `${orderId}:${priced.checkouts}`,
      orderId,
      accountId,
      email: account.email,
      items: priced.items.map(({ name, amount_cents }) => ({ name, amountCents: amount_cents })),
      currency: priced.currency,
      every: itemOf(priced).interval ?? "once",
      ...(itemOf(priced).interval && { subscriptionId: subscriptionOf(orderId) }),
      returnUrl: `${app.baseUrl}/checkout/${orderId}/return`,
      expiresAt: priced.expires_at,
    }),
  );
  return { order: await remember(app, priced, made), url: made.url ?? "" };
}

/** Throws not_found, order_conflict where it is paid or over, service_unavailable. */
export async function cancelOrder(app: App, accountId: string, orderId: string): Promise<OrderDoc> {
  const order = await findOwnOrder(app, accountId, orderId);
  if (order.state === "cancelled") return order;
  if (order.state !== "placed") throw conflict(order, "be cancelled");
  if (order.provider_ref !== null) {
    const closed = await ask(() => providerOf(app, order).cancelCheckout(order.provider_ref ?? ""));
    if (closed.state === "paid") throw conflict(await takeCheckout(app, order, closed), "be cancelled");
    if (closed.state === "pending") throw conflict(order, "be cancelled while the bank decides");
  }
  return changeOpen(app, order, (open, at) => takeStep(open, "cancelled", { at, note: REASONS.cancelled }));
}

/** The order as it will be paid, counted before the provider is asked, so that a repeat asks with the same key. */
async function prepare(
  app: App,
  order: OrderDoc,
  { item, provider }: { item: OrderDoc["items"][number]; provider: PaymentProvider },
): Promise<OrderDoc> {
  return changeOpen(app, order, (open, at) => {
    const isNew =
      open.checkouts === 0 || open.provider_ref !== null || item.amount_cents !== open.amount_cents;
    const changed = {
      ...open,
      items: [{ ...itemOf(open), amount_cents: item.amount_cents }],
      amount_cents: item.amount_cents,
      provider: provider.name,
      provider_ref: null,
      checkouts: open.checkouts + (isNew ? 1 : 0),
    };
    return item.amount_cents === open.amount_cents
      ? changed
      : addNote(changed, at, `The price changed from ${open.amount_cents} to ${item.amount_cents} cents.`);
  });
}

async function remember(app: App, order: OrderDoc, { ref }: Checkout): Promise<OrderDoc> {
  return changeOpen(app, order, (open, at) => {
    const known = { ...open, provider_ref: ref, checkout_at: at, checks: 0 };
    return { ...known, next_check_at: nextCheckAt(known, 0, at) };
  });
}

/** Changes the order if it is still open; otherwise answers it as it is. */
export async function changeOpen(
  app: App,
  { _id }: OrderDoc,
  change: (open: OrderDoc, at: Date) => OrderDoc,
): Promise<OrderDoc> {
  const at = app.clock.now();
  const changed = await inTx(app.mongo, async (session) => {
    const now = await findOrder(app.mongo.db, _id, session);
    if (!now) throw new Error(`order ${_id} is not there any more`);
    if (now.state !== "placed") return now;
    const next = change(now, at);
    await saveOrder(app.mongo.db, next, session);
    return next;
  });
  countSteps(app, changed, at);
  return changed;
}

export function providerOf(app: App, { _id, provider }: OrderDoc): PaymentProvider {
  const known = app.payments.known.get(provider ?? "");
  if (known) return known;
  throw new AppError("service_unavailable", {
    message: `The payment provider of order ${_id} is not set up here any more.`,
    hint: "Write to support, and name the order.",
  });
}

/** A provider that does not answer is away to the person; one that refuses what this installation asks for sells nothing here. */
async function ask<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed)) throw error;
    if (error.why === "setup" || error.isFinal)
      throw new AppError("not_for_sale", {
        message: "Nothing can be paid for here at the moment. Nothing was charged.",
        hint: "Try again later, or write to support.",
      });
    throw new AppError("service_unavailable", {
      message: "The payment provider does not answer at the moment. Nothing was charged.",
      retryAfterSeconds: 10,
    });
  }
}

function conflict({ state }: OrderDoc, what: string): AppError {
  return new AppError("order_conflict", { message: `The order is ${state} and cannot ${what}.` });
}
