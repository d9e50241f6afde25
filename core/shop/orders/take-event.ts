// Handles a payment provider's event in one transaction: the event's id, the payment, the order, and everything that was bought. An event
// may come twice, late, in the wrong order, or be about our own request.
import { dollars } from "../../../runtime/money.ts";
import type { Checkout, PaymentEvent, PaymentEventBody } from "../../adapters/payments/provider.ts";
import { isPassing } from "../../base/mongo/errors.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { NO_WORK } from "../../base/work/rules.ts";
import type { App } from "../../kernel/app.ts";
import { endStray, subscriptionOf } from "../subscriptions/bought-subscription.ts";
import { takeSubscriptionEvent } from "../subscriptions/take-event.ts";
import { dispute, payAndFulfil, payAndRefuse, refund, tell, winDispute } from "./advance.ts";
import { closeCheckoutOf } from "./checkout-rules.ts";
import { boughtBy } from "./fulfil.ts";
import { extraPaymentMail } from "./mails.ts";
import { countSteps } from "./measure.ts";
import {
  addNote,
  decideDispute,
  decidePaid,
  decideUnpaid,
  type DisputeBody,
  REASONS,
  returning,
  takeStep,
} from "./rules.ts";
import { keepPaid, loadPayment, type PaymentContext, type PaymentOutcome } from "./settle-payment.ts";
import {
  findOrder,
  findOrderByCheckout,
  findPaymentEvent,
  insertPaymentEvent,
  type OrderDoc,
  type PaymentDoc,
  saveOrder,
  savePayment,
} from "./store.ts";
import { takeRenewal } from "./take-renewal.ts";

const DISPUTE_STATES = { dispute_opened: "open", dispute_won: "won", dispute_lost: "lost" } as const;

/** Returns `duplicate` for an event that was handled before. */
export async function takeEvent(app: App, provider: string, event: PaymentEvent): Promise<PaymentOutcome> {
  const taken_at = app.clock.now();
  const newOrderId = app.newId("ord");
  const _id = `${provider}:${event.id}`;
  const { news, at } = event;
  const outcome = await inTx({ mongo: app.mongo, now: taken_at }, async (tx) => {
    if (await findPaymentEvent(app.mongo.db, _id, tx)) return { order: null, what: "duplicate" };
    const taken = await takeNews({ app, tx, provider, newOrderId }, news, at);
    // A repeat of an event that is ignored does no harm.
    if (taken.what === "not_ours") return taken;
    await insertPaymentEvent(
      app.mongo.db,
      { _id, kind: news.kind, order_id: taken.order?._id ?? null, at, taken_at: tx.now, outcome: taken.what },
      tx,
    );
    return taken;
  }).catch((error: unknown) => {
    if (!isPassing(error)) app.log.error({ err: error, event_id: _id }, "a payment event was not taken");
    throw error;
  });
  app.log.info(
    { event_id: _id, kind: news.kind, order_id: outcome.order?._id, outcome: outcome.what },
    "payment event",
  );
  app.metrics
    .counter("payment_events_total", "Events of payment providers that were taken.", ["kind", "outcome"])
    .inc({ kind: news.kind, outcome: outcome.what });
  if (outcome.order) countSteps(app, outcome.order, taken_at);
  return outcome;
}

async function takeNews(
  taking: PaymentContext,
  news: PaymentEventBody,
  toldAt: Date,
): Promise<PaymentOutcome> {
  switch (news.kind) {
    case "paid":
      return takePaid(taking, news);
    case "declined":
    case "expired":
      return takeUnpaid(taking, news);
    case "refunded":
      return takeRefunded(taking, news);
    case "dispute_opened":
    case "dispute_won":
    case "dispute_lost":
      return takeDispute(taking, news.paymentRef, news.kind);
    case "renewed":
    case "change_paid":
      return takeRenewal(taking, news);
    case "renewal_failed":
    case "subscription_changed":
    case "subscription_ended":
      return {
        order: null,
        what: await takeSubscriptionEvent(taking.app, taking.tx, taking.provider, news, toldAt),
      };
    default:
      return { order: null, what: "not_ours" };
  }
}

type PaidBody = Extract<PaymentEventBody, { kind: "paid" }>;

/** A subscription that the payment has begun, and that does not exist here, is ended at the provider. */
async function takePaid(taking: PaymentContext, news: PaidBody): Promise<PaymentOutcome> {
  const found = await findOrderOf(taking, news);
  // A paid order cannot be paid again.
  const order = found && closeCheckoutOf(found, news.checkoutRef);
  const outcome = await takePayment(taking, order, news);
  const { subscriptionRef: ref } = news;
  const isHad = outcome.what === "known" || outcome.order?.subscription?.ref === ref;
  const isGiven = isHad && outcome.what !== "refused" && outcome.what !== "given_back";
  if (order && ref !== null && !isGiven)
    await endStray(
      taking.app,
      taking.tx,
      boughtBy({ ...order, subscription: { id: subscriptionOf(order._id), ref, about: "join" } }),
    );
  return outcome;
}

