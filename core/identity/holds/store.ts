// Holds of other internal services, and how much each service may hold in a month. Named queries only; no decisions.
import { counted, erasing, type KeptFields } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import type { CountedOn, KeySpending } from "../accounts/store.ts";

/**
 * Credits that an internal service holds for work of its own.
 *
 * Updates: once, when it ends. Deletion: never, as its ledger entries; the memo goes with its account.
 * Guarantees: one hold for each key of a service (by the index `service_key`); while it is `held`, its credits are in the account's `held`.
 */
export type HoldDoc = {
  _id: string;
  account_id: string;
  service: string;
  /** The service's own key, with which it repeats the request. */
  key: string;
  /** The key for which the service works; its limits apply. */
  key_id: string | null;
  credits: number;
  memo: string | null;
  state: "held" | "captured" | "released" | "expired";
  /** The captured credits: at most `credits`. */
  captured?: number;
  /** The expiring grants from which the credits were held; absent if there are none. */
  held_from?: readonly { readonly grant_id: string; readonly amount: number; readonly expires_at: Date }[];
  /** The month in which it counts against the service's limit. */
  month: string;
  /** The month in which it counts against the limit of a key. */
  counted_on?: Omit<CountedOn, "credits">;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
};

/** How much an internal service may hold in a calendar month, and how much is used, without what was returned. */
export type ServiceLimitDoc = {
  /** Name of the service. */ _id: string;
  max_credits: number;
  spent?: KeySpending;
};

const LIVE = { state: "held" } as const;

/** The class of each field of a hold, from its owner's view. */
export const HOLD_FIELDS = {
  ...counted("_id", "account_id", "service", "key", "key_id", "credits", "state", "captured", "month"),
  ...counted("created_at", "expires_at", "ended_at"),
  memo: { owner: null },
  held_from: { each: { grant_id: "counted", amount: "counted", expires_at: "counted" } },
  counted_on: "hidden",
} as const;

export const HOLD_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "holds",
    holds: HOLD_FIELDS satisfies KeptFields<HoldDoc>,
    indexes: [
      {
        name: "service_key",
        key: { service: 1, key: 1 },
        options: { unique: true },
        why: "a repeated request of a service finds its hold, and a second one is impossible",
      },
      {
        name: "account",
        key: { account_id: 1, _id: 1 },
        why: "the holds of an account, for its export and the audit",
      },
      {
        name: "live_expires_at",
        key: { expires_at: 1 },
        options: { partialFilterExpression: LIVE },
        why: "the sweep finds holds whose time is over",
      },
    ],
  },
  { name: "service_limits", holds: "nothing of an account", indexes: [] },
];

const holds = collectionNamed<HoldDoc>("holds");
const limits = collectionNamed<ServiceLimitDoc>("service_limits");

export async function findHolds(
  db: Db,
  ids: readonly string[],
  { session }: ReadContext = {},
): Promise<Map<string, HoldDoc>> {
  const found = holds(db).find({ _id: { $in: [...ids] } }, { ...(session && { session }) });
  return new Map((await found.toArray()).map((hold) => [hold._id, hold]));
}

export type HoldKey = Pick<HoldDoc, "service" | "key">;

export async function findHoldsByKeys(
  db: Db,
  keys: readonly HoldKey[],
  { session }: TxContext,
): Promise<HoldDoc[]> {
  if (keys.length === 0) return [];
  const $or = keys.map(({ service, key }) => ({ service, key }));
  return holds(db).find({ $or }, { session }).toArray();
}

/** Writes holds that the same transaction has read or made. */
export async function saveHolds(db: Db, changed: readonly HoldDoc[], { session }: TxContext): Promise<void> {
  if (changed.length === 0) return;
  await holds(db).bulkWrite(
    changed.map((hold) => ({
      replaceOne: { filter: { _id: hold._id }, replacement: hold, upsert: true },
    })),
    { session, ordered: false },
  );
}

/** Ids of live holds whose time is over, the longest overdue first. */
export async function findOverdue(db: Db, now: Date, limit: number): Promise<string[]> {
  const found = holds(db).find(
    { ...LIVE, expires_at: { $lte: now } },
    { projection: { _id: 1 }, sort: { expires_at: 1 }, limit, hint: "live_expires_at" },
  );
  return (await found.toArray()).map(({ _id }) => _id);
}

/** In the order of their ids, after the id `after`. */
export async function findHoldsOfAccount(
  db: Db,
  { accountId, after, limit }: { accountId: string; after: string; limit: number },
): Promise<HoldDoc[]> {
  return holds(db)
    .find({ account_id: accountId, _id: { $gt: after } }, { sort: { _id: 1 }, limit, hint: "account" })
    .toArray();
}

export async function countHolds(db: Db, accountId: string, { session }: ReadContext): Promise<number> {
  return holds(db).countDocuments(
    { account_id: accountId },
    { hint: "account", ...(session && { session }) },
  );
}

export async function eraseHolds(db: Db, accountId: string): Promise<void> {
  await holds(db).updateMany({ account_id: accountId }, erasing(HOLD_FIELDS), { hint: "account" });
}

export async function findServiceLimits(
  db: Db,
  services: readonly string[],
  { session }: ReadContext = {},
): Promise<Map<string, ServiceLimitDoc>> {
  if (services.length === 0) return new Map();
  const found = limits(db).find({ _id: { $in: [...services] } }, { ...(session && { session }) });
  return new Map((await found.toArray()).map((limit) => [limit._id, limit]));
}

export async function saveServiceSpending(
  db: Db,
  changed: readonly ServiceLimitDoc[],
  { session }: TxContext,
): Promise<void> {
  const updates = changed.flatMap(({ _id, spent }) =>
    spent ? [{ updateOne: { filter: { _id }, update: { $set: { spent } } } }] : [],
  );
  if (updates.length > 0) await limits(db).bulkWrite(updates, { session, ordered: false });
}

/** What was counted this month stays counted. */
export async function putServiceLimit(db: Db, name: string, maxCredits: number): Promise<ServiceLimitDoc> {
  const saved = await limits(db).findOneAndUpdate(
    { _id: name },
    { $set: { max_credits: maxCredits } },
    { upsert: true, returnDocument: "after" },
  );
  if (!saved) throw new Error(`the limit of ${name} was not written`);
  return saved;
}
