// The document with the schema version. It contains named queries only; no decisions.
import { collectionNamed, type Db } from "../mongo/client.ts";
import type { TxContext } from "../mongo/in-tx.ts";
import type { CollectionSpec } from "../mongo/indexes.ts";

/** No code knows a version this high, so any code refuses to start on a partly restored database. */
const HALF_RESTORED = 1_000_000;

/**
 * The schema version of the data, and the migration under way.
 *
 * Updates: the process that migrates, under the lease, in the transaction of each batch; a restore of a backup.
 * Deletion: never.
 * Guarantees: one process migrates at a time; `after` fits exactly what has been written.
 */
export type SchemaDoc = {
  _id: "schema";
  version: number;
  /** The progress of the migration to the next version: the result of its last batch. */
  after: string | null;
  /** The process that runs it. */
  lease: { owner: string; until: Date } | null;
  /** When the restore of a backup into this database began; absent unless it is running or was interrupted. */
  restoring_since?: Date;
};

export const SCHEMA_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "schema", holds: "nothing of an account", indexes: [] },
];

const SCHEMA_ID = "schema";

const schema = collectionNamed<SchemaDoc>("schema");

export async function findSchema(db: Db): Promise<SchemaDoc | null> {
  return schema(db).findOne({ _id: SCHEMA_ID });
}

/** Records the version of the data if none is recorded. Returns the recorded version. */
export async function ensureSchema(db: Db, version: number): Promise<number> {
  const doc = await schema(db).findOneAndUpdate(
    { _id: SCHEMA_ID },
    { $setOnInsert: { version, after: null, lease: null } },
    { upsert: true, returnDocument: "after" },
  );
  return doc?.version ?? version;
}

/** Takes the lease of the migration that follows `version` if it is free. Times are the database's. */
export async function takeSchemaLease(
  db: Db,
  { version, owner, leaseMs }: { version: number; owner: string; leaseMs: number },
): Promise<SchemaDoc | null> {
  return schema(db).findOneAndUpdate(
    {
      _id: SCHEMA_ID,
      version,
      $expr: { $or: [{ $eq: ["$lease", null] }, { $lte: ["$lease.until", "$$NOW"] }] },
    },
    [{ $set: { lease: { owner, until: { $add: ["$$NOW", leaseMs] } } } }],
    { returnDocument: "after" },
  );
}

/** Stores the progress of a batch and extends the lease. Returns false if another process holds the lease. */
export async function saveProgress(
  db: Db,
  { version, owner, leaseMs, after }: { version: number; owner: string; leaseMs: number; after: string },
  { session }: TxContext,
): Promise<boolean> {
  const { matchedCount } = await schema(db).updateOne(
    { _id: SCHEMA_ID, version, "lease.owner": owner },
    [{ $set: { after: { $literal: after }, "lease.until": { $add: ["$$NOW", leaseMs] } } }],
    { session },
  );
  return matchedCount === 1;
}

/** Completes a migration: the data now have the next version. Returns false if another process holds the lease. */
export async function saveVersion(
  db: Db,
  { version, owner }: { version: number; owner: string },
  { session }: TxContext,
): Promise<boolean> {
  const { matchedCount } = await schema(db).updateOne(
    { _id: SCHEMA_ID, version: version - 1, "lease.owner": owner },
    { $set: { version, after: null, lease: null } },
    { session },
  );
  return matchedCount === 1;
}

/** Releases the lease after a failure, so that others can continue immediately. */
export async function releaseSchemaLease(db: Db, owner: string): Promise<void> {
  await schema(db).updateOne({ _id: SCHEMA_ID, "lease.owner": owner }, { $set: { lease: null } });
}

/** Marks the database before anything is restored into it. */
export async function insertRestore(db: Db, at: Date): Promise<void> {
  await schema(db).insertOne({
    _id: SCHEMA_ID,
    version: HALF_RESTORED,
    after: null,
    lease: null,
    restoring_since: at,
  });
}

/** All documents are restored. An interrupted migration continues where it was; its process no longer exists. */
export async function saveRestored(
  db: Db,
  { version, after, at }: { version: number; after: string | null; at: Date },
): Promise<void> {
  const doc = { version, after, lease: null, restoring_since: at };
  await schema(db).replaceOne({ _id: SCHEMA_ID }, doc, { upsert: true });
}

/** From now on processes may start on the database. */
export async function endRestore(db: Db): Promise<void> {
  await schema(db).updateOne({ _id: SCHEMA_ID }, { $unset: { restoring_since: "" } });
}
