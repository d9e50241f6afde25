// Brings the database to the shape this version needs. Safe to run again, and in several processes at once.
import { ACCOUNT_COLLECTIONS } from "./accounts/store.ts";
import { MAILBOX_COLLECTIONS } from "./accounts/store-mailboxes.ts";
import { seedPlans } from "./accounts/seed-plans.ts";
import { ARCHIVE_COLLECTIONS } from "./archive/store.ts";
import { AUDIT_TRAIL_COLLECTIONS } from "./audit-trail/store.ts";
import type { App } from "./app.ts";
import { BACKUP_COLLECTIONS } from "./backups/store.ts";
import { BULK_COLLECTIONS } from "./bulk/store.ts";
import { CALLBACK_COLLECTIONS } from "./callbacks/store.ts";
import { prepareCatalog } from "./catalog/prepare.ts";
import { CATALOG_COLLECTIONS } from "./catalog/store.ts";
import { SNAPSHOT_COLLECTIONS } from "./catalog/store-snapshots.ts";
import { CONFIRMATION_COLLECTIONS } from "./confirmations/store.ts";
import { CREDIT_COLLECTIONS } from "./credits/store.ts";
import { GATE_COLLECTIONS } from "./gates/store.ts";
import { JOB_COLLECTIONS } from "./jobs/store.ts";
import { MAIL_COLLECTIONS } from "./mail/store.ts";
import { LIBRARY_COLLECTIONS } from "./library/store.ts";
import { seedTiers } from "./memberships/seed-tiers.ts";
import { MEMBERSHIP_COLLECTIONS } from "./memberships/store.ts";
import { FIRST_VERSION, MIGRATIONS } from "./migrations/list.ts";
import { refuseHalfRestored } from "./migrations/restoring.ts";
import { runMigrations } from "./migrations/run.ts";
import { findSchemaVersion, refuseNewer, refuseOlder } from "./migrations/schema-version.ts";
import { ensureSchema, saveCode, SCHEMA_COLLECTIONS } from "./migrations/store.ts";
import { MODEL_COLLECTIONS } from "./models/store.ts";
import { ensureCollections } from "./mongo/indexes.ts";
import { OUTPUT_COLLECTIONS } from "./outputs/store.ts";
import { seedPacks } from "./orders/packs.ts";
import { ORDER_COLLECTIONS } from "./orders/store.ts";
import { PAYMENT_COLLECTIONS } from "./payments/store.ts";
import { PRIVACY_COLLECTIONS } from "./privacy/store.ts";
import { SUBSCRIPTION_COLLECTIONS } from "./subscriptions/store.ts";
import { SERVICE_COLLECTIONS } from "./services/store.ts";
import { SESSION_COLLECTIONS } from "./sessions/store.ts";
import { TICKET_COLLECTIONS } from "./tickets/store.ts";
import { UPLOAD_COLLECTIONS } from "./uploads/store.ts";
import { WORKFLOW_COLLECTIONS } from "./workflows/store.ts";

/** Every collection with its indexes; docs/architecture/data.md describes them in words. */
export const ALL_COLLECTIONS = [
  ...ACCOUNT_COLLECTIONS,
  ...MAILBOX_COLLECTIONS,
  ...ARCHIVE_COLLECTIONS,
  ...CREDIT_COLLECTIONS,
  ...CONFIRMATION_COLLECTIONS,
  ...JOB_COLLECTIONS,
  ...WORKFLOW_COLLECTIONS,
  ...MODEL_COLLECTIONS,
  ...GATE_COLLECTIONS,
  ...CALLBACK_COLLECTIONS,
  ...CATALOG_COLLECTIONS,
  ...SNAPSHOT_COLLECTIONS,
  ...MEMBERSHIP_COLLECTIONS,
  ...OUTPUT_COLLECTIONS,
  ...UPLOAD_COLLECTIONS,
  ...LIBRARY_COLLECTIONS,
  ...TICKET_COLLECTIONS,
  ...AUDIT_TRAIL_COLLECTIONS,
  ...BULK_COLLECTIONS,
  ...SERVICE_COLLECTIONS,
  ...SESSION_COLLECTIONS,
  ...PRIVACY_COLLECTIONS,
  ...MAIL_COLLECTIONS,
  ...PAYMENT_COLLECTIONS,
  ...SUBSCRIPTION_COLLECTIONS,
  ...ORDER_COLLECTIONS,
  ...BACKUP_COLLECTIONS,
  ...SCHEMA_COLLECTIONS,
];

/**
 * At the start of a process that holds data. In development it migrates older data. In production the operator does that with a command,
 * after a backup. Throws a one-line StartupError for data that this code must not touch.
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
  await saveCode(app.mongo.db, newestOf(migrations));
}

/**
 * The schema version, collections and indexes, the migrations that are left, the plans and tiers that every installation starts with,
 * and the counter of the catalog.
 */
export async function migrate(app: Pick<App, "mongo" | "log">, migrations = MIGRATIONS): Promise<void> {
  const { db } = app.mongo;
  const newest = newestOf(migrations);
  // Before anything else is made: an empty database is told from data without a version by what is there.
  refuseNewer(await ensureSchema(db, (await findSchemaVersion(db)) ?? newest), newest);
  await ensureCollections(db, ALL_COLLECTIONS);
  await runMigrations(app.mongo, {
    migrations,
    onDone: ({ version, what }) => app.log.info({ version, what }, "the data are of the next schema version"),
  });
  await seedPlans(app);
  await seedTiers(app);
  await seedPacks(app);
  await prepareCatalog(app);
}

function newestOf(migrations: typeof MIGRATIONS): number {
  return FIRST_VERSION + migrations.length;
}
