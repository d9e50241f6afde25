// Events of accounts and their numbers. Named queries only; no decisions.
import type { AccountEvent } from "../../../proto/resources/event.ts";
import { goneFields, type GoneFields, hidden, owner } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

const KEPT_SECONDS = 30 * 24 * 60 * 60;

/**
 * One event of an account, written in the transaction that causes it.
 *
 * Updates: the forwarder, once. Deletion: with its account, and by MongoDB after 30 days.
 * Guarantees: `seq` has no gaps in an account, and events become visible in its order, because each transaction that writes some changes
 * the account's counter.
 */
export type AccountEventDoc = {
  /** Made of the account, the number and the time. */
  _id: string;
  account_id: string;
  /** From 1. */
  seq: number;
  event: AccountEvent;
  created_at: Date;
  data: EventData;
  /** Until its deliveries to endpoints are queued. */
  waits?: true;
};

/** Ids and numbers of what the event is about. */
export type EventData = Readonly<Record<string, string | number>>;

/** Exists while the events of an account are recorded. Deletion: in the transaction that closes the account. */
type EventCountDoc = {
  /** The account. */
  _id: string;
  /** Of the newest event; 0 before the first. */
  seq: number;
};

export const EVENT_FIELDS = goneFields<AccountEventDoc>()({
  ...hidden("_id", "account_id", "waits"),
  ...owner("seq", "event", "created_at", "data"),
});

export const EVENT_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "account_events",
    holds: EVENT_FIELDS,
    indexes: [
      {
        name: "account_seq",
        key: { account_id: 1, seq: 1 },
        options: { unique: true },
        why: "the events of an account, in order; a number is used once",
      },
      {
        name: "waits",
        key: { waits: 1, _id: 1 },
        options: { partialFilterExpression: { waits: true } },
        why: "finds the events whose deliveries to endpoints are not queued yet",
      },
      {
        name: "created_at",
        key: { created_at: 1 },
        options: { expireAfterSeconds: KEPT_SECONDS },
        why: "MongoDB removes events after 30 days",
      },
    ],
  },
  {
    name: "event_counts",
    holds: { _id: "hidden", seq: "hidden" } as const satisfies GoneFields<EventCountDoc>,
    indexes: [],
  },
];

const events = collectionNamed<AccountEventDoc>("account_events");
const counts = collectionNamed<EventCountDoc>("event_counts");

/** Does nothing if the account has a counter. */
export async function insertEventCount(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await counts(db).updateOne({ _id: accountId }, { $setOnInsert: { seq: 0 } }, { session, upsert: true });
}

/** Counts so many events more. Returns the number of the last one; undefined if the account's events are not recorded. */
export async function countEvents(
  db: Db,
  accountId: string,
  count: number,
  { session }: TxContext,
): Promise<number | undefined> {
  const counted = await counts(db).findOneAndUpdate(
    { _id: accountId },
    { $inc: { seq: count } },
    { session, returnDocument: "after" },
  );
  return counted?.seq;
}

export async function insertEvents(
  db: Db,
  rows: readonly AccountEventDoc[],
  { session }: TxContext,
): Promise<void> {
  if (rows.length > 0) await events(db).insertMany([...rows], { session, ordered: false });
}

/** In order. */
export async function findEventsAfter(
  db: Db,
  accountId: string,
  after: number,
  limit: number,
): Promise<AccountEventDoc[]> {
  return events(db)
    .find({ account_id: accountId, seq: { $gt: after } }, { hint: "account_seq" })
    .sort({ seq: 1 })
    .limit(limit)
    .toArray();
}

export async function findEvent(db: Db, accountId: string, eventId: string): Promise<AccountEventDoc | null> {
  return events(db).findOne({ _id: eventId, account_id: accountId });
}

/** The oldest whose deliveries are not queued yet. */
export async function findWaitingEvents(
  db: Db,
  limit: number,
  { session }: ReadContext = {},
): Promise<AccountEventDoc[]> {
  return events(db)
    .find({ waits: true }, { hint: "waits", ...(session && { session }) })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
}

export async function saveForwarded(
  db: Db,
  done: readonly AccountEventDoc[],
  { session }: TxContext,
): Promise<void> {
  const ids = done.map(({ _id }) => _id);
  await events(db).updateMany({ _id: { $in: ids } }, { $unset: { waits: "" } }, { session, hint: "_id_" });
}

export async function deleteEventCount(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await counts(db).deleteOne({ _id: accountId }, { session });
}

export async function deleteEvents(db: Db, accountId: string): Promise<void> {
  await events(db).deleteMany({ account_id: accountId }, { hint: "account_seq" });
}
