// Names of internal services whose tokens are refused. Named queries only; no decisions.
import type { Db } from "../../base/mongo/client.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

/** Updates: never. Deletion: never; a service that comes back takes another name. */
export type RevokedNameDoc = { /** The name. */ _id: string; revoked_at: Date };

/** The id is its only index, because every core reads all of the few rows. */
export const SERVICE_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "service_names_revoked", holds: "nothing of an account", indexes: [] },
];

/** Does nothing if the name exists already. */
export async function insertRevokedName(db: Db, name: string, at: Date): Promise<void> {
  await db
    .collection<RevokedNameDoc>("service_names_revoked")
    .updateOne({ _id: name }, { $setOnInsert: { revoked_at: at } }, { upsert: true });
}

export async function findRevokedNames(db: Db): Promise<string[]> {
  const rows = await db.collection<RevokedNameDoc>("service_names_revoked").find().toArray();
  return rows.map(({ _id }) => _id);
}
