// Documents of the demo provider, which is its own bank, and the Stripe customer of each account. Named queries only; no decisions.
import { counted, erasing, goneFields, keptFields } from "../../base/documents/fields.ts";
import { findingById, inserting } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import { dueBy } from "../../base/mongo/due.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { workIndex } from "../../base/work/queue.ts";
import { type Work, WORK_FIELDS } from "../../base/work/rules.ts";
import type { CheckoutState, Currency, NewCheckout, OpenCheckout, Payment } from "./provider.ts";

/**
 * A checkout of the demo provider. Updates: the pressed button, its end, a refund. Deletion: never; there are none in production.
 * Guarantees: one for each idempotency key, by the id; paid at most once.
 */
export type DemoCheckoutDoc = Omit<NewCheckout, "idempotencyKey" | "at"> & {
  _id: string;
  state: CheckoutState;
  payment: Payment | null;
  refunded: boolean;
  createdAt: Date;
};

/** An event to send to the service's own route. Updates: each attempt. Deletion: when it was sent as often as configured, or given up. */
export type DemoEventDoc = {
  /** The event's id. */
  _id: string;
  body: string;
  /** How often it still has to be accepted. */
  times: number;
  work: Work;
};

/**
 * A subscription at the demo provider, which renews it automatically. Updates: renewals, requests. Deletion: never; there are none in
 * production.
 */
export type DemoSubscriptionDoc = {
  /** Made from the id of its checkout. */
  _id: string;
  accountId: string;
  /** Our own id of it. */
  subscriptionId: string | null;
  item: { name: string; amountCents: number };
  currency: Currency;
  every: "month" | "year";
  paidFrom: Date;
  paidUntil: Date;
  endsThen: boolean;
  /** The price from the next period on. */
  next: { item: { name: string; amountCents: number }; every: "month" | "year" } | null;
  /** Whether its card declines renewals. */
  declines: boolean;
  /** The number of consecutive failed renewals. */
  failures: number;
  /** The number of its events. */
  events: number;
  /** The key of the latest change. */
  lastKey: string | null;
  /** When it renews or ends; null once it has ended. */
  next_at: Date | null;
};

/**
 * Which customer of Stripe an account is.
 *
 * Updates: where Stripe does not know the customer any more. Deletion: with the account.
 */
type StripeCustomerDoc = { /** The account. */ _id: string; customer: string };

const DEMO_CHECKOUT_FIELDS = keptFields<DemoCheckoutDoc>()({
  ...counted("_id", "orderId", "accountId", "currency", "every", "subscriptionId", "returnUrl"),
  ...counted("expiresAt", "state", "refunded", "createdAt"),
  email: { hidden: "" },
  items: { each: { name: "counted", amountCents: "counted" } },
  payment: {
    within: {
      ref: "counted",
      amountCents: "counted",
      taxCents: "counted",
      currency: "counted",
      at: "counted",
      period: { within: { from: "counted", until: "counted" } },
    },
  },
});

const DEMO_EVENT_FIELDS = keptFields<DemoEventDoc>()({
  ...counted("_id", "body", "times"),
  work: WORK_FIELDS,
});

const DEMO_ITEM_FIELDS = { name: "counted", amountCents: "counted" } as const;

const DEMO_SUBSCRIPTION_FIELDS = keptFields<DemoSubscriptionDoc>()({
  ...counted("_id", "accountId", "subscriptionId", "currency", "every", "paidFrom", "paidUntil"),
  ...counted("endsThen", "declines", "failures", "events", "lastKey", "next_at"),
  item: { within: DEMO_ITEM_FIELDS },
  next: { within: { item: { within: DEMO_ITEM_FIELDS }, every: "counted" } },
});

const STRIPE_CUSTOMER_FIELDS = goneFields<StripeCustomerDoc>()({
  _id: "hidden",
  customer: "hidden",
});

