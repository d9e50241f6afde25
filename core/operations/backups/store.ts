// The last good backup, and the reads and writes of whole collections. Named queries only; no decisions.
import { decodeExactly } from "../../base/mongo/bson.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

const WINDOW = "minSnapshotHistoryWindowInSeconds";

/**
 * The last backup that was finished, for the metric that an alert watches.
 *
 * Updates: each backup. Deletion: never.
 */
export type BackupDoc = {
  _id: "last";
  /** The moment of its snapshot. */
  at: Date;
  ended_at: Date;
  documents: number;
  stored_bytes: number;
};

export const BACKUP_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "backups", holds: "nothing of an account", indexes: [] },
];

const LAST = "last";

const backups = collectionNamed<BackupDoc>("backups");

/** A slower backup that ends later does not hide a newer one. */
export async function saveLastBackup(db: Db, facts: Omit<BackupDoc, "_id">): Promise<void> {
  const newer = { $cond: [{ $gt: ["$at", facts.at] }, "$$ROOT", { _id: LAST, ...facts }] };
  await backups(db).updateOne({ _id: LAST }, [{ $replaceWith: newer }], { upsert: true });
}

export async function findLastBackup(db: Db): Promise<BackupDoc | null> {
  return backups(db).findOne({ _id: LAST });
}

/** All collections with data, by name; views and the server's own collections are left out. */
export async function listCollectionNames(db: Db): Promise<string[]> {
  const found = await db.listCollections({ type: "collection" }, { nameOnly: true }).toArray();
  return found
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("system."))
    .toSorted();
}

export async function createEmpty(db: Db, name: string): Promise<void> {
  await db.createCollection(name);
}

/**
 * Inserts documents as `readRaw` returned them. Only one server confirms: the restore lets a majority confirm its last write, and with it
 * those before.
 */
export async function insertRaw(db: Db, name: string, documents: readonly Uint8Array[]): Promise<void> {
  await db.collection(name).insertMany(documents.map(decodeExactly), {
    ordered: false,
    writeConcern: { w: 1 },
    forceServerObjectId: true,
  });
}

export async function dropAll(db: Db): Promise<void> {
  await db.dropDatabase();
}

export async function serverVersion(db: Db): Promise<string> {
  const { version } = (await db.command({ buildInfo: 1 })) as { version: string };
  return version;
}

/** Sets how long the server keeps snapshots, if we may. Returns the previous value; undefined if we may not change it. */
export async function setHistorySeconds(db: Db, seconds: number): Promise<number | undefined> {
  const admin = db.admin();
  try {
    const { was } = (await admin.command({ setParameter: 1, [WINDOW]: seconds })) as { was?: number };
    return was;
  } catch (error) {
    // Unauthorized. A mongos does not have this parameter.
    if ((error as { codeName?: string }).codeName !== undefined) return undefined;
    throw error;
  }
}
