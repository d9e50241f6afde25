// Finds the schema version of the data, and whether this code may open them. It writes nothing.
import { StartupError } from "../../../runtime/process/startup-error.ts";
import type { Db } from "../mongo/client.ts";
import { FIRST_VERSION } from "./list.ts";
import { findSchema } from "./store.ts";

/**
 * What only data from before version 1 have: indexes that code of that time made at each of its starts, and fields that nothing has
 * removed since. Both are asked for, because an index may have been dropped and a collection may be empty.
 */
const OLDER: readonly { collection: string; index: string; shape: Record<string, unknown> }[] = [
  {
    collection: "accounts",
    index: "claimable_turn",
    shape: { $or: [{ claimable: { $exists: true } }, { served_at: { $exists: false } }] },
  },
  { collection: "jobs", index: "account_idempotency", shape: { idempotency: { $exists: true } } },
  { collection: "deliveries", index: "account_job_once", shape: { redelivery_of: { $exists: true } } },
];

/** Ids grow with time and these collections only grow, so old documents come first. */
const OLDEST_DOCUMENTS = 1_000;

/** The version of the data; undefined if there are none. Throws StartupError for data older than version 1. */
export async function findSchemaVersion(db: Db): Promise<number | undefined> {
  const known = await findSchema(db);
  if (known) return known.version;
  const names = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  // The first collection that any core ever created.
  if (!names.has("accounts")) return undefined;
  for (const { collection, index, shape } of OLDER) {
    if (!names.has(collection)) continue;
    const documents = db.collection(collection);
    const [older] = await documents
      .aggregate([{ $sort: { _id: 1 } }, { $limit: OLDEST_DOCUMENTS }, { $match: shape }, { $limit: 1 }])
      .toArray();
    if (older || (await documents.indexExists(index)))
      throw new StartupError(
        `The data in the database ${db.databaseName} are from before schema version ${FIRST_VERSION} (see ${collection}), and no migration ` +
          "leads from there. Open them with the version of Atelier that wrote them, or set ATELIER_MONGO_DATABASE to another name.",
      );
  }
  return FIRST_VERSION;
}

/** Throws StartupError if the data are newer than `newest`, the version that this code knows. */
export function refuseNewer(version: number, newest: number): void {
  if (version > newest)
    throw new StartupError(
      `The data are of schema version ${version}, and this version of Atelier knows ${newest} at most. ` +
        "Start the version that migrated them, or restore the backup from before the migration.",
    );
}

/** Throws StartupError if the data must be migrated first. */
export function refuseOlder(version: number, newest: number): void {
  if (version < newest)
    throw new StartupError(
      `The data are of schema version ${version}, and this version of Atelier needs ${newest}. ` +
        "Make a backup, then run: npm run atelier -- migrate",
    );
}
