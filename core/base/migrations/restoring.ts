// Marks a database into which a backup is being restored: nothing may start on it.
import { StartupError } from "../../../runtime/process/startup-error.ts";
import type { Db } from "../mongo/client.ts";
import { type SnapshotTime, readAt } from "../mongo/snapshot-time.ts";
import { findSchema, type SchemaDoc } from "./store.ts";

export { endRestore, insertRestore, saveRestored } from "./store.ts";

export async function isHalfRestored(db: Db): Promise<boolean> {
  return (await findSchema(db))?.restoring_since !== undefined;
}

/** Throws StartupError if a backup is being restored, or its restore was interrupted. */
export async function refuseHalfRestored(db: Db): Promise<void> {
  const since = (await findSchema(db))?.restoring_since;
  if (since)
    throw new StartupError(
      `A backup is being restored into the database ${db.databaseName} since ${since.toISOString()}, or that was broken off. ` +
        "Wait until it is done, or run it again: npm run atelier -- restore FOLDER --again",
    );
}

/** The version of the data at that moment; undefined if none was recorded. */
export async function schemaVersionAt(db: Db, moment: SnapshotTime): Promise<number | undefined> {
  for await (const { version } of readAt<SchemaDoc>(db, "schema", {}, moment)) return version;
  return undefined;
}
