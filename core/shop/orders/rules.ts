// The transitions of an order, and the effects of payment events. This file is pure.
import { ORDER_NUMBER, type OrderEventType, type OrderState } from "../../../proto/resources/order.ts";
import { dollars } from "../../../runtime/money.ts";
import type { Payment, PaymentEventBody } from "../../adapters/payments/provider.ts";
import { NO_WORK, type Schedule, workDue } from "../../base/work/rules.ts";
import { periodEnd } from "../subscriptions/rules.ts";
import { checkoutsOf, liveCheckouts } from "./checkout-rules.ts";
import type { OrderDoc, PaymentDoc } from "./store.ts";

const MINUTE_MS = 60_000;
const PAID_BACK: readonly OrderEventType[] = ["refused", "refunded", "dispute_lost"];

/** What moves an order to another state. */
export type OrderStep = Exclude<OrderEventType, "placed" | "noted">;

/** Everything that may happen to an order, and nothing else. */
const STEPS: Readonly<Record<OrderState, Readonly<Partial<Record<OrderStep, OrderState>>>>> = {
  placed: { paid: "paid", declined: "failed", expired: "expired", cancelled: "cancelled" },
  paid: { fulfilled: "fulfilled", refused: "refunded" },
  fulfilled: { refunded: "refunded", disputed: "disputed" },
  disputed: { dispute_won: "fulfilled", dispute_lost: "refunded", refunded: "refunded" },
  refunded: {},
  expired: {},
  cancelled: {},
  failed: {},
};

/** Undefined if the step cannot be taken. */
export function stateAfter(state: OrderState, step: OrderStep): OrderState | undefined {
  return STEPS[state][step];
}

/** The order after a step. Throws if it cannot be taken: callers decide that beforehand, so it means a bug. */
export function takeStep(
  order: OrderDoc,
  step: OrderStep,
  { at, note = null }: { at: Date; note?: string | null },
): OrderDoc {
  const state = stateAfter(order.state, step);
  if (!state) throw new Error(`order ${order._id} is ${order.state} and cannot be ${step}`);
  const checkouts_made = checkoutsOf(order);
  return {
    ...order,
    ...(checkouts_made.length > 0 && { checkouts_made: [...checkouts_made] }),
    ...(order.open_for && { open_for: null }),
    state,
    events: [...order.events, { seq: order.events.length + 1, type: step, at, note }],
    reason: note ?? order.reason,
    // A checkout that is still open when the order ends has to be closed.
    work: liveCheckouts(order).length > 0 ? workDue(at) : NO_WORK,
  };
}

/** The order with a line of its history that changes nothing else. */
export function addNote(order: OrderDoc, at: Date, note: string): OrderDoc {
  return {
    ...order,
    events: [...order.events, { seq: order.events.length + 1, type: "noted", at, note }],
  };
}

export function priceNote(fromCents: number, toCents: number): string {
  return `The price changed from ${dollars(fromCents)} to ${dollars(toCents)}.`;
}

/** Reasons that a person reads. */
export const REASONS = {
  amount: "The amount that was paid is not the price of the order.",
  secondPayment: "The order had been paid already.",
  over: "The order was over when the payment came.",
  otherAccount: "The payment was made for another account.",
  accountGone: "The account was closed before the payment came.",
  refunded: "The payment was refunded before the order could be fulfilled.",
  declined: "The payment was declined.",
  expired: "It was not paid in time.",
  cancelled: "It was cancelled before it was paid.",
  refundedThere: "The payment was refunded.",
  disputed: "The payment is disputed with the bank; what was bought rests until that is decided.",
  upgradedGone: "The licence that it upgraded was refunded.",
  disputeLost: "The bank decided that the payment goes back.",
} as const;

export type PaidDecision =
  /** Nothing is known about it here: someone has to look. */
  | { readonly kind: "unclaimed" }
  /** This payment has already been recorded. */
  | { readonly kind: "known" }
  /** The payment is refunded and the order stays unchanged. */
  | { readonly kind: "give_back"; readonly reason: string }
  /** The order is paid, cannot be fulfilled, and the payment is refunded. */
  | { readonly kind: "refuse"; readonly reason: string }
  | { readonly kind: "fulfil" };

/** The effect of a payment. `known` is the stored payment; it exists if other events of it came first. */
export function decidePaid(
  order: OrderDoc | null,
  known: PaymentDoc | null,
  { payment, accountId }: { payment: Payment; accountId: string | null },
): PaidDecision {
  if (known && known.paid_at !== null) return { kind: "known" };
  if (!order) return { kind: "unclaimed" };
  if (accountId !== null && accountId !== order.account_id)
    return { kind: "give_back", reason: REASONS.otherAccount };
  if (order.state !== "placed")
    return { kind: "give_back", reason: order.paid_at ? REASONS.secondPayment : REASONS.over };
  if (known?.state === "given_back") return { kind: "refuse", reason: REASONS.refunded };
  const isPrice =
    payment.currency === order.currency && payment.amountCents - payment.taxCents === order.amount_cents;
  return isPrice ? { kind: "fulfil" } : { kind: "refuse", reason: REASONS.amount };
}

