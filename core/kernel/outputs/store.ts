// Files that providers made, files of products and uploads, in GridFS: a document of facts in `outputs.files`, the bytes in
// `outputs.chunks`. Written here in the layout of the GridFS specification, so that its tools can read them, but in fewer round trips and
// with the service's own ids. A small file of a job has its bytes in the document instead: one document and two indexes less. Where an
// object store is configured, it has the bytes, and only the document is here.
import { Binary } from "mongodb";
import type { ContentCredentialsState, Understood } from "../../../proto/resources/job.ts";
import { goneFields, hidden } from "../../base/documents/fields.ts";
import { type Collection, collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { type SnapshotTime, readAt } from "../../base/mongo/snapshot-time.ts";
import { fullHour } from "./rules.ts";

/** Without the bytes of small files. */
const FACTS = { data: 0 } as const;

/** A job's record of each of its outputs. */
export type OutputDoc = {
  output_id: string;
  mime_type: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
  expires_at: Date;
  /** Absent if the provider does not tell, and in jobs from before it could. */
  understood?: Understood;
  /** Absent if there are none: for files that are not pictures, and for files from before thumbnails existed. */
  thumbnails?: readonly ThumbnailDoc[];
  /** Absent in jobs from before outputs were signed. */
  content_credentials?: ContentCredentialsState;
  /** When the owner had the file removed; always absent for files that no one deletes. */
  deleted_at?: Date;
};

/** A small picture of an output: a file of its job like others, kept as long as the output. Always WebP. */
export type ThumbnailDoc = { file_id: string; bytes: number; width: number; height: number };

/** Where the bytes are if they are not in the document. Each file has this field, because the configuration may change. */
type Place = { stored_in?: "object store" };

/**
 * Until when a job may want to read the file as its input, and when one was last given it; absent if no job ever was. The sweep keeps the
 * file that long.
 */
type Needed = { needed_until?: Date; needed_at?: Date };

/**
 * `known_until` is when the file would have expired if its owner had not deleted it: its bytes are removed earlier, and these facts are
 * kept until then.
 */
type OutputInfo = Omit<
  OutputDoc,
  "output_id" | "bytes" | "understood" | "thumbnails" | "content_credentials"
> & {
  account_id: string;
  job_id: string;
  known_until?: Date;
} & Place &
  Needed;

/**
 * The owner of a file that no job made: a product, an account that uploaded it or whose archive it belongs to, or the catalog, for its
 * index.
 */
export type KeptFor =
  | { product_id: string }
  | { account_id: string; upload_id: string }
  | { account_id: string; segment: string }
  | { catalog_snapshot: string };

/** `expires_at` is absent once a product names the file: then it is kept until it is removed. */
type KeptInfo = { mime_type: string; sha256: string; expires_at?: Date } & KeptFor & Place & Needed;

/**
 * One stored file.
 *
 * Updates: that of a job when its owner deletes it; a job that is run again by another worker saves new files, and the ones it does not
 * name are left to expire. That of a product or an upload when all of it has arrived, when it is named, and when it is no more; any, when
 * a job needs it.
 * Deletion: the sweep, after `metadata.expires_at`, which every file carries from the start.
 */
export type FileDoc<Facts = OutputInfo | KeptInfo> = {
  _id: string;
  length: number;
  chunkSize: number;
  uploadDate: Date;
  filename: string;
  metadata: Facts;
  /** All bytes of a small file, which then has no chunks. */
  data?: Binary;
};

export type OutputFile = FileDoc<OutputInfo>;
export type KeptFile = FileDoc<KeptInfo>;

type ChunkDoc = { _id: string; files_id: string; n: number; data: Binary };

export const CHUNK_BYTES = 255 * 1024;
/** The number of bytes that are sent to the database at a time. */
const BATCH_BYTES = 8 * 2 ** 20;

/** An export contains a file with its job or its upload. Rows in the files of segments have their own classes. */
const FILE_FIELDS = goneFields<FileDoc>()({
  ...hidden("_id", "length", "chunkSize", "uploadDate", "filename", "metadata", "data"),
});

const CHUNK_FIELDS = goneFields<ChunkDoc>()({
  ...hidden("_id", "files_id", "n", "data"),
});

export const OUTPUT_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "outputs.files",
    holds: FILE_FIELDS,
    indexes: [
      {
        name: "expires_sha256",
        key: { "metadata.expires_at": 1, "metadata.sha256": 1 },
        why: "the sweep finds what has expired; whether a job made a file with these bytes, by reading each end that files have",
      },
    ],
  },
  {
    name: "outputs.chunks",
    holds: CHUNK_FIELDS,
    indexes: [
      {
        name: "files_id_n",
        key: { files_id: 1, n: 1 },
        options: { unique: true },
        why: "the parts of a file in order, each once; shards on files_id",
      },
    ],
  },
];

