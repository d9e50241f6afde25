// Documents of uploads. Named queries only; no decisions. Their bytes are stored like those of outputs.
import type { Modality } from "../../../proto/resources/job.ts";
import { type GoneFields, hidden, owner } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import { type CollectionSpec, expiryIndex } from "../../base/mongo/indexes.ts";
import { findNewest, type NewestQuery } from "../../base/mongo/newest.ts";

/** The facts about the stored, cleaned file. */
export type UploadInfo = {
  kind: Modality;
  mime_type: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
};

/**
 * A file that an account has brought, to be the input of jobs.
 *
 * Updates: when its bytes begin to arrive and when all of them have. Deletion: by its owner, with its account, else by MongoDB after
 * `expires_at`; the file itself is swept like every other.
 */
export type UploadDoc = {
  /** The id of the stored bytes as well. */
  _id: string;
  account_id: string;
  /** Announced by an address, arriving, or ready. */
  state: "awaited" | "arriving" | "ready";
  /** Fetched from an address that a request named, or sent by the owner. */
  origin: "sent" | "fetched";
  /** The maximum number of bytes. */
  max_bytes: number;
  /** null until the upload is ready. */
  facts: UploadInfo | null;
  created_at: Date;
  expires_at: Date;
};

export type ReadyUpload = UploadDoc & { facts: UploadInfo };

/** The class of each field of an upload, from its owner's view. */
export const UPLOAD_FIELDS = {
  ...hidden("_id", "account_id", "max_bytes"),
  ...owner("state", "origin", "facts", "created_at", "expires_at"),
} as const;

export const UPLOAD_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "uploads",
    holds: UPLOAD_FIELDS satisfies GoneFields<UploadDoc>,
    indexes: [
      {
        name: "account_newest",
        key: { account_id: 1, _id: -1 },
        why: "the uploads of an account, and how much it keeps",
      },
      expiryIndex("MongoDB removes uploads whose time is over"),
    ],
  },
];

const uploads = collectionNamed<UploadDoc>("uploads");

export async function insertUpload(db: Db, upload: UploadDoc): Promise<void> {
  await uploads(db).insertOne(upload);
}

/** Uses an address, which works once: null if it was used, has expired or never existed. */
export async function saveArriving(
  db: Db,
  key: { accountId: string; uploadId: string },
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<UploadDoc | null> {
  return uploads(db).findOneAndUpdate(
    { _id: key.uploadId, account_id: key.accountId, state: "awaited", expires_at: { $gt: now } },
    { $set: { state: "arriving", expires_at: expiresAt } },
    { returnDocument: "after" },
  );
}

/** Marks the upload as complete. Returns false if it is no longer expected, for example because its account was deleted. */
export async function saveReady(
  db: Db,
  key: { accountId: string; uploadId: string },
  { facts, expiresAt }: { facts: UploadInfo; expiresAt: Date },
): Promise<boolean> {
  const { matchedCount } = await uploads(db).updateOne(
    { _id: key.uploadId, account_id: key.accountId, state: "arriving" },
    { $set: { state: "ready", facts, expires_at: expiresAt } },
  );
  return matchedCount === 1;
}

export async function findUpload(
  db: Db,
  { accountId, uploadId }: { accountId: string; uploadId: string },
): Promise<UploadDoc | null> {
  return uploads(db).findOne({ _id: uploadId, account_id: accountId });
}

export async function deleteUpload(
  db: Db,
  { accountId, uploadId }: { accountId: string; uploadId: string },
): Promise<UploadDoc | null> {
  return uploads(db).findOneAndDelete({ _id: uploadId, account_id: accountId });
}

/** The uploads that count for an account, including incomplete ones. Files fetched for its jobs do not: it cannot delete them. */
export async function sumUploads(
  db: Db,
  accountId: string,
  now: Date,
): Promise<{ count: number; bytes: number }> {
  const [sum] = await uploads(db)
    .aggregate<{ count: number; bytes: number }>([
      {
        $match: {
          account_id: accountId,
          expires_at: { $gt: now },
          $nor: [{ state: "ready", origin: "fetched" }],
        },
      },
      { $group: { _id: null, count: { $sum: 1 }, bytes: { $sum: "$facts.bytes" } } },
    ])
    .toArray();
  return { count: sum?.count ?? 0, bytes: sum?.bytes ?? 0 };
}

/** The oldest earlier upload of the account with the same content. */
export async function findSameUpload(
  db: Db,
  { _id, account_id, facts }: ReadyUpload,
  now: Date,
): Promise<ReadyUpload | null> {
  const filter = { account_id, _id: { $lt: _id }, state: "ready", origin: "sent" } as const;
  return uploads(db).findOne<ReadyUpload>(
    { ...filter, "facts.sha256": facts.sha256, expires_at: { $gt: now } },
    { sort: { _id: 1 } },
  );
}

/** Newest first. */
export async function findUploads(db: Db, query: NewestQuery, limit: number): Promise<UploadDoc[]> {
  return findNewest(uploads(db), query, limit);
}

export async function deleteUploads(db: Db, ids: readonly string[]): Promise<void> {
  await uploads(db).deleteMany({ _id: { $in: [...ids] } });
}
