// Documents of bulks: what an operator wants to do to many things, and how far it is. Named queries only; no decisions.
import { counted, keptFields } from "../../base/documents/fields.ts";
import { findingById } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { type CollectionSpec, expiryIndex } from "../../base/mongo/indexes.ts";
import { findNewest } from "../../base/mongo/newest.ts";
import type { Act, LeftCount } from "./acts.ts";

/**
 * An act on many things, written down by its dry run. Acting takes these things and no others.
 *
 * Updates: when it begins and ends. Deletion: by MongoDB, 30 days after the dry run.
 */
export type BulkDoc = {
  _id: string;
  act: Act;
  /** The request in words. */
  selection: string;
  /** Who made the dry run; null if the service named no one. */
  operator: string | null;
  items: number;
  created_at: Date;
  /** Null until someone acts. */
  started_at: Date | null;
  ended_at: Date | null;
  expires_at: Date;
  /** What the dry run predicted. */
  planned: Result & {
    /** Credits of grants that have expired by now: they come back for 30 days. */
    revived: number;
    sample: readonly string[];
  };
};

/** How many things it was done to, the credits that this moved, and why others were left alone. */
export type Result = {
  readonly acted: number;
  readonly credits: number;
  readonly left: readonly LeftCount[];
};

export type Item = { readonly id: string; readonly account_id: string };

/**
 * Some things of a bulk, done together.
 *
 * Updates: in the transaction that does it, or does some of it: those then have an ended part of their own. Deletion: with its bulk.
 * Guarantees: a part whose result is written is never done again.
 */
export type PartDoc = {
  /** The bulk, a space, and the part's number from 1; for some of a part, a space and an id of its own after that. */
  _id: string;
  items: readonly Item[];
  ended_at: Date | null;
  result: Result | null;
  expires_at: Date;
};

const RESULT_FIELDS = keptFields<Result>()({
  acted: "counted",
  credits: "counted",
  left: { each: { why: "counted", count: "counted" } },
});

const BULK_FIELDS = keptFields<BulkDoc>()({
  ...counted("_id", "act", "selection", "operator", "items", "created_at", "started_at", "ended_at"),
  ...counted("expires_at"),
  planned: { within: { ...RESULT_FIELDS, revived: "counted", sample: "counted" } },
});

const PART_FIELDS = keptFields<PartDoc>()({
  ...counted("_id", "ended_at", "expires_at"),
  items: { each: { id: "counted", account_id: "counted" } },
  result: { within: RESULT_FIELDS },
});

export const BULK_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "bulks",
    holds: BULK_FIELDS,
    indexes: [expiryIndex("MongoDB removes bulks of 30 days ago")],
  },
  {
    name: "bulk_parts",
    holds: PART_FIELDS,
    indexes: [expiryIndex("MongoDB removes the parts of bulks of 30 days ago")],
  },
];

const bulks = collectionNamed<BulkDoc>("bulks");
const parts = collectionNamed<PartDoc>("bulk_parts");

/** The parts are written first: a bulk that can be found has all of them. */
export async function insertBulk(db: Db, bulk: BulkDoc, its: readonly PartDoc[]): Promise<void> {
  if (its.length > 0) await parts(db).insertMany([...its]);
  await bulks(db).insertOne(bulk);
}

export const findBulk = findingById(bulks);

/** Newest first. */
export async function findBulks(db: Db, beforeId: string | undefined, limit: number): Promise<BulkDoc[]> {
  return findNewest(bulks(db), { beforeId }, limit);
}

/** The bulk with the time at which someone first acted. */
export async function saveStarted(db: Db, bulkId: string, at: Date): Promise<void> {
  await bulks(db).updateOne({ _id: bulkId, started_at: null }, { $set: { started_at: at } });
}

export async function saveEnded(db: Db, bulkId: string, at: Date): Promise<void> {
  await bulks(db).updateOne({ _id: bulkId, ended_at: null }, { $set: { ended_at: at } });
}

export function partId(bulkId: string, number: number): string {
  return `${bulkId} ${String(number).padStart(5, "0")}`;
}

/** The first part after this one that is still to be done. */
export async function findNextPart(db: Db, bulkId: string, afterId: string): Promise<PartDoc | null> {
  return parts(db).findOne(
    { _id: { $gt: afterId, $lt: `${bulkId}!` }, ended_at: null },
    { sort: { _id: 1 }, hint: "_id_" },
  );
}

/**
 * Saves the result of all things of the part but the `rest`, which stays for the next run; the others then become a part with this id.
 * Returns false, and writes nothing, if another run has done it, or some of it.
 */
export async function savePartEnded(
  db: Db,
  { _id, items, expires_at }: PartDoc,
  ended: { _id: string; at: Date; result: Result; rest: readonly Item[] },
  { session }: TxContext,
): Promise<boolean> {
  const { rest, result, at: ended_at } = ended;
  const { matchedCount } = await parts(db).updateOne(
    { _id, ended_at: null, items },
    { $set: rest.length > 0 ? { items: rest } : { ended_at, result } },
    { session },
  );
  if (matchedCount === 0) return false;
  if (rest.length === 0 || rest.length === items.length) return true;
  const done = items.filter((item) => !rest.includes(item));
  await parts(db).insertOne({ _id: ended._id, items: done, ended_at, result, expires_at }, { session });
  return true;
}

/** The results of all parts that were done. */
export async function findResults(db: Db, bulkId: string): Promise<Result[]> {
  const found = await parts(db)
    .find(
      { _id: { $gte: `${bulkId} `, $lt: `${bulkId}!` }, ended_at: { $ne: null } },
      { projection: { result: 1 }, hint: "_id_" },
    )
    .toArray();
  return found.flatMap(({ result }) => result ?? []);
}
