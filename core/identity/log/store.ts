// The log of all ledgers: what it is now, its tiles, and which heads of ledgers are in it. Named queries only; no decisions.
import { Binary } from "mongodb";
import { counted, erasing, keptFields } from "../../base/documents/fields.ts";
import { type Collection, collectionId, collectionNamed, type Db } from "../../base/mongo/client.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import type { ReadContext, SnapshotContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { type Work, workDue } from "../../base/work/rules.ts";
import type { ChangedHead } from "../accounts/list-ids.ts";

const LOG_DIGITS = 6;
const SEQ_DIGITS = 12;

/**
 * One log. The newest one grows; earlier ones are those of which a backup was restored, since to continue them would tell two histories.
 *
 * Updates: by the worker that has the lease. Deletion: never.
 */
export type LogDoc = {
  /** Its number, with leading zeros. */
  _id: string;
  /** The id of the collection that it was begun in. */
  made_in: string;
  /** The first line of its checkpoints. */
  origin: string;
  /** Entries. */
  size: number;
  /** The root of the tree of this size. Absent while it is empty. */
  root?: Binary;
  /** The newest signed checkpoint: of this size, or of an earlier one until it is signed. Absent until the first is signed. */
  checkpoint?: { readonly size: number; readonly note: string; readonly at: Date };
  /** When the last complete search for changed ledgers began. Absent until the first has ended. */
  searched_at?: Date;
  work: Work;
};

/**
 * The head of a ledger that is in a log.
 *
 * Updates: never. Deletion: never.
 * Guarantees: each head is at most once in a log (by the id).
 */
export type LoggedHeadDoc = {
  /** The account, the log and the number of the ledger entry. */
  _id: string;
  account_id: string;
  log: string;
  seq: number;
  /** Of the ledger entry. */
  hash: string;
  /** Its place in the log, from 0. */
  index: number;
  salt: Binary;
};

const HEAD_FIELDS = keptFields<LoggedHeadDoc>()({
  ...counted("_id", "account_id", "log", "seq", "hash", "index", "salt"),
});

/** Up to 256 consecutive nodes of a level. A tile grows at its end until it is full. */
type TileDoc = { /** Log or tree, level and index. */ _id: string; hashes: Binary };

export const LOG_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "logs", holds: "nothing of an account", indexes: [] },
  { name: "log_tiles", holds: "nothing of an account", indexes: [] },
  {
    name: "log_heads",
    holds: HEAD_FIELDS,
    indexes: [{ name: "log_index", key: { log: 1, index: 1 }, why: "the audit reads a log in its order" }],
  },
];

export const logs = collectionNamed<LogDoc>("logs");

/** Of the log, or of the trees of balances. */
export type TilesName = "log_tiles" | "solvency_tiles";

function tiles(db: Db, name: TilesName): Collection<TileDoc> {
  return db.collection(name);
}

const heads = collectionNamed<LoggedHeadDoc>("log_heads");

/** The newest log that was begun in this database; undefined where there is none. */
export async function findLog(db: Db): Promise<LogDoc | undefined> {
  const made_in = await collectionId(db, "logs");
  const log = await logs(db).findOne({}, { sort: { _id: -1 } });
  return log && log.made_in === made_in ? log : undefined;
}

/** Begins another one. Does nothing where another process was faster. */
export async function insertLog(db: Db, { origin, at }: { origin: string; at: Date }): Promise<void> {
  const made_in = await collectionId(db, "logs");
  const last = await logs(db).findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  const _id = String(Number(last?._id ?? 0) + 1).padStart(LOG_DIGITS, "0");
  if (made_in === undefined) return;
  await logs(db)
    .insertOne({ _id, made_in, origin, size: 0, work: workDue(at) })
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
}

type Taken = Pick<LogDoc, "_id" | "work">;

/** For as long as no other worker has taken it. */
function held({ _id, work }: Taken) {
  return { _id, "work.owner": work.owner };
}

export async function findHeldLog(db: Db, taken: Taken, { session }: TxContext): Promise<LogDoc | null> {
  return logs(db).findOne(held(taken), { session });
}

/** Returns the log as it is then. */
export async function saveAppended(
  db: Db,
  log: LogDoc,
  { size, root, until }: { size: number; root: Uint8Array; until: Date },
  { session }: TxContext,
): Promise<LogDoc | null> {
  return logs(db).findOneAndUpdate(
    { ...held(log), size: log.size },
    { $set: { size, root: new Binary(root), "work.due_at": until } },
    { session, returnDocument: "after" },
  );
}

