// The records of the archive: which segments an account has, what each contains, and where its files are. Named queries only.
import { Binary } from "mongodb";
import { counted, keptFields } from "../../base/documents/fields.ts";
import { shareRead } from "../../base/mongo/batched-read.ts";
import { inserting } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { type Work, workDue } from "../../base/work/rules.ts";
import { markOf } from "./rules.ts";

const DIGITS = 8;
const WITHOUT_MARKS = { marks: 0 } as const;

/** The collection of a segment's rows. */
export type ArchiveKind = "ledger" | "jobs" | "workflows";

/** The position of a row in its account: the number of an entry, or the id of a job or a workflow. */
export type ArchivePosition = number | string;

export type SegmentFile = { file_id: string; bytes: number; sha256: string };

/** The state of the owner's ledger after the last entry of a segment. */
export type LedgerCut = { seq: number; hash: string; balance: number; held: number };

/**
 * One sealed segment: consecutive rows of an account, which have left their collection. Updates: when its account is deleted: its text is
 * removed, and the uncounted fields of its facts. Deletion: never. Guarantees: written in the transaction that deletes its rows; the
 * segments of an account and kind are numbered without gaps (by the id), and each names the hash of the one before.
 */
export type SegmentDoc = {
  /** The account, the kind and the number. */
  _id: string;
  account_id: string;
  kind: ArchiveKind;
  /** Counted from 1. */
  number: number;
  first: ArchivePosition;
  last: ArchivePosition;
  rows: number;
  /** The start of the first row, and the latest end of any row. */
  from: Date;
  until: Date;
  /** The rows without users' and operators' texts. The hash covers the hash of `words` and that of the segment before. */
  facts: SegmentFile;
  /** The texts in these rows; null if there are none. */
  words: SegmentFile | null;
  /** When the text was erased with its account. Always absent while the account exists. */
  words_erased_at?: Date;
  /** The hash of the segment before; 64 zeros in the first. */
  previous: string;
  archived_at: Date;
  /** Short hashes of the rows' subjects, by which the segment of a row is found without reading any file. */
  marks: Binary;
  /** Only in segments of the ledger. */
  cut?: LedgerCut;
  /** Grant keys of its entries; absent if there are none, and once the account is deleted. */
  grant_keys?: readonly string[];
};

/**
 * How far the pass over all accounts is.
 *
 * Updates: the worker that has the lease. Deletion: never.
 */
export type PassDoc = {
  _id: "pass";
  /** The last account that was processed; empty between two passes. */
  after: string;
  /** Due when the next pass may begin. */
  work: Work;
};

const FILE_FIELDS = keptFields<SegmentFile>()({
  ...counted("file_id", "bytes", "sha256"),
});

/** Rows have the classes of their kind. A field of a newer release is kept, because the file contains it too and must not differ. */
const SEGMENT_FIELDS = keptFields<SegmentDoc>()({
  ...counted("_id", "account_id", "kind", "number", "first", "last", "rows", "from", "until"),
  ...counted("words_erased_at", "previous", "archived_at", "marks"),
  facts: { within: FILE_FIELDS },
  words: { within: FILE_FIELDS },
  cut: { within: { seq: "counted", hash: "counted", balance: "counted", held: "counted" } },
  grant_keys: "hidden",
});

export const ARCHIVE_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "archive_segments", holds: SEGMENT_FIELDS, indexes: [] },
  { name: "archive_passes", holds: "nothing of an account", indexes: [] },
];

const segments = collectionNamed<SegmentDoc>("archive_segments");
export const passes = collectionNamed<PassDoc>("archive_passes");

export function segmentId(accountId: string, kind: ArchiveKind, number: number): string {
  return `${accountId}/${kind}/${String(number).padStart(DIGITS, "0")}`;
}

/** The segments of an account and kind are a range of ids. */
function rangeOf(accountId: string, kind: ArchiveKind) {
  return { $gt: `${accountId}/${kind}/`, $lt: `${accountId}/${kind}0` };
}

export type Segment = Omit<SegmentDoc, "marks">;

export async function findLastSegment(
  db: Db,
  accountId: string,
  kind: ArchiveKind,
  { session }: ReadContext = {},
): Promise<Segment | null> {
  return segments(db).findOne(
    { _id: rangeOf(accountId, kind) },
    { sort: { _id: -1 }, projection: WITHOUT_MARKS, ...(session && { session }) },
  );
}

/** The first segment of a ledger that has an entry after this number. */
export async function findLedgerSegmentAfter(
  db: Db,
  accountId: string,
  seq: number,
): Promise<Segment | null> {
  return segments(db).findOne(
    { _id: rangeOf(accountId, "ledger"), last: { $gt: seq } },
    { sort: { _id: 1 }, projection: WITHOUT_MARKS },
  );
}

/** All segments of an account in order, one kind after the other. */
export async function findAllSegments(
  db: Db,
  accountId: string,
  { session }: ReadContext = {},
): Promise<Segment[]> {
  return segments(db)
    .find(
      { _id: { $gt: `${accountId}/`, $lt: `${accountId}0` } },
      { projection: WITHOUT_MARKS, ...(session && { session }) },
    )
    .sort({ _id: 1 })
    .toArray();
}

