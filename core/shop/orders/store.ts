// Documents of orders, of payments and their events, of receipts' numbers and of credit packs. Named queries only; no decisions.
import type {
  OrderEventType,
  OrderItemResource,
  OrderKind,
  OrderReductionResource,
  OrderState,
} from "../../../proto/resources/order.ts";
import type { Currency, Period } from "../../adapters/payments/provider.ts";
import { counted, erasing, keptFields } from "../../base/documents/fields.ts";
import { findingById, inserting } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, SnapshotContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { findNewest } from "../../base/mongo/newest.ts";
import { insertsOfMissing } from "../../base/mongo/upsert.ts";
import { IS_WAITING, workIndex } from "../../base/work/queue.ts";
import { type Work, WORK_FIELDS } from "../../base/work/rules.ts";
import type { Billing } from "../../identity/accounts/store.ts";

/** A page at a payment provider on which an order can be paid, or could once. */
export type OrderCheckout = {
  /** Counts from 1. With the order's id it is the idempotency key of the request that makes the checkout. */
  number: number;
  provider: string;
  /** The provider's id of it; null until the provider's answer is stored. */
  ref: string | null;
  amount_cents: number;
  /** When it was requested. */
  at: Date;
  /** closing: it is no longer wanted, and the provider is to be asked to close it. closed: it cannot be paid any more. */
  state: "open" | "closing" | "closed";
};

/**
 * One account's purchase, with its whole history. Updates: paying, the provider's events, cancelling, refunds; each in a transaction.
 * Deletion: never, receipts have to be kept; once its account is deleted nothing in it identifies the buyer. Guarantees: each idempotency
 * key of an account belongs to one order; `paid` is never seen outside a transaction; receipt numbers have no gaps in a year; at most one
 * of its checkouts is not closed.
 */
export type OrderDoc = {
  _id: string;
  account_id: string;
  /** Of the form that it was placed with. */
  idempotency_key: string;
  /**
   * Of every form that it answered, the one that it was placed with first: while it is open it answers other forms for the same item. Absent
   * of what was paid without being placed, and of orders of earlier releases, which answer `idempotency_key` alone.
   */
  idempotency_keys?: string[];
  kind: OrderKind;
  items: OrderItemResource[];
  /**
   * Its item, while it is open: an account has one open order for each. null once it has ended. Absent for payments without an order, for
   * free orders, and for orders of earlier releases.
   */
  open_for?: string | null;
  /** What came off the items' prices; `amount_cents` is what is left. Absent of orders of earlier releases: nothing came off. */
  reductions?: OrderReductionResource[];
  currency: Currency;
  /** Before tax: the price that the buyer saw. */
  amount_cents: number;
  tax_cents: number;
  state: OrderState;
  events: { seq: number; type: OrderEventType; at: Date; note: string | null }[];
  provider: string | null;
  /** The checkout on which it can be paid, or was; null while the provider's answer is not stored. */
  provider_ref: string | null;
  /** When the newest checkout was requested. */
  checkout_at: Date | null;
  /** The number of requested checkouts. */
  checkouts: number;
  /** Every requested checkout, oldest first. Absent in orders of earlier releases: read it with checkoutsOf. */
  checkouts_made?: OrderCheckout[];
  /** The payment that paid it. */
  payment_ref: string | null;
  receipt_number: string | null;
  /**
   * The two sides of its invoice when it was paid. Absent where nothing was paid, and of orders that earlier releases took payments for;
   * `buyer` is absent where the account had no details.
   */
  invoice?: { seller: string; buyer?: Billing };
  reason: string | null;
  created_at: Date;
  paid_at: Date | null;
  expires_at: Date;
  /**
   * Due when the provider is to be queried; absent once the order has ended and all its checkouts are closed. Absent for payments without
   * an order.
   */
  work?: Work;
  /** How many credits were taken back, for a dispute or a refund. */
  credits_taken_back: number;
  /** Of a plan or a membership, once it is paid. Absent of all else. */
  subscription?: OrderedSubscription;
};

/** The subscription that an order began, renewed or changed. */
export type OrderedSubscription = {
  id: string;
  /** The provider's own id of it. */
  ref: string;
  about: "join" | "renewal" | "change";
  /** The paid amount; absent where the provider does not report it, and for a change. */
  period?: Period | undefined;
};

/** kept: it paid for something. unclaimed: it names no order that is known here, and someone has to look. */
export type PaymentState = "kept" | "to_give_back" | "given_back" | "unclaimed" | "early";

