// Translates Stripe's objects into the service's terms. This file is pure.
import type { Stripe } from "stripe";
import type {
  Checkout,
  CheckoutState,
  Payment,
  Period,
  ProviderSubscription,
  SubscriptionInfo,
} from "./provider.ts";

/** What `toCheckout` reads in addition to the session itself. */
export const SESSION_PARTS = ["payment_intent.latest_charge", "invoice.payments", "subscription"];
export const INVOICE_PARTS = ["payments"];

export function toCheckout(session: Stripe.Checkout.Session): Checkout {
  const state = stateOf(session);
  const isPaid = state === "paid";
  return {
    ref: session.id,
    state,
    url: state === "open" ? session.url : null,
    payment: isPaid ? paymentOfSession(session) : null,
    subscriptionRef: isPaid ? (idOf(session.subscription) ?? null) : null,
  };
}

/** The account of a checkout; undefined if another software using the same Stripe account made it. */
export function ownerOf({
  id,
  metadata,
}: Stripe.Checkout.Session): { checkoutRef: string; orderId: string; accountId: string | null } | undefined {
  const orderId = metadata?.["order_id"];
  return orderId === undefined
    ? undefined
    : { checkoutRef: id, orderId, accountId: metadata?.["account_id"] ?? null };
}

function stateOf(session: Stripe.Checkout.Session): CheckoutState {
  if (session.status !== "complete") return session.status === "open" ? "open" : "expired";
  if (session.payment_status !== "unpaid") return "paid";
  const intent = expanded(session.payment_intent)?.status;
  const subscription = expanded(session.subscription)?.status;
  const isOver =
    intent === "requires_payment_method" ||
    intent === "canceled" ||
    subscription === "canceled" ||
    subscription === "incomplete_expired";
  return isOver ? "declined" : "pending";
}

function paymentOfSession(session: Stripe.Checkout.Session): Payment {
  const invoice = expanded(session.invoice);
  const intent = expanded(session.payment_intent);
  const paidAt =
    expanded(intent?.latest_charge)?.created ?? invoice?.status_transitions.paid_at ?? session.created;
  return {
    ref: intent?.id ?? (invoice && intentOf(invoice)) ?? session.id,
    amountCents: session.amount_total ?? 0,
    taxCents: session.total_details?.amount_tax ?? 0,
    currency: session.currency ?? "",
    at: toDate(paidAt),
    period: invoice && periodOf(invoice),
  };
}

export function paymentOfInvoice(invoice: Stripe.Invoice): Payment {
  return {
    ref: intentOf(invoice) ?? invoice.id,
    amountCents: invoice.amount_paid,
    taxCents: (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
    currency: invoice.currency,
    at: toDate(invoice.status_transitions.paid_at ?? invoice.created),
    period: periodOf(invoice),
  };
}

/** The payment intent identifies a payment in refunds and disputes. There is none if nothing had to be paid. */
function intentOf({ payments }: Stripe.Invoice): string | undefined {
  const paid = payments?.data.find(({ status }) => status === "paid");
  return idOf(paid?.payment.payment_intent);
}

function periodOf(invoice: Stripe.Invoice): Period | undefined {
  const period = periodLine(invoice)?.period;
  return period && { from: toDate(period.start), until: toDate(period.end) };
}

/** The line for a period, of those that are not a proration the one that ends last. */
export function periodLine({ lines }: Stripe.Invoice): Stripe.InvoiceLineItem | undefined {
  return lines.data
    .filter(({ parent }) => parent?.subscription_item_details && !parent.subscription_item_details.proration)
    .toSorted((one, other) => other.period.end - one.period.end)[0];
}

/** Returns undefined for an invoice of something else, or of another software's subscription. */
export function subscriptionOf({ parent }: Stripe.Invoice): SubscriptionInfo | undefined {
  const details = parent?.subscription_details;
  const subscriptionRef = idOf(details?.subscription);
  return subscriptionRef === undefined || !isOurs(details?.metadata)
    ? undefined
    : { subscriptionRef, subscriptionId: details?.metadata?.["subscription_id"] ?? null };
}

/** `schedule`, with its prices, is the planned change, if any. */
export function toSubscription(
  subscription: Stripe.Subscription,
  schedule?: Stripe.SubscriptionSchedule,
): ProviderSubscription {
  const { cancel_at_period_end, status, ended_at } = subscription;
  const isOver = hasEnded(status);
  const { price, current_period_end } = itemOf(subscription);
  const planned = schedule?.phases.find(({ start_date }) => start_date >= current_period_end);
  const nextPrice = expanded(planned?.items[0]?.price);
  return {
    hasEnded: isOver,
    paidUntil: isOver && ended_at !== null ? toDate(ended_at) : paidUntil(subscription),
    endsThen: isOver || cancel_at_period_end,
    price: periodPrice(price),
    nextPrice: nextPrice ? periodPrice(nextPrice) : null,
  };
}

function periodPrice({ unit_amount, recurring }: Stripe.Price): ProviderSubscription["price"] {
  return { amountCents: unit_amount ?? 0, every: recurring?.interval ?? "" };
}

export function itemOf({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data;
  if (!item) throw new Error(`subscription ${id} has no item`);
  return item;
}

export function factsOf({ id, metadata }: Stripe.Subscription): SubscriptionInfo {
  return { subscriptionRef: id, subscriptionId: metadata["subscription_id"] ?? null };
}

/** Whether this service made it, because others may use the same Stripe account. */
export function isOurs(metadata: Stripe.Metadata | null | undefined): boolean {
  return metadata?.["order_id"] !== undefined;
}

export function hasEnded(status: Stripe.Subscription.Status): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

/** Stripe begins the next period before it is paid, and stays in it if the payment fails. */
function paidUntil(subscription: Stripe.Subscription): Date {
  const { status } = subscription;
  const item = itemOf(subscription);
  const isPaid = status === "active" || status === "trialing";
  return toDate(isPaid ? item.current_period_end : item.current_period_start);
}

export type DisputeWord = "dispute_opened" | "dispute_won" | "dispute_lost";

/** Returns undefined if it is not a dispute: a bank's inquiry, or one that was settled by a refund. */
export function disputeWord(status: Stripe.Dispute.Status): DisputeWord | undefined {
  if (status === "won") return "dispute_won";
  if (status === "lost") return "dispute_lost";
  return status === "needs_response" || status === "under_review" ? "dispute_opened" : undefined;
}

export function toDate(seconds: number): Date {
  return new Date(seconds * 1000);
}

export function idOf(value: string | { id: string } | null | undefined): string | undefined {
  return typeof value === "string" ? value : value?.id;
}

/** Stripe answers with an object or only its id. */
function expanded<T extends { id: string }>(
  value: string | T | null | undefined,
): Exclude<T, { deleted: true }> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return isThere(value) ? value : undefined;
}

function isThere<T extends object>(value: T): value is Exclude<T, { deleted: true }> {
  return !("deleted" in value);
}
