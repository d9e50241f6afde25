// Brings the database to the shape this version needs. Safe to run again, and in several processes at once.
import { ACCOUNT_COLLECTIONS } from "../identity/accounts/store.ts";
import { MAILBOX_COLLECTIONS } from "../identity/accounts/store-mailboxes.ts";
import { seedPlans } from "../identity/accounts/seed-plans.ts";
import { ARCHIVE_COLLECTIONS } from "../kernel/archive/store.ts";
import { AUDIT_TRAIL_COLLECTIONS } from "../identity/audit-trail/store.ts";
import type { App } from "../kernel/app.ts";
import { BACKUP_COLLECTIONS } from "../operations/backups/store.ts";
import { BULK_COLLECTIONS } from "../operations/bulk/store.ts";
import { CALLBACK_COLLECTIONS } from "../studio/webhooks/store.ts";
import { prepareCatalog } from "../shop/catalog/prepare.ts";
import { CATALOG_COLLECTIONS } from "../shop/catalog/store.ts";
import { SNAPSHOT_COLLECTIONS } from "../shop/catalog/store-snapshots.ts";
import { CONFIRMATION_COLLECTIONS } from "../identity/approvals/store.ts";
import { CREDIT_COLLECTIONS } from "../identity/credits/store.ts";
import { GATE_COLLECTIONS } from "../studio/limits/store.ts";
import { JOB_COLLECTIONS } from "../studio/jobs/store.ts";
import { MAIL_COLLECTIONS } from "../kernel/mail/store.ts";
import { LIBRARY_COLLECTIONS } from "../shop/library/store.ts";
import { seedTiers } from "../shop/memberships/seed-tiers.ts";
import { MEMBERSHIP_COLLECTIONS } from "../shop/memberships/store.ts";
import { FIRST_VERSION, MIGRATIONS } from "../base/migrations/list.ts";
import { refuseHalfRestored } from "../base/migrations/restoring.ts";
import { runMigrations } from "../base/migrations/run.ts";
import { findSchemaVersion, refuseNewer, refuseOlder } from "../base/migrations/schema-version.ts";
import { ensureSchema, saveCode, SCHEMA_COLLECTIONS } from "../base/migrations/store.ts";
import { MODEL_COLLECTIONS } from "../studio/models/store.ts";
import { ensureCollections } from "../base/mongo/indexes.ts";
import { OUTPUT_COLLECTIONS } from "../kernel/outputs/store.ts";
import { seedPacks } from "../shop/orders/packs.ts";
import { ORDER_COLLECTIONS } from "../shop/orders/store.ts";
import { PAYMENT_COLLECTIONS } from "../adapters/payments/store.ts";
import { PRIVACY_COLLECTIONS } from "../operations/privacy/store.ts";
import { SUBSCRIPTION_COLLECTIONS } from "../shop/subscriptions/store.ts";
import { SERVICE_COLLECTIONS } from "../kernel/services/store.ts";
import { SESSION_COLLECTIONS } from "../identity/sessions/store.ts";
import { TICKET_COLLECTIONS } from "../operations/tickets/store.ts";
import { UPLOAD_COLLECTIONS } from "../studio/uploads/store.ts";
import { WORKFLOW_COLLECTIONS } from "../studio/workflows/store.ts";

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