async function takePayment(
  taking: PaymentContext,
  order: OrderDoc | null,
  { payment, accountId, subscriptionRef, ...checkout }: PaidBody,
): Promise<PaymentOutcome> {
  const { app, tx } = taking;
  const known = await loadPayment(taking, payment.ref);
  const decision = decidePaid(order, known, { payment, accountId });
  if (decision.kind === "known") return { order, what: "known" };
  const taken: PaymentDoc = {
    ...known,
    order_id: order?._id ?? null,
    account_id: order?.account_id ?? null,
    amount_cents: payment.amountCents,
    currency: payment.currency,
    paid_at: payment.at,
  };
  if (decision.kind === "unclaimed" || !order) {
    await savePayment(app.mongo.db, { ...taken, state: "unclaimed" }, tx);
    app.log.error({ payment: taken._id, ...checkout }, "a payment names no order that is known here");
    return { order: null, what: "unclaimed" };
  }
  if (decision.kind === "give_back") return refundTaken(taking, order, taken, decision.reason);
  const paidOrder: OrderDoc = {
    ...order,
    payment_ref: payment.ref,
    tax_cents: payment.taxCents,
    ...(subscriptionRef !== null && {
      subscription: {
        id: subscriptionOf(order._id),
        ref: subscriptionRef,
        about: "join" as const,
        ...(payment.period && { period: payment.period }),
      },
    }),
  };
  const after =
    decision.kind === "fulfil"
      ? await payAndFulfil(app, tx, paidOrder)
      : await payAndRefuse(app, tx, paidOrder, decision.reason);
  return keepPaid(taking, after, taken);
}

/** The order stays unchanged, and the money is refunded. */
async function refundTaken(
  taking: PaymentContext,
  order: OrderDoc,
  taken: PaymentDoc,
  reason: string,
): Promise<PaymentOutcome> {
  const { app, tx } = taking;
  await savePayment(app.mongo.db, returning(taken, reason, tx.now), tx);
  // A payment of another account does not concern the order's owner.
  if (reason !== REASONS.otherAccount) {
    await saveOrder(app.mongo.db, addNote(order, tx.now, `A payment goes back: ${reason}`), tx);
    await tell(app, tx, order, extraPaymentMail(order, reason, app.baseUrl), taken._id);
  }
  return { order, what: "given_back" };
}

async function takeUnpaid(
  taking: PaymentContext,
  news: Extract<PaymentEventBody, { kind: "declined" | "expired" }>,
): Promise<PaymentOutcome> {
  const order = await findOrderOf(taking, news);
  const step = decideUnpaid(order, news);
  if (!order || !step) return { order, what: "nothing" };
  const note = news.kind === "declined" ? REASONS.declined : REASONS.expired;
  const after = takeStep(closeCheckoutOf(order, news.checkoutRef), step, { at: taking.tx.now, note });
  await saveOrder(taking.app.mongo.db, after, taking.tx);
  return { order: after, what: after.state };
}

async function takeRefunded(
  taking: PaymentContext,
  { paymentRef, amountCents, isWhole }: Extract<PaymentEventBody, { kind: "refunded" }>,
): Promise<PaymentOutcome> {
  const { app, tx } = taking;
  const { db } = app.mongo;
  const payment = await loadPayment(taking, paymentRef);
  const order = payment.order_id === null ? null : await findOrder(db, payment.order_id, tx);
  if (!isWhole) {
    const refunded_cents = Math.max(payment.refunded_cents ?? 0, amountCents);
    await savePayment(db, { ...payment, refunded_cents }, tx);
    if (!order) return { order, what: "noted" };
    const after = addNote(order, tx.now, `${dollars(amountCents)} of the payment was refunded.`);
    await saveOrder(db, after, tx);
    return { order: after, what: "partly" };
  }
  await savePayment(db, { ...payment, state: "given_back", work: NO_WORK }, tx);
  const isOurs = order?.payment_ref === paymentRef;
  if (!order || !isOurs || (order.state !== "fulfilled" && order.state !== "disputed"))
    return { order, what: "noted" };
  const after = await refund(app, tx, order, { reason: REASONS.refundedThere });
  await saveOrder(db, after, tx);
  return { order: after, what: after.state };
}

async function takeDispute(
  taking: PaymentContext,
  paymentRef: string,
  news: DisputeBody,
): Promise<PaymentOutcome> {
  const { app, tx } = taking;
  const { db } = app.mongo;
  const payment = await loadPayment(taking, paymentRef);
  const isDecided = payment.dispute === "won" || payment.dispute === "lost";
  const found = payment.order_id === null ? null : await findOrder(db, payment.order_id, tx);
  // One payment too many may be disputed too; it is refunded anyway.
  const order = found?.payment_ref === paymentRef ? found : null;
  const steps = order ? decideDispute(order, payment.dispute, news) : [];
  const state = news === "dispute_lost" && !isDecided ? "given_back" : payment.state;
  await savePayment(
    db,
    {
      ...payment,
      state,
      dispute: isDecided ? payment.dispute : DISPUTE_STATES[news],
      ...(state === "given_back" && { work: NO_WORK }),
    },
    tx,
  );
  if (!order || steps.length === 0) return { order, what: "noted" };
  let after = order;
  for (const step of steps) {
    if (step === "disputed") after = await dispute(app, tx, after);
    else if (step === "dispute_won") after = await winDispute(app, tx, after);
    else after = await refund(app, tx, after, { reason: REASONS.disputeLost, step: "dispute_lost" });
  }
  await saveOrder(db, after, tx);
  return { order: after, what: after.state };
}

async function findOrderOf(
  { app, tx, provider }: PaymentContext,
  { orderId, checkoutRef }: { orderId: string | null; checkoutRef: string },
): Promise<OrderDoc | null> {
  return orderId === null
    ? findOrderByCheckout(app.mongo.db, { provider, ref: checkoutRef }, tx)
    : findOrder(app.mongo.db, orderId, tx);
}

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
