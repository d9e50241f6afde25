// Moves rows of an account from their collection into a sealed segment: it writes the files and reads them back, and then one transaction
// records them and deletes the rows. An interruption before that leaves the rows in place, and files that no one names, which expire in a
// day.
import { AppError } from "../../../proto/codes.ts";
import { encodeDocuments, type Stored } from "../../base/mongo/bson.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../app.ts";
import { keepBytes, keepPermanently } from "../outputs/keep.ts";
import { readWhole } from "./read-segment.ts";
import { NO_SEGMENT, sha256Of } from "./rules.ts";
import { packSegment, type SegmentRow } from "./segment-file.ts";
import {
  type ArchiveKind,
  findLastSegment,
  insertSegment,
  type ArchivePosition,
  type Segment,
  type SegmentDoc,
  type SegmentFile,
  segmentId,
  toMarks,
} from "./store.ts";

/** A row with what the record of its segment says about it. */
export type ArchivedRow = SegmentRow & {
  readonly position: ArchivePosition;
  readonly from: Date;
  readonly until: Date;
  /** The subject by which it is looked up. */
  readonly subject: string;
};

export type NewSegment = {
  readonly accountId: string;
  readonly kind: ArchiveKind;
  /** The segment that these rows follow; null for the first. */
  readonly before: Segment | null;
  /** At least one row, in order. */
  readonly rows: readonly ArchivedRow[];
  readonly more?: Pick<SegmentDoc, "cut" | "grant_keys">;
  /** Reads the same rows again within the transaction, and deletes them. */
  take(tx: TxContext): Promise<readonly SegmentRow[]>;
};

/** The rows were changed, or another worker has archived them, since they were read. */
class RowsMoved extends Error {
  override readonly name = "RowsMoved";
}

/** Returns false, with nothing changed, if the rows are not as they were read or another worker was faster. */
export async function writeSegment(app: App, wanted: NewSegment): Promise<boolean> {
  const { accountId, kind, before, rows } = wanted;
  const number = (before?.number ?? 0) + 1;
  const _id = segmentId(accountId, kind, number);
  const previous = before?.facts.sha256 ?? NO_SEGMENT;
  const header = {
    account_id: accountId,
    kind,
    number,
    ...spanOf(rows),
    previous,
    ...(wanted.more?.cut && { cut: wanted.more.cut }),
  };
  const packed = await packSegment(header, rows);
  const owner = { account_id: accountId, segment: _id };
  const [facts, words] = await Promise.all([
    keepVerified(app, owner, `${_id}.facts`, packed.facts),
    packed.words ? keepVerified(app, owner, `${_id}.words`, packed.words) : null,
  ]);
  const segment: SegmentDoc = {
    _id,
    ...header,
    facts,
    words,
    archived_at: app.clock.now(),
    marks: toMarks(rows.map(({ subject }) => subject)),
    ...wanted.more,
  };
  try {
    await inTx({ mongo: app.mongo, now: segment.archived_at }, (tx) => commit(app, wanted, segment, tx));
    return true;
  } catch (error) {
    if (error instanceof RowsMoved || isDuplicateKey(error)) return false;
    throw error;
  }
}

async function commit(
  app: App,
  { accountId, kind, before, rows, take }: NewSegment,
  segment: SegmentDoc,
  tx: TxContext,
): Promise<void> {
  const last = await findLastSegment(app.mongo.db, accountId, kind, tx);
  if (last?._id !== before?._id || last?.facts.sha256 !== before?.facts.sha256)
    throw new RowsMoved("another segment was written, or the one before was erased");
  // The deleted rows are byte for byte the contents of the files.
  if (!encoded(await take(tx)).equals(encoded(rows))) throw new RowsMoved("the rows were changed");
  await insertSegment(app.mongo.db, segment, tx);
  await keepPermanently(app, segment.facts.file_id, tx);
  if (segment.words) await keepPermanently(app, segment.words.file_id, tx);
}

function encoded(rows: readonly SegmentRow[]): Buffer {
  return encodeDocuments(rows.map(({ facts, words }): Stored => ({ facts, words })));
}

function spanOf(rows: readonly ArchivedRow[]) {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) throw new Error("a segment has at least one row");
  const until = Math.max(...rows.map((row) => row.until.getTime()));
  return {
    first: first.position,
    last: last.position,
    rows: rows.length,
    from: first.from,
    until: new Date(until),
  };
}

/** Stores a file and reads it back. It expires in a day unless something names it. */
export async function keepVerified(
  app: App,
  owner: { account_id: string; segment: string },
  name: string,
  bytes: Buffer,
): Promise<SegmentFile> {
  const fileId = app.newId("arc");
  const kept = await keepBytes(
    app,
    {
      fileId,
      owner,
      name,
      mimeType: () => "application/gzip",
      maxBytes: bytes.length,
      tooLarge: () => new AppError("internal"),
    },
    only(bytes),
  );
  const sha256 = sha256Of(bytes);
  const back = await readWhole(app, { file_id: fileId, bytes: kept.bytes });
  if (kept.sha256 !== sha256 || sha256Of(back) !== sha256)
    throw new Error(`the file ${fileId} of ${name} reads otherwise than it was written`);
  return { file_id: fileId, bytes: bytes.length, sha256 };
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