/** The effect on an order of a checkout that ended without a payment; undefined means none. */
export function decideUnpaid(
  order: OrderDoc | null,
  { kind, checkoutRef }: Extract<PaymentEventBody, { kind: "declined" | "expired" }>,
): OrderStep | undefined {
  if (!order) return undefined;
  // A checkout that is closed or about to be closed is not wanted any more; its end is not that of the order.
  const isWanted = checkoutsOf(order).some(({ ref, state }) => ref === checkoutRef && state === "open");
  return isWanted && stateAfter(order.state, kind) ? kind : undefined;
}

export type DisputeBody = "dispute_opened" | "dispute_won" | "dispute_lost";

/** The steps of the order after a dispute event, in sequence. Events may repeat and come out of order, so a decision stays. */
export function decideDispute(order: OrderDoc, known: PaymentDoc["dispute"], news: DisputeBody): OrderStep[] {
  if (known === "won" || known === "lost") return [];
  if (news === "dispute_opened") return order.state === "fulfilled" ? ["disputed"] : [];
  if (order.state === "disputed") return [news];
  // The opening was never reported, or comes later.
  return news === "dispute_lost" && order.state === "fulfilled" ? ["disputed", "dispute_lost"] : [];
}

const CHECKS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
const HOURLY_MS = 60 * MINUTE_MS;
/** How long an order can be paid. */
export const OPEN_MS = 24 * HOURLY_MS;

/** When the provider is asked about an open order after `checks` questions; at its end at the latest. */
export function nextCheckAt(
  { checkout_at, expires_at }: Pick<OrderDoc, "checkout_at" | "expires_at">,
  checks: number,
  now: Date,
): Date {
  // No one was sent to the provider yet.
  if (checkout_at === null) return expires_at;
  const sinceMs = CHECKS_MS[checks];
  const nextMs = sinceMs === undefined ? now.getTime() + HOURLY_MS : checkout_at.getTime() + sinceMs;
  const atMs = Math.max(nextMs, now.getTime() + MINUTE_MS);
  // After its end it is queried until the provider has answered.
  return expires_at > now ? new Date(Math.min(atMs, expires_at.getTime())) : new Date(atMs);
}

/** A payment that a worker refunds, see refunds.ts, unless the money is back already: it was refunded, or a dispute of it was lost. */
export function returning(payment: PaymentDoc, reason: string, at: Date): PaymentDoc {
  if (payment.state === "given_back") return { ...payment, reason };
  return { ...payment, state: "to_give_back", reason, work: workDue(at) };
}

/** A payment that could not be refunded is tried again for as long as it takes. */
export const REFUND_SCHEDULE: Schedule = {
  waitsMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  thenMs: HOURLY_MS,
};

/**
 * The period that an order has paid for, or would if it were paid at `ifPaidAt`; undefined for what is paid once. If the provider did not
 * say, it begins with the payment.
 */
export function paidPeriod(
  { items, subscription, paid_at }: Pick<OrderDoc, "items" | "subscription" | "paid_at">,
  ifPaidAt?: Date,
): { from: Date; until: Date } | undefined {
  const interval = items[0]?.interval;
  const from = paid_at ?? ifPaidAt;
  if (!interval || !from) return undefined;
  return subscription?.period ?? { from, until: periodEnd(from, interval) };
}

/** The last movement of an order's money, and when; undefined if nothing was paid. */
export function moneyOf({
  payment_ref,
  receipt_number,
  paid_at,
  events,
}: Pick<OrderDoc, "payment_ref" | "receipt_number" | "paid_at" | "events">):
  | { readonly kind: "receipt" | "refund"; readonly at: Date }
  | undefined {
  if (payment_ref === null) return undefined;
  const back = events.findLast(({ type }) => PAID_BACK.includes(type));
  if (back) return { kind: "refund", at: back.at };
  return receipt_number !== null && paid_at ? { kind: "receipt", at: paid_at } : undefined;
}

/** 2026-000001 */
export function receiptNumber(year: number, count: number): string {
  return `${year}-${String(count).padStart(6, "0")}`;
}

/** Which orders may have this number or receipt: by the time of their ids. Undefined if the text is neither. */
export function ordersNumbered(
  text: string,
):
  | { readonly from: number; readonly to: number; readonly end?: string; readonly receipt?: string }
  | undefined {
  const year = Number(/^(20\d{2})-\d{6,}$/.exec(text)?.[1]);
  // An order that was paid in that year was placed in it or a while before.
  if (year) return { from: Date.UTC(year - 1, 6), to: Date.UTC(year + 1, 0, 2), receipt: text };
  const { day, end } = ORDER_NUMBER.exec(text)?.groups ?? {};
  const from = Date.parse(day?.replace(/(....)(..)(..)/, "$1-$2-$3") ?? "");
  return end === undefined || Number.isNaN(from)
    ? undefined
    : { from, to: from + 24 * HOURLY_MS, end: end.toUpperCase() };
}