export type SegmentRange = {
  readonly accountId: string;
  readonly kind: ArchiveKind;
  /** Only segments with rows before this one. */
  readonly before?: ArchivePosition | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Only segments with something about this subject. */
  readonly about?: string | undefined;
};

/** Most accounts have no archive. That is read together with what others of this process ask for at the same time. */
const readFirst = shareRead<Pick<SegmentDoc, "_id">>(async (db, ids) => {
  const found = await segments(db)
    .find({ _id: { $in: [...ids] } }, { projection: { _id: 1 }, hint: "_id_" })
    .toArray();
  return new Map(found.map((segment) => [segment._id, segment]));
});

async function hasSegments(db: Db, accountId: string, kind: ArchiveKind): Promise<boolean> {
  return (await readFirst(db, [segmentId(accountId, kind, 1)])).size > 0;
}

/** The newest first. */
export async function findSegmentsBefore(
  db: Db,
  { accountId, kind, before, since, until, about }: SegmentRange,
  limit: number,
): Promise<Segment[]> {
  if (!(await hasSegments(db, accountId, kind))) return [];
  const found: Segment[] = [];
  const stream = segments(db)
    .find(
      {
        _id: rangeOf(accountId, kind),
        ...(before !== undefined && { first: { $lt: before } }),
        ...(since && { until: { $gte: since } }),
        ...(until && { from: { $lt: until } }),
      },
      about === undefined ? { projection: WITHOUT_MARKS } : {},
    )
    .sort({ _id: -1 });
  for await (const segment of stream) {
    if (about !== undefined && !hasMark(segment.marks, about)) continue;
    found.push(segment);
    if (found.length === limit) break;
  }
  return found;
}

/** The segments with something about any of these, the oldest first. */
export async function findSegmentsAbout(
  db: Db,
  { accountId, kind, since }: { accountId: string; kind: ArchiveKind; since?: Date },
  subjects: readonly string[],
): Promise<Segment[]> {
  if (!(await hasSegments(db, accountId, kind))) return [];
  const found: Segment[] = [];
  const stream = segments(db)
    .find({ _id: rangeOf(accountId, kind), ...(since && { until: { $gte: since } }) })
    .sort({ _id: 1 });
  for await (const segment of stream)
    if (subjects.some((subject) => hasMark(segment.marks, subject))) found.push(segment);
  return found;
}

/** Segments of any account that may have this job. It reads the records of all accounts, so it is for operators only. */
export async function findSegmentsOfAnyJob(db: Db, jobId: string): Promise<Segment[]> {
  const found: Segment[] = [];
  for await (const segment of segments(db).find({
    kind: "jobs",
    first: { $lte: jobId },
    last: { $gte: jobId },
  }))
    if (hasMark(segment.marks, jobId)) found.push(segment);
  return found;
}

export async function findSegmentOfGrantKey(
  db: Db,
  accountId: string,
  grantKey: string,
  { session }: TxContext,
): Promise<Segment | null> {
  return segments(db).findOne(
    { _id: rangeOf(accountId, "ledger"), grant_keys: grantKey },
    { session, projection: WITHOUT_MARKS },
  );
}

function hasMark({ buffer, position }: Binary, subject: string): boolean {
  const mark = markOf(subject);
  const view = new DataView(buffer.buffer, buffer.byteOffset, position);
  for (let at = 0; at + 4 <= position; at += 4) if (view.getUint32(at) === mark) return true;
  return false;
}

export function toMarks(subjects: Iterable<string>): Binary {
  const marks = [...new Set([...subjects].map(markOf))];
  const bytes = Buffer.alloc(marks.length * 4);
  for (const [i, mark] of marks.entries()) bytes.writeUInt32BE(mark, i * 4);
  return new Binary(bytes);
}

/** The id refuses it if another worker has written the segment of this number in the meantime. */
export const insertSegment = inserting(segments);

export async function findSegmentsWithWords(db: Db, accountId: string): Promise<Segment[]> {
  return (await findAllSegments(db, accountId)).filter(
    ({ words, words_erased_at, grant_keys }) => (words && !words_erased_at) || grant_keys,
  );
}

export async function saveWordsErased(
  db: Db,
  segmentId: string,
  at: Date,
  { session }: TxContext,
): Promise<void> {
  await segments(db).updateOne(
    { _id: segmentId },
    { $set: { words_erased_at: at }, $unset: { grant_keys: "" } },
    { session },
  );
}

/** Replaces these facts with others. Returns false if they are not the segment's any more. */
export async function replaceFacts(
  db: Db,
  { _id, facts: before }: Segment,
  { facts, previous }: Pick<SegmentDoc, "facts" | "previous">,
  { session }: TxContext,
): Promise<boolean> {
  const { matchedCount } = await segments(db).updateOne(
    { _id, "facts.file_id": before.file_id },
    { $set: { facts, previous } },
    { session },
  );
  return matchedCount === 1;
}

/** Does nothing if it exists. */
export async function insertPass(db: Db, now: Date): Promise<void> {
  await passes(db).updateOne(
    { _id: "pass" },
    { $setOnInsert: { after: "", work: workDue(now) } },
    { upsert: true },
  );
}