/** Returns false, and writes nothing, if the worker has lost the log. */
export async function saveCheckpoint(
  db: Db,
  log: LogDoc,
  checkpoint: NonNullable<LogDoc["checkpoint"]>,
): Promise<boolean> {
  const filter = { ...held(log), size: checkpoint.size };
  return (await logs(db).updateOne(filter, { $set: { checkpoint } })).matchedCount === 1;
}

/** By the key that the tree knows them by. */
export async function findTiles(
  db: Db,
  log: string,
  keys: readonly string[],
  { session, name = "log_tiles" }: ReadContext & { name?: TilesName } = {},
): Promise<Map<string, Uint8Array>> {
  const found = await tiles(db, name)
    .find({ _id: { $in: keys.map((key) => `${log}/${key}`) } }, { ...(session && { session }) })
    .toArray();
  return new Map(found.map(({ _id, hashes }) => [_id.slice(log.length + 1), hashes.value()]));
}

export async function saveTiles(
  db: Db,
  log: string,
  changed: ReadonlyMap<string, Uint8Array>,
  { session, name = "log_tiles" }: ReadContext & { name?: TilesName },
): Promise<void> {
  const writes = [...changed].map(([key, hashes]) => ({
    updateOne: {
      filter: { _id: `${log}/${key}` },
      update: { $set: { hashes: new Binary(hashes) } },
      upsert: true,
    },
  }));
  await tiles(db, name).bulkWrite(writes, { ...(session && { session }) });
}

/** Of the trees whose ids sort before this one. */
export async function removeTilesBefore(db: Db, kept: string): Promise<void> {
  await tiles(db, "solvency_tiles").deleteMany({ _id: { $lt: kept } });
}

export function headId(log: string, { accountId, seq }: Omit<ChangedHead, "hash">): string {
  return `${accountId}/${log}/${String(seq).padStart(SEQ_DIGITS, "0")}`;
}

/** The heads of a ledger in a log are a range of ids. */
function headsOf(accountId: string, log: string) {
  return { $gt: `${accountId}/${log}/`, $lt: `${accountId}/${log}0` };
}

/** Which of these heads are in the log. */
export async function findLoggedIds(
  db: Db,
  ids: readonly string[],
  { session }: TxContext,
): Promise<Set<string>> {
  const found = await heads(db)
    .find({ _id: { $in: [...ids] } }, { session, projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}

/** They follow the entries that the log has. */
export async function insertHeads(
  db: Db,
  { _id: log, size }: LogDoc,
  logged: readonly { readonly head: ChangedHead; readonly salt: Uint8Array }[],
  { session }: TxContext,
): Promise<void> {
  const docs = logged.map(({ head, salt }, at) => ({
    _id: headId(log, head),
    account_id: head.accountId,
    log,
    seq: head.seq,
    hash: head.hash,
    index: size + at,
    salt: new Binary(salt),
  }));
  await heads(db).insertMany(docs, { session });
}

/** The newest head of a ledger within the first `size` entries of the log. */
export async function findNewestHead(
  db: Db,
  { accountId, log, size }: { accountId: string; log: string; size: number },
): Promise<LoggedHeadDoc | null> {
  return heads(db).findOne(
    { _id: headsOf(accountId, log), index: { $lt: size } },
    { sort: { _id: -1 }, hint: "_id_" },
  );
}

/** The heads of a ledger in all logs, the earliest first. */
export function streamHeads(
  db: Db,
  accountId: string,
  { session }: SnapshotContext,
): AsyncIterable<LoggedHeadDoc> {
  return heads(db).find(ofLedger(accountId), { session }).sort({ seq: 1 });
}

export async function eraseHeads(db: Db, accountId: string): Promise<void> {
  await heads(db).updateMany(ofLedger(accountId), erasing(HEAD_FIELDS), { hint: "_id_" });
}

function ofLedger(accountId: string) {
  return { _id: { $gt: `${accountId}/`, $lt: `${accountId}0` } };
}

export async function findLogs(db: Db, { session }: ReadContext = {}): Promise<LogDoc[]> {
  return logs(db)
    .find({}, { sort: { _id: 1 }, ...(session && { session }) })
    .toArray();
}

/** The first `size` entries of a log. */
export function streamLog(db: Db, log: string, size: number): AsyncIterable<LoggedHeadDoc> {
  return heads(db)
    .find({ log, index: { $lt: size } }, { hint: "log_index" })
    .sort({ index: 1 });
}
