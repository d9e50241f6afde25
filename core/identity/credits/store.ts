// Ledger documents. No number ever changes, and an entry leaves only for a segment of the archive, whole.
import type { LedgerEntryResource } from "../../../proto/resources/credits.ts";
import { erasing, holdsMore, type KeptFields } from "../../base/documents/fields.ts";
import { shareRead } from "../../base/mongo/batched-read.ts";
import { findingById } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, SnapshotContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { holdEntryId, SETTLEMENTS, settlementEntryId } from "./entry-id.ts";
import { LEDGER_FIELDS } from "./fields.ts";

/**
 * One entry, as its owner sees it, plus what the indexes need.
 *
 * Updates: never, except that an operator's words go when the account is deleted. Deletion: in the transaction that archives it.
 * Guarantees: seq without gaps in each account; each settlement at most once for each job (by the id); each grant key at most once.
 */
export type LedgerDoc = Omit<LedgerEntryResource, "entry_id" | "created_at" | "expires_at"> & {
  _id: string;
  account_id: string;
  created_at: Date;
  grant_key?: string;
  /** For a grant that expires: when the rest of it does. */
  expires_at?: Date;
  /** Replaces a memo that was deleted with its account. */
  memo_seal?: string;
};

export const CREDIT_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "ledger",
    holds: LEDGER_FIELDS satisfies KeptFields<LedgerDoc>,
    indexes: [
      {
        name: "account_seq",
        key: { account_id: 1, seq: -1 },
        options: { unique: true },
        why: "no two entries with one number; the ledger newest first",
      },
      {
        name: "account_grant_key",
        key: { account_id: 1, grant_key: 1 },
        options: { unique: true, partialFilterExpression: { grant_key: { $exists: true } } },
        why: "a repeated grant with one key is impossible",
      },
    ],
  },
];

export const ledger = collectionNamed<LedgerDoc>("ledger");

export async function insertEntries(
  db: Db,
  entries: readonly LedgerDoc[],
  { session }: TxContext,
): Promise<void> {
  if (entries.length > 0) await ledger(db).insertMany(entries as LedgerDoc[], { session, ordered: false });
}

export async function findGrant(
  db: Db,
  accountId: string,
  grantKey: string,
  { session }: TxContext,
): Promise<LedgerDoc | null> {
  return ledger(db).findOne({ account_id: accountId, grant_key: grantKey }, { session });
}

/** Which of these entries exist. */
export async function findEntryIds(
  db: Db,
  { ids, accountIds }: { ids: readonly string[]; accountIds: readonly string[] },
  { session }: TxContext,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await ledger(db)
    // The accounts select the shards.
    .find(
      { account_id: { $in: [...accountIds] }, _id: { $in: [...ids] } },
      { session, projection: { _id: 1 }, hint: "_id_" },
    )
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}

export type PeriodEntry = Pick<LedgerDoc, "_id" | "kind" | "amount">;

/** The grants of a period, and what was taken back from it. All their ids begin with that of the period's first grant. */
export async function findPeriodEntries(
  db: Db,
  monthlyId: string,
  { session }: ReadContext = {},
): Promise<PeriodEntry[]> {
  return ledger(db)
    .find(
      { _id: { $gte: monthlyId, $lt: `${monthlyId}~` }, kind: { $in: ["grant", "adjustment"] } },
      { ...(session && { session }), projection: { kind: 1, amount: 1 }, hint: "_id_" },
    )
    .toArray();
}

export type LedgerFilter = {
  accountId: string;
  /** Only entries with a smaller seq. */
  beforeSeq?: number;
  /** Only entries of these kinds. */
  kinds?: readonly string[];
  jobId?: string;
  since?: Date;
  until?: Date;
};

/** Newest first. */
export async function listEntries(db: Db, filter: LedgerFilter, limit: number): Promise<LedgerDoc[]> {
  const created = {
    ...(filter.since && { $gte: filter.since }),
    ...(filter.until && { $lt: filter.until }),
  };
  return ledger(db)
    .find({
      account_id: filter.accountId,
      ...(filter.beforeSeq !== undefined && { seq: { $lt: filter.beforeSeq } }),
      ...(filter.kinds && { kind: { $in: [...filter.kinds] as LedgerDoc["kind"][] } }),
      ...(filter.jobId && { _id: { $in: entryIdsOf(filter.jobId) } }),
      ...(Object.keys(created).length > 0 && { created_at: created }),
    })
    .sort({ seq: -1 })
    .limit(limit)
    .toArray();
}

