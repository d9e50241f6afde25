// Parses Stripe's events: their signature, and their content in the service's terms. Missing or possibly outdated parts are queried.
import type { Stripe } from "stripe";
import { BadSignature, type EventHeaders, type PaymentEvent, type PaymentEventBody } from "./provider.ts";
import type { StripeCalls } from "./stripe-calls.ts";
import {
  disputeWord,
  factsOf,
  hasEnded,
  idOf,
  INVOICE_PARTS,
  isOurs,
  ownerOf,
  paymentOfInvoice,
  periodLine,
  SESSION_PARTS,
  subscriptionOf,
  toCheckout,
  toDate,
  toSubscription,
} from "./stripe-rules.ts";

/** An event that was signed longer ago may be a recorded copy. */
const TOLERANCE_SECONDS = 300;

/** Any of the secrets may have signed it. Throws BadSignature. */
export function verifyEvent(
  { stripe }: StripeCalls,
  { rawBody, headers }: { rawBody: Uint8Array; headers: EventHeaders },
  { secrets, now }: { secrets: readonly string[]; now: Date },
): Stripe.Event {
  const signature = headers["stripe-signature"] ?? "";
  let why = "there is no secret";
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(
        Buffer.from(rawBody),
        signature,
        secret,
        TOLERANCE_SECONDS,
        undefined,
        now.getTime(),
      );
    } catch (error) {
      if (!(error instanceof stripe.errors.StripeSignatureVerificationError)) throw error;
      why = error.message.split("\n", 1)[0] ?? "";
    }
  }
  throw new BadSignature(why);
}

export async function readStripeEvent(calls: StripeCalls, event: Stripe.Event): Promise<PaymentEvent> {
  return { id: event.id, at: toDate(event.created), news: await eventOf(calls, event) };
}

async function eventOf(calls: StripeCalls, event: Stripe.Event): Promise<PaymentEventBody> {
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
      return completed(calls, event.data.object);
    case "checkout.session.async_payment_failed":
      return unpaid(event.data.object, "declined");
    case "checkout.session.expired":
      return unpaid(event.data.object, "expired");
    case "invoice.paid":
    case "invoice.payment_failed":
      return invoiced(calls, event.data.object.id ?? "");
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
      return subscribed(calls, event.data.object);
    case "charge.refunded":
      return refunded(event.data.object);
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.closed":
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated":
      return disputed(event.data.object);
    default:
      return other(event.type);
  }
}

async function completed(
  calls: StripeCalls,
  { id, ...told }: Stripe.Checkout.Session,
): Promise<PaymentEventBody> {
  const facts = ownerOf({ id, ...told });
  if (!facts) return other("a checkout that is not ours");
  const session = await calls.ask("tell of a checkout", (stripe) =>
    stripe.checkout.sessions.retrieve(id, { expand: SESSION_PARTS }),
  );
  const { state, payment, subscriptionRef } = toCheckout(session);
  return state === "paid" && payment
    ? { kind: "paid", ...facts, payment, subscriptionRef }
    : other(`a checkout that is ${state}`);
}

function unpaid(session: Stripe.Checkout.Session, kind: "declined" | "expired"): PaymentEventBody {
  const facts = ownerOf(session);
  return facts ? { kind, ...facts } : other("a checkout that is not ours");
}

/** The invoice as it is now: an event about a failed payment may arrive after the payment succeeded. */
async function invoiced(calls: StripeCalls, id: string): Promise<PaymentEventBody> {
  const invoice = await calls.ask("tell of an invoice", (stripe) =>
    stripe.invoices.retrieve(id, { expand: INVOICE_PARTS }),
  );
  const facts = subscriptionOf(invoice);
  if (!facts) return other("an invoice that is not ours");
  const { billing_reason: reason, status } = invoice;
  // The checkout reports the first period.
  if (reason !== "subscription_cycle" && reason !== "subscription_update")
    return other(`an invoice: ${reason}`);
  const payment = paymentOfInvoice(invoice);
  const { period } = payment;
  if (reason === "subscription_cycle" && status === "open") return { kind: "renewal_failed", ...facts };
  if (status !== "paid") return other(`an invoice that is ${status}`);
  if (reason === "subscription_cycle")
    return period
      ? { kind: "renewed", ...facts, payment: { ...payment, period } }
      : other("an invoice for no period");
  return payment.amountCents > 0
    ? { kind: "change_paid", ...facts, payment, priceCents: periodLine(invoice)?.amount }
    : other("a change that is free");
}

/** The subscription as it is now: events may arrive in the wrong order. */
async function subscribed(calls: StripeCalls, told: Stripe.Subscription): Promise<PaymentEventBody> {
  if (!isOurs(told.metadata)) return other("a subscription that is not ours");
  const subscription = await calls.ask("tell of a subscription", (stripe) =>
    stripe.subscriptions.retrieve(told.id),
  );
  const facts = factsOf(subscription);
  if (hasEnded(subscription.status)) return { kind: "subscription_ended", ...facts };
  const { paidUntil, endsThen } = toSubscription(subscription);
  return { kind: "subscription_changed", ...facts, paidUntil, endsThen };
}

function refunded({ payment_intent, amount_refunded, refunded: isWhole }: Stripe.Charge): PaymentEventBody {
  const paymentRef = idOf(payment_intent);
  return paymentRef === undefined
    ? other("a refund of no payment of ours")
    : { kind: "refunded", paymentRef, amountCents: amount_refunded, isWhole };
}

function disputed({ payment_intent, status }: Stripe.Dispute): PaymentEventBody {
  const paymentRef = idOf(payment_intent);
  const kind = disputeWord(status);
  return paymentRef !== undefined && kind ? { kind, paymentRef } : other(`a dispute that is ${status}`);
}

function other(what: string): PaymentEventBody {
  return { kind: "other", what };
}