/**
 * A payment that a provider reported, and its outcome. Updates: further events of it, its refund. Deletion: never. Nothing in it identifies
 * the payer. Guarantees: one for each payment of a provider, by the id.
 */
export type PaymentDoc = {
  /** Made of the provider and its id. */
  _id: string;
  provider: string;
  ref: string;
  order_id: string | null;
  account_id: string | null;
  amount_cents: number;
  currency: string;
  /** null while only later events of it have come: a refund or a dispute. */
  paid_at: Date | null;
  /** early: a later event of it came first. */
  state: PaymentState;
  dispute: "open" | "won" | "lost" | null;
  /** What the provider has refunded in part. Absent where there is no such refund, and where an earlier release took its event. */
  refunded_cents?: number;
  reason: string | null;
  /** Due while it is to be refunded. */
  work?: Work;
};

/** An event of a provider that was taken. Never changed; never removed, so that one of years ago is known. */
export type PaymentEventDoc = {
  /** Made of the provider and the event's id. */
  _id: string;
  kind: string;
  order_id: string | null;
  at: Date;
  taken_at: Date;
  outcome: string;
};

/** Credits that are sold together. Seeded; operators edit. */
export type CreditPackDoc = { _id: string; credits: number; price_cents: number; active: boolean };

type ReceiptCounter = { _id: string; last: number };

const FIND_BOUND_MS = 5_000;

const ITEM_FIELDS = keptFields<OrderItemResource>()({
  ...counted("name", "amount_cents", "product_id", "product_slug", "licence", "pack", "credits", "plan"),
  ...counted("tier", "interval"),
});

const REDUCTION_FIELDS = keptFields<OrderReductionResource>()({
  ...counted("kind", "cents", "percent", "off_cents", "code", "order_id"),
});

const CHECKOUT_FIELDS = keptFields<OrderCheckout>()({
  ...counted("number", "provider", "ref", "amount_cents", "at", "state"),
});

/** The reason of an exceptional order may be an operator's own text. */
const ORDER_FIELDS = keptFields<OrderDoc>()({
  ...counted("_id", "account_id", "idempotency_key", "idempotency_keys", "kind", "open_for", "currency"),
  ...counted("amount_cents", "tax_cents", "state", "provider", "provider_ref", "checkout_at", "checkouts"),
  ...counted("payment_ref", "receipt_number", "created_at", "paid_at", "expires_at", "credits_taken_back"),
  items: { each: ITEM_FIELDS },
  reductions: { each: REDUCTION_FIELDS },
  events: { each: { seq: "counted", type: "counted", at: "counted", note: { owner: null } } },
  checkouts_made: { each: CHECKOUT_FIELDS },
  invoice: { within: { seller: "counted", buyer: "owner" } },
  reason: { owner: null },
  work: WORK_FIELDS,
  subscription: {
    within: {
      id: "counted",
      ref: "counted",
      about: "counted",
      period: { within: { from: "counted", until: "counted" } },
    },
  },
});

/** The owner sees the reason where the order says it. */
const PAYMENT_FIELDS = keptFields<PaymentDoc>()({
  ...counted("_id", "provider", "ref", "order_id", "account_id", "amount_cents", "currency", "paid_at"),
  ...counted("state", "dispute", "refunded_cents"),
  reason: { hidden: null },
  work: WORK_FIELDS,
});

const PAYMENT_EVENT_FIELDS = keptFields<PaymentEventDoc>()({
  ...counted("_id", "kind", "order_id", "at", "taken_at", "outcome"),
});

export const ORDER_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "orders",
    holds: ORDER_FIELDS,
    indexes: [
      { name: "account_newest", key: { account_id: 1, _id: -1 }, why: "the orders of an account" },
      {
        name: "account_key",
        key: { account_id: 1, idempotency_key: 1 },
        options: { unique: true },
        why: "a form that is sent twice places one order",
      },
      {
        name: "account_keys",
        key: { account_id: 1, idempotency_keys: 1 },
        options: { unique: true, partialFilterExpression: { idempotency_keys: { $exists: true } } },
        why: "a form is answered by one order, also by one that was open already",
      },
      {
        name: "account_open_for",
        key: { account_id: 1, open_for: 1 },
        options: { unique: true, partialFilterExpression: { open_for: { $type: "string" } } },
        why: "one open order for the same item",
      },
      workIndex("finds open orders that are to be asked for"),
      {
        name: "checkout",
        key: { provider_ref: 1 },
        options: { partialFilterExpression: { provider_ref: { $type: "string" } } },
        why: "the order of a checkout",
      },
      {
        name: "code",
        key: { "reductions.code": 1 },
        options: { partialFilterExpression: { "reductions.code": { $type: "string" } } },
        why: "counts the orders that have a discount code",
      },
    ],
  },
  {
    name: "payments",
    holds: PAYMENT_FIELDS,
    indexes: [
      {
        name: "account",
        key: { account_id: 1, order_id: 1 },
        why: "the payments of an account, for the audit",
      },
      workIndex("finds payments to refund"),
    ],
  },
  { name: "payment_events", holds: PAYMENT_EVENT_FIELDS, indexes: [] },
  { name: "receipt_numbers", holds: "nothing of an account", indexes: [] },
  { name: "credit_packs", holds: "nothing of an account", indexes: [] },
];

