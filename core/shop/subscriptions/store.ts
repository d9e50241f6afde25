// Documents of subscriptions. Named queries only; no decisions.
import type {
  SubscriptionEventType,
  SubscriptionInterval,
  SubscriptionKind,
  SubscriptionState,
} from "../../../proto/resources/subscription.ts";
import type { Currency } from "../../adapters/payments/provider.ts";
import { counted, erasing, keptFields } from "../../base/documents/fields.ts";
import { findingById, inserting } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import { dueBy, WAITS } from "../../base/mongo/due.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { findNewest } from "../../base/mongo/newest.ts";
import { IS_WAITING, workIndex } from "../../base/work/queue.ts";
import { type Work, WORK_FIELDS } from "../../base/work/rules.ts";

/** The paid plan or tier, its price and its period. */
export type Offer = {
  /** The plan, or the tier of membership. */
  what: string;
  interval: SubscriptionInterval;
  price_cents: number;
};

/** A withdrawn change whose call may still be on its way to the provider. */
export type WithdrawnChange = {
  offer: Offer;
  /** The same for each attempt, so that it is charged once. */
  key: string;
};

/** A change that is to be paid immediately. It is made here once the provider has made it. */
type PaidChange = WithdrawnChange & {
  /** The account has cancelled since: it is made only if the provider has made it by then. */
  is_withdrawn: boolean;
};

/**
 * A plan or a membership that is paid by the period. Updates: the owner's requests, the provider's events, the end of a time; each in a
 * transaction with the account's plan or membership. Deletion: never, orders name it; once its account is deleted nothing in it identifies
 * the owner. Guarantees: at most one live one of a kind for each account; while the provider's state may differ, `work` is due.
 */
export type SubscriptionDoc = Offer & {
  /** Made of the order that began it. */
  _id: string;
  account_id: string;
  kind: SubscriptionKind;
  currency: Currency;
  state: SubscriptionState;
  /** The time that is paid. Its end is outside it. */
  period_start: Date;
  period_end: Date;
  /** While a failed payment is due: the end of the grace period. */
  grace_until: Date | null;
  /** Since when a dispute lets it rest. */
  suspended_at: Date | null;
  /** From the next period on. */
  next_change: Offer | null;
  provider: string;
  /** The provider's own id of it. */
  provider_ref: string;
  events: { seq: number; type: SubscriptionEventType; at: Date; note: string | null }[];
  created_at: Date;
  ended_at: Date | null;
  /** When it is due: at its end, or at a reminder before; null once it has ended. */
  due_at: Date | null;
  /** Absent before the first. */
  change?: PaidChange | null;
  /** At most one for each offer. If its call arrives and is charged, the account has what it paid for. Absent before the first. */
  withdrawn?: WithdrawnChange[];
  /** Comparing it with the provider. Absent before the first time. */
  work?: Work;
  /** While a call may still arrive at the provider: the next comparison waits until then, or for its answer. */
  telling_until?: Date | null;
};

const OFFER_FIELDS = keptFields<Offer>()({
  ...counted("what", "interval", "price_cents"),
});

const CHANGE_FIELDS = keptFields<WithdrawnChange>()({
  offer: { within: OFFER_FIELDS },
  key: "counted",
});

/** The reason of its end may be an operator's own text. */
const SUBSCRIPTION_FIELDS = keptFields<SubscriptionDoc>()({
  ...OFFER_FIELDS,
  ...counted("_id", "account_id", "kind", "currency", "state", "period_start", "period_end", "grace_until"),
  ...counted("suspended_at", "provider", "provider_ref", "created_at", "ended_at", "due_at"),
  ...counted("telling_until"),
  next_change: { within: OFFER_FIELDS },
  events: { each: { seq: "counted", type: "counted", at: "counted", note: { owner: null } } },
  change: { within: { ...CHANGE_FIELDS, is_withdrawn: "counted" } },
  withdrawn: { each: CHANGE_FIELDS },
  work: WORK_FIELDS,
});

