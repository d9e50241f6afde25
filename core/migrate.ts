// Brings the database to the shape this version needs. Run by every core at start; safe to run again and in several at once.
import { ACCOUNT_COLLECTIONS } from "./accounts/store.ts";
import { seedPlans } from "./accounts/seed-plans.ts";
import { ADMIN_COLLECTIONS } from "./admin/store.ts";
import type { App } from "./app.ts";
import { CALLBACK_COLLECTIONS } from "./callbacks/store.ts";
import { prepareCatalog } from "./catalog/prepare.ts";
import { CATALOG_COLLECTIONS } from "./catalog/store.ts";
import { CREDIT_COLLECTIONS } from "./credits/store.ts";
import { JOB_COLLECTIONS } from "./jobs/store.ts";
import { seedTiers } from "./memberships/seed-tiers.ts";
import { MEMBERSHIP_COLLECTIONS } from "./memberships/store.ts";
import { MODEL_COLLECTIONS } from "./models/store.ts";
import { ensureCollections } from "./mongo/indexes.ts";
import { OUTPUT_COLLECTIONS } from "./outputs/store.ts";
import { SERVICE_COLLECTIONS } from "./services/store.ts";
import { SESSION_COLLECTIONS } from "./sessions/store.ts";

/** Every collection with its indexes; docs/architecture/data.md tells them in words. */
export const ALL_COLLECTIONS = [
  ...ACCOUNT_COLLECTIONS,
  ...CREDIT_COLLECTIONS,
  ...JOB_COLLECTIONS,
  ...MODEL_COLLECTIONS,
  ...CALLBACK_COLLECTIONS,
  ...CATALOG_COLLECTIONS,
  ...MEMBERSHIP_COLLECTIONS,
  ...OUTPUT_COLLECTIONS,
  ...ADMIN_COLLECTIONS,
  ...SERVICE_COLLECTIONS,
  ...SESSION_COLLECTIONS,
];

/** Collections, indexes, the plans and tiers that every installation starts with, and the counter of the catalog. */
export async function migrate(app: App): Promise<void> {
  await ensureCollections(app.mongo.db, ALL_COLLECTIONS);
  await seedPlans(app);
  await seedTiers(app);
  await prepareCatalog(app);
}