export const orders = collectionNamed<OrderDoc>("orders");
export const payments = collectionNamed<PaymentDoc>("payments");
const packs = collectionNamed<CreditPackDoc>("credit_packs");

export const insertOrder = inserting(orders);

export async function saveOrder(db: Db, { _id, ...order }: OrderDoc, { session }: TxContext): Promise<void> {
  await orders(db).updateOne({ _id }, { $set: order }, { session });
}

export const findOrder = findingById(orders);

/** Upgrades, in one of these states, of the licence that this order bought. */
export async function findUpgradesOf(
  db: Db,
  { _id, account_id }: Pick<OrderDoc, "_id" | "account_id">,
  states: readonly OrderState[],
  { session }: TxContext,
): Promise<OrderDoc[]> {
  return orders(db)
    .find(
      { account_id, state: { $in: states }, "reductions.order_id": _id },
      { session, hint: "account_newest" },
    )
    .toArray();
}

export async function findOrderByKey(
  db: Db,
  accountId: string,
  idempotencyKey: string,
  { session }: ReadContext = {},
): Promise<OrderDoc | null> {
  return orders(db).findOne(
    {
      account_id: accountId,
      $or: [{ idempotency_keys: idempotencyKey }, { idempotency_key: idempotencyKey }],
    },
    { ...(session && { session }) },
  );
}

export async function findOpenOrder(
  db: Db,
  accountId: string,
  openFor: string,
  { session }: TxContext,
): Promise<OrderDoc | null> {
  return orders(db).findOne({ account_id: accountId, open_for: openFor }, { session });
}

export async function findOrderByCheckout(
  db: Db,
  { provider, ref }: { provider: string; ref: string },
  { session }: TxContext,
): Promise<OrderDoc | null> {
  return orders(db).findOne({ provider_ref: ref, provider }, { session });
}

export type OrderFilter = {
  accountId?: string | undefined;
  state?: OrderState | undefined;
  beforeId?: string | undefined;
};

/** Newest first. */
export async function findOrders(db: Db, filter: OrderFilter, limit: number): Promise<OrderDoc[]> {
  return findNewest(orders(db), filter, limit);
}

/** Those to which something happened after `since`, among the newest of the account. */
export async function findOrdersSince(
  db: Db,
  accountId: string,
  { since, maxRead }: { since: Date; maxRead: number },
): Promise<OrderDoc[]> {
  return orders(db)
    .aggregate<OrderDoc>(
      [
        { $match: { account_id: accountId } },
        { $sort: { _id: -1 } },
        { $limit: maxRead },
        { $match: { "events.at": { $gt: since } } },
      ],
      { hint: "account_newest" },
    )
    .toArray();
}

/** The order with this receipt, of those placed between two ids. There is no index for this. */
export async function findNumbered(
  db: Db,
  {
    from,
    to,
    end,
    receipt,
    accountId,
  }: { from: string; to: string; end?: string; receipt?: string; accountId?: string | undefined },
): Promise<OrderDoc | null> {
  return orders(db).findOne(
    {
      ...(accountId !== undefined && { account_id: accountId }),
      _id: { $gte: from, $lt: to, ...(end !== undefined && { $regex: `${end}$` }) },
      ...(receipt !== undefined && { receipt_number: receipt }),
    },
    { hint: accountId === undefined ? "_id_" : "account_newest", maxTimeMS: FIND_BOUND_MS },
  );
}

/** Counts up the receipts of a year. In a transaction, so that what is undone leaves no gap. */
export async function nextReceipt(db: Db, year: number, { session }: TxContext): Promise<number> {
  const counter = await db
    .collection<ReceiptCounter>("receipt_numbers")
    .findOneAndUpdate(
      { _id: String(year) },
      { $inc: { last: 1 } },
      { upsert: true, returnDocument: "after", session },
    );
  if (!counter) throw new Error("an upsert answers a document");
  return counter.last;
}