/** All entries of one account, oldest first. */
export function streamEntries(
  db: Db,
  accountId: string,
  { session }: SnapshotContext,
): AsyncIterable<LedgerDoc> {
  return ledger(db).find({ account_id: accountId }, { session }).sort({ seq: 1 }).batchSize(1000);
}

/** All entries of these jobs and holds of one account. Without a session, read together with what others of this process read. */
export async function findEntriesOf(
  db: Db,
  accountId: string,
  subjects: readonly string[],
  context: ReadContext = {},
): Promise<LedgerDoc[]> {
  const ids = subjects.flatMap(entryIdsOf);
  const found = await (context.session ? findEntries(db, ids, context) : readTogether(db, ids));
  return [...found.values()].filter(({ account_id }) => account_id === accountId);
}

async function findEntries(
  db: Db,
  ids: readonly string[],
  { session }: ReadContext = {},
): Promise<Map<string, LedgerDoc>> {
  const found = await ledger(db)
    .find({ _id: { $in: [...ids] } }, { ...(session && { session }), hint: "_id_" })
    .toArray();
  return new Map(found.map((entry) => [entry._id, entry]));
}

const readTogether = shareRead<LedgerDoc>(findEntries);

export async function findEntry(db: Db, accountId: string, entryId: string): Promise<LedgerDoc | null> {
  return ledger(db).findOne({ _id: entryId, account_id: accountId });
}

/** Of any account. */
export const findAnyEntry = findingById(ledger);

/** Entries that follow this number, the oldest first. */
export async function findEntriesAfter(
  db: Db,
  { accountId, afterSeq }: { accountId: string; afterSeq: number },
  limit: number,
  { session }: ReadContext = {},
): Promise<LedgerDoc[]> {
  return ledger(db)
    .find(
      { account_id: accountId, seq: { $gt: afterSeq } },
      { hint: "account_seq", ...(session && { session }) },
    )
    .sort({ seq: 1 })
    .limit(limit)
    .toArray();
}

/** When the entry of this number was made; undefined where it is not live. */
export async function findEntryTime(db: Db, accountId: string, seq: number): Promise<Date | undefined> {
  const entry = await ledger(db).findOne(
    { account_id: accountId, seq },
    { projection: { created_at: 1 }, hint: "account_seq" },
  );
  return entry?.created_at;
}

/** They are in a segment from now on. */
export async function deleteArchivedEntries(
  db: Db,
  { accountId, fromSeq, toSeq }: { accountId: string; fromSeq: number; toSeq: number },
  { session }: TxContext,
): Promise<void> {
  await ledger(db).deleteMany(
    { account_id: accountId, seq: { $gte: fromSeq, $lte: toSeq } },
    { session, hint: "account_seq" },
  );
}

/** The hash of the entry that paid for a job; undefined where there is none. */
export async function findDebitHash(db: Db, accountId: string, jobId: string): Promise<string | undefined> {
  const _id = settlementEntryId(jobId, "debit");
  const entry = await ledger(db).findOne({ _id, account_id: accountId }, { projection: { hash: 1 } });
  return entry?.hash;
}

function entryIdsOf(subject: string): string[] {
  const idOf = subject.startsWith("hold_") ? holdEntryId : settlementEntryId;
  return SETTLEMENTS.map((settlement) => idOf(subject, settlement));
}

/** Entries with fields that are not counted, such as operators' texts. */
export async function findEntriesWithWords(db: Db, accountId: string): Promise<LedgerDoc[]> {
  return ledger(db)
    .find({ account_id: accountId, ...holdsMore(LEDGER_FIELDS) })
    .toArray();
}

export async function saveWithoutWords(db: Db, entryId: string, seal: string | undefined): Promise<void> {
  await ledger(db).updateOne({ _id: entryId }, [
    ...erasing(LEDGER_FIELDS),
    ...(seal === undefined ? [] : [{ $set: { memo_seal: { $literal: seal } } }]),
  ]);
}

/** Roughly the newest entries of all accounts: ids grow with time, but a job's entries have the job's time. */
export async function findNewestEntries(db: Db, limit: number): Promise<LedgerDoc[]> {
  return ledger(db).find({}, { hint: "_id_" }).sort({ _id: -1 }).limit(limit).toArray();
}
