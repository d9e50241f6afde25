// The daily trees of all balances: what each came to, and their leaves. Named queries only; no decisions.
import { Binary } from "mongodb";
import { keptFields } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import type { ReadContext, SnapshotContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { type Work, workDue } from "../../base/work/rules.ts";
import { removeTilesBefore } from "./store.ts";
import type { Leaf, Total } from "./sum-rules.ts";

const DIGITS = 6;

/**
 * One tree of a log. The newest one of a log is not built yet.
 *
 * Updates: by the worker that has the lease; `index` by the worker that has the log. Deletion: never.
 */
export type SolvencyDoc = {
  /** The log and a number with leading zeros. */
  _id: string;
  log: string;
  /** Absent until it is built. */
  built?: {
    /** The prefix of its parts and tiles. */
    readonly tree: string;
    /** From which salts are derived. */
    readonly secret: Binary;
    readonly at: Date;
    readonly accounts: number;
    readonly total: number;
    readonly root: Binary;
  };
  /** The place of its statement in the log. Absent until it is added. */
  index?: number;
  work: Work;
};

/**
 * Up to 256 leaves, sorted by their salts within their window: accounts that follow each other by their ids.
 *
 * Updates: never. Deletion: with the next tree but one.
 */
export type SolvencyPartDoc = {
  /** The tree, the first account of the window, and the order of the first leaf (zeros in the first part). */
  _id: string;
  /** Its place among all parts, from 0. */
  index: number;
  leaves: readonly Leaf[];
};

const PART_FIELDS = keptFields<SolvencyPartDoc>()({
  _id: "counted",
  index: "counted",
  leaves: { each: { account_id: "counted", seq: "counted", balance: "counted" } },
});

export const SOLVENCY_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "solvency", holds: "nothing of an account", indexes: [] },
  { name: "solvency_parts", holds: PART_FIELDS, indexes: [] },
  { name: "solvency_tiles", holds: "nothing of an account", indexes: [] },
];

export const statements = collectionNamed<SolvencyDoc>("solvency");
const parts = collectionNamed<SolvencyPartDoc>("solvency_parts");

const FIRST_ORDER = "0".repeat(16);

function under(prefix: string) {
  return { $gt: `${prefix}/`, $lt: `${prefix}0` };
}

/** The one that is to be built next, which is due `dayMs` after the one before. Undefined where another process was faster. */
export async function nextToBuild(
  db: Db,
  { log, now, dayMs }: { log: string; now: Date; dayMs: number },
): Promise<SolvencyDoc | undefined> {
  const newest = await statements(db).findOne({ _id: under(log) }, { sort: { _id: -1 } });
  if (newest && !newest.built) return newest;
  const number = String(Number(newest?._id.split("/")[1] ?? 0) + 1).padStart(DIGITS, "0");
  const due = newest?.built ? new Date(newest.built.at.getTime() + dayMs) : now;
  const next = { _id: `${log}/${number}`, log, work: workDue(due) };
  try {
    await statements(db).insertOne(next);
    return next;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return undefined;
  }
}

/** Built ones of a log, the newest first; `logged` limits them to those among its first entries. */
export async function findStatements(
  db: Db,
  log: string,
  { logged, limit = 0, session }: ReadContext & { logged?: number; limit?: number } = {},
): Promise<BuiltDoc[]> {
  const filter = { _id: under(log), ...(logged !== undefined && { index: { $lt: logged } }) };
  return statements(db)
    .find({ ...filter, built: { $exists: true } }, { sort: { _id: -1 }, limit, ...(session && { session }) })
    .toArray() as Promise<BuiltDoc[]>;
}

export type BuiltDoc = SolvencyDoc & Required<Pick<SolvencyDoc, "built">>;

export function toBuilt({
  secret,
  root,
  ...built
}: Total & { readonly tree: string; readonly secret: Uint8Array }): BuiltDoc["built"] {
  return { ...built, secret: new Binary(secret), root: new Binary(root) };
}

/** The oldest that is built and not in the log yet. */
export async function findUnlogged(db: Db, log: string): Promise<BuiltDoc | null> {
  const filter = { _id: under(log), built: { $exists: true }, index: { $exists: false } };
  return statements(db).findOne(filter, { sort: { _id: 1 } }) as Promise<BuiltDoc | null>;
}

/** Returns false, and writes nothing, if it is in the log already. */
export async function saveIndex(
  db: Db,
  _id: string,
  index: number,
  { session }: TxContext,
): Promise<boolean> {
  const filter = { _id, index: { $exists: false } };
  return (await statements(db).updateOne(filter, { $set: { index } }, { session })).modifiedCount === 1;
}

/** The parts of one window, in their order. */
export async function insertParts(
  db: Db,
  { tree, first, index }: { tree: string; first: string; index: number },
  found: readonly { readonly order: string; readonly leaves: readonly Leaf[] }[],
): Promise<void> {
  const docs = found.map(({ order, leaves }, at) => ({
    _id: `${tree}/${first}/${at === 0 ? FIRST_ORDER : order}`,
    index: index + at,
    leaves,
  }));
  await parts(db).insertMany(docs, { ordered: false });
}

/** The part that has the leaf of an account, if any has. */
export async function findPart(
  db: Db,
  { tree, accountId, order }: { tree: string; accountId: string; order: string },
): Promise<SolvencyPartDoc | null> {
  const first = await firstOfWindow(db, { tree, accountId });
  const from = `${tree}/${first}/`;
  return parts(db).findOne({ _id: { $gte: from, $lte: `${from}${order}` } }, { sort: { _id: -1 } });
}

/** The leaves of a window. */
export async function findWindow(
  db: Db,
  of: { tree: string; first: string },
  { session }: SnapshotContext,
): Promise<SolvencyPartDoc[]> {
  return parts(db)
    .find({ _id: under(`${of.tree}/${of.first}`) }, { session })
    .toArray();
}

/** The first account of the window that an account is in, were it in the tree. Empty where it is before all windows. */
export async function firstOfWindow(
  db: Db,
  { tree, accountId }: { tree: string; accountId: string },
  { session }: ReadContext = {},
): Promise<string> {
  const part = await parts(db).findOne(
    { _id: { $gt: `${tree}/`, $lt: `${tree}/${accountId}0` } },
    { sort: { _id: -1 }, projection: { _id: 1 }, ...(session && { session }) },
  );
  return part?._id.slice(tree.length + 1).split("/")[0] ?? "";
}

/** In the order of the tree. */
export function streamParts(db: Db, tree: string): AsyncIterable<SolvencyPartDoc> {
  return parts(db)
    .find({ _id: under(tree) })
    .sort({ _id: 1 });
}

/** The leaves and nodes of the trees before this one and of earlier logs. */
export async function removeTreesBefore(db: Db, kept: string): Promise<void> {
  await parts(db).deleteMany({ _id: { $lt: kept } });
  await removeTilesBefore(db, kept);
}
