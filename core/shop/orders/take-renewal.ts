// A payment for a subscription that continues: each is a separate order, with a receipt, that can be refunded and disputed like any other.
import { AppError } from "../../../proto/codes.ts";
import { withoutPrefix } from "../../../runtime/clock.ts";
import type { PaymentEventBody } from "../../adapters/payments/provider.ts";
import { subscriptionOf } from "../subscriptions/bought-subscription.ts";
import { nameOffer } from "../subscriptions/offers.ts";
import { afterRenewal, paidChange } from "../subscriptions/rules.ts";
import type { SubscriptionDoc } from "../subscriptions/store.ts";
import { findTold } from "../subscriptions/take-event.ts";
import { payAndFulfil, payAndRefuse } from "./advance.ts";
import { subscriptionItem } from "./quote.ts";
import { OPEN_MS, REASONS, returning } from "./rules.ts";
import { keepPaid, loadPayment, type PaymentOutcome, type PaymentContext } from "./settle-payment.ts";
import { findOrder, insertOrder, type OrderDoc, type PaymentDoc, savePayment } from "./store.ts";

type RenewalBody = Extract<PaymentEventBody, { kind: "renewed" | "change_paid" }>;

/** Throws service_unavailable if the payment that begins the subscription has not been reported yet: then the event is to be sent again. */
export async function takeRenewal(taking: PaymentContext, news: RenewalBody): Promise<PaymentOutcome> {
  const { app, tx, provider } = taking;
  const { payment } = news;
  const known = await loadPayment(taking, payment.ref);
  if (known.paid_at !== null) return { order: null, what: "known" };
  const paid: PaymentDoc = {
    ...known,
    amount_cents: payment.amountCents,
    currency: payment.currency,
    paid_at: payment.at,
  };
  const subscription = await findTold(app, tx, provider, news);
  if (!subscription) return takeUntold(taking, news, paid);
  const order = await renewalOrder(taking, subscription, news);
  await insertOrder(app.mongo.db, order, tx);
  const taken = { ...paid, order_id: order._id, account_id: order.account_id };
  if (known.state === "given_back")
    return keepPaid(taking, await payAndRefuse(app, tx, order, REASONS.refunded), taken);
  const isOurs = payment.currency === order.currency;
  const after = isOurs
    ? await payAndFulfil(app, tx, order)
    : await payAndRefuse(app, tx, order, REASONS.amount);
  return keepPaid(taking, after, taken);
}

/** The subscription is unknown here. */
async function takeUntold(
  { app, tx }: PaymentContext,
  { subscriptionId, subscriptionRef }: RenewalBody,
  paid: PaymentDoc,
): Promise<PaymentOutcome> {
  const orderId = subscriptionId === null ? null : `ord_${withoutPrefix(subscriptionId)}`;
  const order = orderId === null ? null : await findOrder(app.mongo.db, orderId, tx);
  if (order?.state === "placed" && subscriptionOf(order._id) === subscriptionId)
    throw new AppError("service_unavailable", {
      message: "The payment that begins this subscription was not heard of yet.",
      retryAfterSeconds: 10,
    });
  if (order) {
    const taken = { ...paid, order_id: order._id, account_id: order.account_id };
    await savePayment(app.mongo.db, returning(taken, REASONS.over, tx.now), tx);
    return { order, what: "given_back" };
  }
  await savePayment(app.mongo.db, { ...paid, state: "unclaimed" }, tx);
  app.log.error({ payment: paid._id, subscriptionRef }, "a payment names no subscription that is known here");
  return { order: null, what: "unclaimed" };
}

async function renewalOrder(
  { app, tx, provider, newOrderId }: PaymentContext,
  subscription: SubscriptionDoc,
  news: RenewalBody,
): Promise<OrderDoc> {
  const { now: at } = tx;
  const { kind, account_id, currency } = subscription;
  const { payment } = news;
  const { period } = payment;
  const isRenewal = news.kind === "renewed";
  const renewed = { ...subscription, ...(period && afterRenewal(subscription, period)) };
  const offer = isRenewal ? renewed : paidChange(subscription, payment, news.priceCents);
  const name = await nameOffer(app, kind, offer);
  const amount_cents = payment.amountCents - payment.taxCents;
  const item = subscriptionItem(kind, offer, {
    name: isRenewal ? name : `Change to ${name}`,
    cents: amount_cents,
  });
  return {
    _id: newOrderId,
    account_id,
    idempotency_key: `payment:${provider}:${payment.ref}`,
    kind,
    items: [item],
    currency,
    amount_cents,
    tax_cents: payment.taxCents,
    state: "placed",
    events: [{ seq: 1, type: "placed", at, note: null }],
    provider,
    provider_ref: null,
    checkout_at: null,
    checkouts: 0,
    payment_ref: payment.ref,
    receipt_number: null,
    reason: null,
    created_at: at,
    paid_at: null,
    expires_at: new Date(at.getTime() + OPEN_MS),
    credits_taken_back: 0,
    subscription: {
      id: subscription._id,
      ref: subscription.provider_ref,
      about: isRenewal ? "renewal" : "change",
      ...(period && { period }),
    },
  };
}
