// Where the stored index of the catalog and its texts are. Named queries only.
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

/**
 * The index as it was at one version, or the texts that belong to it, in a file.
 *
 * Updates: whenever a core has built a newer one, in the transaction that names the new file and lets the old one go. Deletion: when a core of
 * another release keeps its own, a week after it was made.
 */
export type SnapshotDoc = {
  /** The code that made it: only the same code can read it. The code of texts ends in `.texts`. */
  _id: string;
  epoch: string;
  version: number;
  products: number;
  file_id: string;
  bytes: number;
  sha256: string;
  made_at: Date;
};

export const SNAPSHOT_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "catalog_snapshots", holds: "nothing of an account", indexes: [] },
];

const snapshots = collectionNamed<SnapshotDoc>("catalog_snapshots");

export async function findSnapshot(
  db: Db,
  code: string,
  { session }: ReadContext = {},
): Promise<SnapshotDoc | null> {
  return snapshots(db).findOne({ _id: code }, session ? { session } : {});
}

export async function putSnapshot(db: Db, snapshot: SnapshotDoc, { session }: TxContext): Promise<void> {
  await snapshots(db).replaceOne({ _id: snapshot._id }, snapshot, { session, upsert: true });
}

/** Those of other code, made before. */
export async function findOldSnapshots(
  db: Db,
  { ours, before }: { ours: readonly string[]; before: Date },
  { session }: TxContext,
): Promise<SnapshotDoc[]> {
  return snapshots(db)
    .find({ _id: { $nin: [...ours] }, made_at: { $lt: before } }, { session })
    .toArray();
}

export async function deleteSnapshot(db: Db, code: string, { session }: TxContext): Promise<void> {
  await snapshots(db).deleteOne({ _id: code }, { session });
}