export async function findPaymentEvent(
  db: Db,
  id: string,
  { session }: TxContext,
): Promise<PaymentEventDoc | null> {
  return db.collection<PaymentEventDoc>("payment_events").findOne({ _id: id }, { session });
}

export async function insertPaymentEvent(
  db: Db,
  event: PaymentEventDoc,
  { session }: TxContext,
): Promise<void> {
  await db.collection<PaymentEventDoc>("payment_events").insertOne(event, { session });
}

export const findPayment = findingById(payments);

/** The payment that paid an order; null of a free one. */
export async function findPaymentOf(
  db: Db,
  { provider, payment_ref }: Pick<OrderDoc, "provider" | "payment_ref">,
  tx?: ReadContext,
): Promise<PaymentDoc | null> {
  return payment_ref === null ? null : findPayment(db, `${provider ?? ""}:${payment_ref}`, tx);
}

export async function savePayment(
  db: Db,
  { _id, ...payment }: PaymentDoc,
  { session }: TxContext,
): Promise<void> {
  await payments(db).updateOne({ _id }, { $set: payment }, { upsert: true, session });
}

/** Leaves of an account's orders and payments what is counted. */
export async function eraseOrders(db: Db, accountId: string): Promise<void> {
  await orders(db).updateMany({ account_id: accountId }, erasing(ORDER_FIELDS), { hint: "account_newest" });
  await payments(db).updateMany({ account_id: accountId }, erasing(PAYMENT_FIELDS), { hint: "account" });
}

/** The smallest first. */
export async function findPacks(db: Db): Promise<CreditPackDoc[]> {
  return packs(db).find().sort({ credits: 1 }).toArray();
}

export const findPack = findingById(packs);

export async function putPack(db: Db, { _id, ...pack }: CreditPackDoc): Promise<void> {
  await packs(db).updateOne({ _id }, { $set: pack }, { upsert: true });
}

export async function insertMissingPacks(db: Db, wanted: readonly CreditPackDoc[]): Promise<void> {
  await packs(db).bulkWrite(insertsOfMissing(wanted), { ordered: false });
}

/** For the audit: all orders and payments of one account, at the moment of the session. */
export function streamOrders(
  db: Db,
  accountId: string,
  { session }: SnapshotContext,
): AsyncIterable<OrderDoc> {
  return orders(db).find({ account_id: accountId }, { session }).sort({ _id: 1 });
}

export function streamPayments(
  db: Db,
  accountId: string,
  { session }: SnapshotContext,
): AsyncIterable<PaymentDoc> {
  return payments(db).find({ account_id: accountId }, { session });
}

export type ReceiptYear = { year: string; last: number; numbers: number };

/** How many receipts were counted in each year, and how many different ones of it orders have. */
export async function findReceiptYears(db: Db, { session }: SnapshotContext): Promise<ReceiptYear[]> {
  return db
    .collection<ReceiptCounter>("receipt_numbers")
    .aggregate<ReceiptYear>(
      [
        {
          $lookup: {
            from: "orders",
            let: { year: "$_id" },
            pipeline: [
              { $match: { receipt_number: { $type: "string" } } },
              { $match: { $expr: { $eq: [{ $substrBytes: ["$receipt_number", 0, 4] }, "$$year"] } } },
              { $group: { _id: "$receipt_number" } },
              { $count: "numbers" },
            ],
            as: "found",
          },
        },
        {
          $project: {
            _id: 0,
            year: "$_id",
            last: 1,
            numbers: { $ifNull: [{ $first: "$found.numbers" }, 0] },
          },
        },
      ],
      { session },
    )
    .toArray();
}

/** When the first order of all was placed. */
export async function findFirstOrder(db: Db, { session }: SnapshotContext): Promise<OrderDoc | null> {
  return orders(db).findOne({}, { session, sort: { _id: 1 } });
}

/** Payments that wait for a refund, and those that no account has claimed. */
export async function countPayments(db: Db): Promise<{ refundPending: number; unclaimed: number }> {
  const [refundPending, unclaimed] = await Promise.all([
    payments(db).countDocuments(IS_WAITING),
    payments(db).countDocuments({ account_id: null, state: "unclaimed" }),
  ]);
  return { refundPending, unclaimed };
}

/** Payments that wait for a refund after this many attempts. */
export async function countLateRefunds(db: Db, attempts: number): Promise<number> {
  return payments(db).countDocuments({ ...IS_WAITING, "work.attempts": { $gte: attempts } });
}
