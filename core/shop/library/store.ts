// Documents of files of products, and of downloads. Named queries only; no decisions. The bytes are where those of outputs are.
import { goneFields, owner } from "../../base/documents/fields.ts";
import { findingById, inserting } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { findNewest, type NewestQuery } from "../../base/mongo/newest.ts";
import { upsertOnce } from "../../base/mongo/upsert.ts";
import type { ArchiveContents } from "./zip-contents.ts";

/**
 * A file of a product, in one version, all of whose bytes are stored.
 *
 * Updates: never. Deletion: operators.
 */
export type ProductFileDoc = {
  /** Also the id of the stored bytes. */
  _id: string;
  product_id: string;
  name: string;
  version: string;
  bytes: number;
  media_type: string;
  sha256: string;
  added_at: Date;
  /** Of a ZIP whose directory could be read. Absent from files that an earlier release stored. */
  contents?: ArchiveContents;
};

/**
 * One download of a file by an account: its requests within an hour from one network.
 *
 * Updates: with each of them. Deletion: with the account, else after KEPT_SECONDS, by MongoDB.
 */
export type DownloadDoc = {
  _id: string;
  account_id: string;
  file_id: string;
  /** Coarse. */
  network: string;
  hour: Date;
  licence_id: string;
  product_slug: string;
  name: string;
  version: string;
  requests: number;
  first_at: Date;
  last_at: Date;
};

const KEPT_SECONDS = 400 * 24 * 60 * 60;

const DOWNLOAD_FIELDS = goneFields<DownloadDoc>()({
  ...owner("_id", "file_id", "network", "licence_id", "product_slug", "name", "version", "requests"),
  ...owner("first_at", "last_at"),
  account_id: "hidden",
  hour: "hidden",
});

export const LIBRARY_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "product_files",
    holds: "nothing of an account",
    indexes: [
      {
        name: "product_name_version",
        key: { product_id: 1, name: 1, version: 1 },
        options: { unique: true },
        why: "the files of a product; a name and a version stand for one file",
      },
    ],
  },
  {
    name: "downloads",
    holds: DOWNLOAD_FIELDS,
    indexes: [
      { name: "account_newest", key: { account_id: 1, _id: -1 }, why: "what an account downloaded" },
      {
        name: "once_an_hour",
        key: { account_id: 1, file_id: 1, network: 1, hour: 1 },
        options: { unique: true },
        why: "the parts of a download are one line of the log",
      },
      {
        name: "first_at",
        key: { first_at: 1 },
        options: { expireAfterSeconds: KEPT_SECONDS },
        why: "MongoDB removes downloads of more than a year ago; metrics count the newest",
      },
    ],
  },
];

const productFiles = collectionNamed<ProductFileDoc>("product_files");
const downloads = collectionNamed<DownloadDoc>("downloads");

export const insertProductFile = inserting(productFiles);

export const findProductFile = findingById(productFiles);

export async function findFileOfVersion(
  db: Db,
  { productId, name, version }: { productId: string; name: string; version: string },
): Promise<ProductFileDoc | null> {
  return productFiles(db).findOne({ product_id: productId, name, version });
}

/** By name, the newest of each first. */
export async function findProductFiles(db: Db, productIds: readonly string[]): Promise<ProductFileDoc[]> {
  return productFiles(db)
    .find({ product_id: { $in: [...productIds] } })
    .sort({ name: 1, _id: -1 })
    .toArray();
}

export async function deleteProductFile(
  db: Db,
  { fileId, productId }: { fileId: string; productId: string },
  { session }: TxContext,
): Promise<ProductFileDoc | null> {
  return productFiles(db).findOneAndDelete({ _id: fileId, product_id: productId }, { session });
}

/** Counts one more request of the download that it belongs to. */
export async function countDownload(
  db: Db,
  { _id, first_at, last_at, requests, ...download }: DownloadDoc,
): Promise<void> {
  const { account_id, file_id, network, hour, ...said } = download;
  await upsertOnce(() =>
    downloads(db).updateOne(
      { account_id, file_id, network, hour },
      { $setOnInsert: { _id, first_at, ...said }, $set: { last_at }, $inc: { requests } },
      { upsert: true },
    ),
  );
}

/** Newest first. */
export async function findDownloads(db: Db, query: NewestQuery, limit: number): Promise<DownloadDoc[]> {
  return findNewest(downloads(db), query, limit);
}

export async function deleteDownloads(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await downloads(db).deleteMany({ account_id: accountId }, { session });
}