const files = collectionNamed<FileDoc>("outputs.files");
const chunks = collectionNamed<ChunkDoc>("outputs.chunks");

export type StoredFile = { file: OutputFile; bytes: Uint8Array };

/** The file with its bytes in the document, for small ones. Code before schema version 5 cannot read it. */
export function asOneDocument({ file, bytes }: StoredFile): StoredFile {
  return { file: { ...file, data: new Binary(bytes) }, bytes };
}

/** Stores files of at most a few hundred MB each. The facts are written first: bytes without facts would never be swept. */
export async function insertFiles(
  db: Db,
  stored: readonly StoredFile[],
  tx: ReadContext = {},
): Promise<void> {
  if (stored.length === 0) return;
  const { session } = tx;
  const options = { ordered: false, ...(session && { session }) };
  await insertFacts(
    db,
    stored.map(({ file }) => file),
    tx,
  );
  let batch: ChunkDoc[] = [];
  let batchBytes = 0;
  const flush = async () => {
    const full = batch;
    batch = [];
    batchBytes = 0;
    if (full.length > 0) await chunks(db).insertMany(full, options);
  };
  for (const { file, bytes } of stored) {
    if (file.data) continue;
    for (let n = 0; n * CHUNK_BYTES < bytes.length; n++) {
      const data = new Binary(bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES));
      batch.push({ _id: `${file._id}:${n}`, files_id: file._id, n, data });
      batchBytes += data.length();
      if (batchBytes >= BATCH_BYTES) await flush();
    }
  }
  await flush();
}

/** Stores the documents of files whose bytes are elsewhere, or follow. */
export async function insertFacts(
  db: Db,
  facts: readonly FileDoc[],
  { session }: ReadContext = {},
): Promise<void> {
  await files(db).insertMany([...facts], { ordered: false, ...(session && { session }) });
}

export async function findFile(
  db: Db,
  key: { accountId: string; jobId: string; outputId: string },
): Promise<OutputFile | null> {
  return (files(db) as unknown as Collection<OutputFile>).findOne({
    _id: key.outputId,
    "metadata.account_id": key.accountId,
    "metadata.job_id": key.jobId,
  });
}

/** Files of any account's jobs with these bytes that are still kept, the oldest first. */
export async function findMade(
  db: Db,
  sha256: string,
  { now, limit }: { now: Date; limit: number },
): Promise<OutputFile[]> {
  return (files(db) as unknown as Collection<OutputFile>)
    .find(
      {
        "metadata.expires_at": { $gt: now },
        "metadata.sha256": sha256,
        "metadata.job_id": { $exists: true },
      },
      { hint: "expires_sha256", projection: FACTS },
    )
    .sort({ uploadDate: 1 })
    .limit(limit)
    .toArray();
}

export async function findOutputOf(
  db: Db,
  { accountId, outputId }: { accountId: string; outputId: string },
): Promise<OutputFile | null> {
  return (files(db) as unknown as Collection<OutputFile>).findOne(
    { _id: outputId, "metadata.account_id": accountId, "metadata.job_id": { $exists: true } },
    { projection: FACTS },
  );
}

/** The sweep leaves these files until then, or longer. Returns how many exist that no one has deleted. */
export async function saveNeeded(
  db: Db,
  fileIds: readonly string[],
  { now, until }: { now: Date; until: Date },
): Promise<number> {
  const { matchedCount } = await files(db).updateMany(
    { _id: { $in: [...fileIds] }, "metadata.deleted_at": { $exists: false } },
    { $max: { "metadata.needed_until": until, "metadata.needed_at": now } },
  );
  return matchedCount;
}

/**
 * From now on only jobs that were given these files may read them. The facts that outputs were made stay as long as the outputs would have
 * been kept; those of thumbnails do not.
 */
export async function saveDeleted(
  db: Db,
  key: { accountId: string; jobId: string },
  {
    outputIds,
    thumbnailIds,
    now,
  }: { outputIds: readonly string[]; thumbnailIds: readonly string[]; now: Date },
  { session }: TxContext,
): Promise<void> {
  const ofJob = { "metadata.account_id": key.accountId, "metadata.job_id": key.jobId };
  // If the bytes are not removed immediately, the sweep finds them within the hour.
  const gone = {
    "metadata.deleted_at": now,
    "metadata.expires_at": { $min: [fullHour(now), "$metadata.expires_at"] },
  };
  await files(db).updateMany(
    { _id: { $in: [...outputIds] }, ...ofJob },
    [{ $set: { "metadata.known_until": "$metadata.expires_at" } }, { $set: gone }],
    { session },
  );
  if (thumbnailIds.length > 0)
    await files(db).updateMany({ _id: { $in: [...thumbnailIds] }, ...ofJob }, [{ $set: gone }], { session });
}