export const PAYMENT_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "demo_checkouts", holds: DEMO_CHECKOUT_FIELDS, indexes: [] },
  {
    name: "demo_events",
    holds: DEMO_EVENT_FIELDS,
    indexes: [workIndex("finds what is to be sent")],
  },
  {
    name: "demo_subscriptions",
    holds: DEMO_SUBSCRIPTION_FIELDS,
    indexes: [{ name: "next_at", key: { next_at: 1 }, why: "finds what is to be renewed" }],
  },
  { name: "stripe_customers", holds: STRIPE_CUSTOMER_FIELDS, indexes: [] },
];

const checkouts = collectionNamed<DemoCheckoutDoc>("demo_checkouts");
export const demoEvents = collectionNamed<DemoEventDoc>("demo_events");

/** Returns the existing document, or else this one. */
export async function putCheckout(db: Db, { _id, ...fields }: DemoCheckoutDoc): Promise<DemoCheckoutDoc> {
  const put = await checkouts(db).findOneAndUpdate(
    { _id },
    { $setOnInsert: fields },
    { upsert: true, returnDocument: "after" },
  );
  if (!put) throw new Error("an upsert answers a document");
  return put;
}

export const findCheckout = findingById(checkouts);

/** There is no index for this: only audits ask, and production has no such documents. */
export async function findOpenCheckouts(db: Db, now: Date): Promise<OpenCheckout[]> {
  const open = await checkouts(db)
    .find({ state: "open", expiresAt: { $gt: now } })
    .toArray();
  return open.map(({ _id: ref, orderId }) => ({ ref, orderId }));
}

/** Only while it is open; null if it is not. */
export async function endCheckout(
  db: Db,
  ref: string,
  end: { state: CheckoutState; payment: Payment | null },
  { session }: ReadContext = {},
): Promise<DemoCheckoutDoc | null> {
  return checkouts(db).findOneAndUpdate(
    { _id: ref, state: "open" },
    { $set: end },
    { returnDocument: "after", ...(session && { session }) },
  );
}

/** Returns whether it had not been refunded before. */
export async function markRefunded(
  db: Db,
  paymentRef: string,
  { session }: TxContext,
): Promise<DemoCheckoutDoc | null> {
  return checkouts(db).findOneAndUpdate(
    { _id: paymentRef.replace(/^demo_pay_/, "demo_"), state: "paid", refunded: false },
    { $set: { refunded: true } },
    { session, returnDocument: "after" },
  );
}

/**
 * Leaves only what is counted of the demo provider's data about an account. There is no index for this, and production has no such
 * documents.
 */
export async function eraseDemo(db: Db, accountId: string): Promise<void> {
  await demoSubscriptions(db).updateMany({ accountId }, erasing(DEMO_SUBSCRIPTION_FIELDS));
  await checkouts(db).updateMany({ accountId }, erasing(DEMO_CHECKOUT_FIELDS));
}

export const insertEvent = inserting(demoEvents);

const customers = collectionNamed<StripeCustomerDoc>("stripe_customers");

export async function findCustomer(db: Db, accountId: string): Promise<string | null> {
  return (await customers(db).findOne({ _id: accountId }))?.customer ?? null;
}

export async function putCustomer(db: Db, accountId: string, customer: string): Promise<void> {
  await customers(db).updateOne({ _id: accountId }, { $set: { customer } }, { upsert: true });
}

export async function deleteCustomer(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await customers(db).deleteOne({ _id: accountId }, { session });
}

const demoSubscriptions = collectionNamed<DemoSubscriptionDoc>("demo_subscriptions");

export const insertDemoSubscription = inserting(demoSubscriptions);

export const findDemoSubscription = findingById(demoSubscriptions);

/** The one that is due first. */
export async function findDueDemoSubscription(
  db: Db,
  now: Date,
  { session }: TxContext,
): Promise<DemoSubscriptionDoc | null> {
  return demoSubscriptions(db).findOne({ next_at: dueBy(now) }, { session, sort: { next_at: 1 } });
}

export async function saveDemoSubscription(
  db: Db,
  { _id, ...fields }: DemoSubscriptionDoc,
  { session }: TxContext,
): Promise<void> {
  await demoSubscriptions(db).updateOne({ _id }, { $set: fields }, { session });
}