export const SUBSCRIPTION_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "subscriptions",
    holds: SUBSCRIPTION_FIELDS,
    indexes: [
      {
        name: "live_once",
        key: { account_id: 1, kind: 1 },
        options: { unique: true, partialFilterExpression: { ended_at: null } },
        why: "no one pays twice for a plan, or for a membership",
      },
      { name: "account_newest", key: { account_id: 1, _id: -1 }, why: "the subscriptions of an account" },
      { name: "provider_ref", key: { provider_ref: 1 }, why: "the subscription of a provider's event" },
      {
        name: "due",
        key: { due_at: 1 },
        options: { partialFilterExpression: { due_at: WAITS } },
        why: "finds what is over, the longest first",
      },
      workIndex("finds what is to be compared with a provider"),
    ],
  },
];

export const subscriptions = collectionNamed<SubscriptionDoc>("subscriptions");

export const insertSubscription = inserting(subscriptions);

export async function saveSubscription(
  db: Db,
  { _id, ...fields }: SubscriptionDoc,
  { session }: TxContext,
): Promise<void> {
  await subscriptions(db).updateOne({ _id }, { $set: fields }, { session });
}

export const findSubscription = findingById(subscriptions);

export async function findSubscriptionByRef(
  db: Db,
  { provider, ref }: { provider: string; ref: string },
  { session }: TxContext,
): Promise<SubscriptionDoc | null> {
  return subscriptions(db).findOne({ provider_ref: ref, provider }, { session });
}

export async function findLiveSubscription(
  db: Db,
  { accountId, kind }: { accountId: string; kind: SubscriptionKind },
  { session }: ReadContext = {},
): Promise<SubscriptionDoc | null> {
  return subscriptions(db).findOne(
    { account_id: accountId, kind, ended_at: null },
    { ...(session && { session }) },
  );
}

/** Newest first. */
export async function findSubscriptions(
  db: Db,
  accountId: string,
  { session }: ReadContext = {},
): Promise<SubscriptionDoc[]> {
  return subscriptions(db)
    .find({ account_id: accountId }, { ...(session && { session }) })
    .sort({ _id: -1 })
    .toArray();
}

export type SubscriptionFilter = {
  accountId: string | undefined;
  state: SubscriptionState | undefined;
  beforeId: string | undefined;
};

/** Newest first; of one account, or of all. */
export async function findAnySubscriptions(
  db: Db,
  filter: SubscriptionFilter,
  limit: number,
): Promise<SubscriptionDoc[]> {
  return findNewest(subscriptions(db), filter, limit);
}

/** Ids of due subscriptions, the longest due first. */
export async function findDueIds(db: Db, now: Date, limit: number): Promise<string[]> {
  const found = await subscriptions(db)
    .find({ due_at: dueBy(now) }, { projection: { _id: 1 }, hint: "due" })
    .sort({ due_at: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}

export type LiveSubscriptions = {
  kind: SubscriptionKind;
  what: string;
  state: SubscriptionState;
  count: number;
};

/** How many live ones there are, by what they are of. */
export async function countLive(db: Db): Promise<LiveSubscriptions[]> {
  return subscriptions(db)
    .aggregate<LiveSubscriptions>([
      { $match: { due_at: WAITS } },
      { $group: { _id: { kind: "$kind", what: "$what", state: "$state" }, count: { $sum: 1 } } },
      { $project: { _id: 0, kind: "$_id.kind", what: "$_id.what", state: "$_id.state", count: 1 } },
    ])
    .toArray();
}

/** Those whose provider's state still differs after this many attempts. */
export async function countUntold(db: Db, attempts: number): Promise<number> {
  return subscriptions(db).countDocuments({ ...IS_WAITING, "work.attempts": { $gte: attempts } });
}

/** Leaves of an account's subscriptions what is counted. */
export async function eraseSubscriptions(db: Db, accountId: string): Promise<void> {
  await subscriptions(db).updateMany({ account_id: accountId }, erasing(SUBSCRIPTION_FIELDS), {
    hint: "account_newest",
  });
}
