// Brings the database to the schema of this version. Safe to run again, and safe in several processes at the same time.
import { FIRST_VERSION, MIGRATIONS } from "../base/migrations/list.ts";
import { refuseHalfRestored } from "../base/migrations/restoring.ts";
import { runMigrations } from "../base/migrations/run.ts";
import { findSchemaVersion, refuseNewer, refuseOlder } from "../base/migrations/schema-version.ts";
import { ensureSchema, SCHEMA_COLLECTIONS } from "../base/migrations/store.ts";
import { ensureCollections } from "../base/mongo/indexes.ts";
import type { App } from "../kernel/app.ts";
import { SLICES } from "./slices.ts";

/** Every collection with its indexes; docs/architecture/data.md describes them in words. */
export const ALL_COLLECTIONS = [
  ...SLICES.flatMap(({ collections = [] }) => collections),
  ...SCHEMA_COLLECTIONS,
];

/**
 * Runs at the start of a process that holds data. In development it migrates older data. In production the operator does that with a
 * command, after a backup. Throws a one-line StartupError for data that this code must not touch.
 */
export async function openData(
  app: Pick<App, "config" | "mongo" | "log">,
  migrations = MIGRATIONS,
): Promise<void> {
  await refuseHalfRestored(app.mongo.db);
  if (app.config.profile === "production") {
    const version = await findSchemaVersion(app.mongo.db);
    if (version !== undefined) refuseOlder(version, newestOf(migrations));
  }
  await migrate(app, migrations);
}

/** Checks the schema version, creates collections and indexes, and runs the remaining migrations and the seeds of the slices. */
export async function migrate(app: Pick<App, "mongo" | "log">, migrations = MIGRATIONS): Promise<void> {
  const { db } = app.mongo;
  const newest = newestOf(migrations);
  // This is checked before anything is created: an empty database and data without a version differ only in what exists.
  refuseNewer(await ensureSchema(db, (await findSchemaVersion(db)) ?? newest), newest);
  await ensureCollections(db, ALL_COLLECTIONS);
  await runMigrations(app.mongo, {
    migrations,
    onDone: ({ version, what }) => app.log.info({ version, what }, "the data are of the next schema version"),
  });
  for (const { seed } of SLICES) await seed?.(app);
}

function newestOf(migrations: typeof MIGRATIONS): number {
  return FIRST_VERSION + migrations.length;
}