/** Stores one chunk of a file whose document is stored already. */
export async function insertPart(db: Db, fileId: string, n: number, bytes: Uint8Array): Promise<void> {
  await chunks(db).insertOne({ _id: `${fileId}:${n}`, files_id: fileId, n, data: new Binary(bytes) });
}

/** The whole file has arrived. */
export async function saveArrived(
  db: Db,
  fileId: string,
  arrived: { bytes: number; sha256: string; mimeType: string; inObjectStore: boolean },
): Promise<void> {
  const { bytes, sha256, mimeType, inObjectStore } = arrived;
  const facts = { length: bytes, "metadata.sha256": sha256, "metadata.mime_type": mimeType };
  await files(db).updateOne(
    { _id: fileId },
    { $set: { ...facts, ...(inObjectStore && { "metadata.stored_in": "object store" as const }) } },
  );
}

/** Removes the bytes here, because an object store has them now. */
export async function deleteParts(db: Db, fileId: string): Promise<void> {
  await chunks(db).deleteMany({ files_id: fileId });
}

/** When the sweep may remove a kept file; null means never. */
export async function setExpiry(
  db: Db,
  fileId: string,
  at: Date | null,
  { session }: ReadContext = {},
): Promise<void> {
  await files(db).updateOne(
    { _id: fileId },
    at ? { $set: { "metadata.expires_at": at } } : { $unset: { "metadata.expires_at": "" } },
    session && { session },
  );
}

/**
 * Yields the bytes of a range inside the file. Throws if a chunk is missing. It reads chunk by chunk and without a cursor: a stalled reader
 * holds one chunk here and nothing in the database.
 */
export async function* readFile(
  db: Db,
  file: FileDoc,
  offset: number,
  length: number,
): AsyncGenerator<Uint8Array> {
  if (length === 0) return;
  const end = offset + length;
  if (file.data) {
    yield file.data.buffer.subarray(offset, end);
    return;
  }
  const firstChunk = Math.floor(offset / file.chunkSize);
  const lastChunk = Math.floor((end - 1) / file.chunkSize);
  for (let n = firstChunk; n <= lastChunk; n++) {
    const chunk = await chunks(db).findOne({ files_id: file._id, n });
    if (!chunk) throw new Error(`part ${n} of file ${file._id} is missing`);
    const start = n * file.chunkSize;
    yield chunk.data.buffer.subarray(Math.max(0, offset - start), Math.min(chunk.data.length(), end - start));
  }
}

/** Without `inObjectStore`, only those whose bytes are in the database. */
export async function findExpiredFiles(
  db: Db,
  now: Date,
  { limit, inObjectStore }: { limit: number; inObjectStore: boolean },
): Promise<FileDoc[]> {
  const elsewhere = inObjectStore ? {} : { "metadata.stored_in": { $exists: false } };
  return files(db)
    .find(
      {
        "metadata.expires_at": { $lte: now },
        "metadata.needed_until": { $not: { $gt: now } },
        ...elsewhere,
      },
      { projection: FACTS },
    )
    .sort({ "metadata.expires_at": 1 })
    .limit(limit)
    .toArray();
}

/** Removes only the bytes of files whose documents are kept. */
export async function deleteBytes(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await chunks(db).deleteMany({ files_id: { $in: [...ids] } });
  await files(db).updateMany({ _id: { $in: [...ids] }, "metadata.known_until": { $exists: true } }, [
    { $set: { "metadata.expires_at": "$metadata.known_until" } },
    { $unset: ["data", "metadata.known_until", "metadata.stored_in"] },
  ]);
}

/** Bytes are removed first: an interrupted removal is found again by the facts. */
export async function deleteFiles(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await chunks(db).deleteMany({ files_id: { $in: [...ids] } });
  await files(db).deleteMany({ _id: { $in: [...ids] } });
}

/** Files that jobs made. */
export async function findOutputFiles(db: Db, ids: readonly string[]): Promise<OutputFile[]> {
  return (files(db) as unknown as Collection<OutputFile>)
    .find({ _id: { $in: [...ids] }, "metadata.job_id": { $exists: true } }, { projection: FACTS })
    .toArray();
}

export async function findFiles(db: Db, ids: readonly string[]): Promise<FileDoc[]> {
  return files(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
}

/** A snapshot of complete files whose bytes are not here. */
export function readFilesElsewhere(db: Db, moment: SnapshotTime): AsyncIterable<FileDoc> {
  return readAt<FileDoc>(
    db,
    "outputs.files",
    { "metadata.stored_in": { $exists: true }, "metadata.sha256": { $ne: "" } },
    moment,
  );
}
