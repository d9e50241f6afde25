// An App on a database of its own, with a clock that a test moves and plans as seeded.
import { EventEmitter } from "node:events";
import { ACCOUNT_COLLECTIONS } from "../../../core/accounts/store.ts";
import { seedPlans } from "../../../core/accounts/seed-plans.ts";
import { ADMIN_COLLECTIONS } from "../../../core/admin/store.ts";
import type { App } from "../../../core/app.ts";
import { CREDIT_COLLECTIONS } from "../../../core/credits/store.ts";
import { MODEL_COLLECTIONS } from "../../../core/models/store.ts";
import { ensureCollections } from "../../../core/mongo/indexes.ts";
import { SERVICE_COLLECTIONS } from "../../../core/services/store.ts";
import { AppError } from "../../../proto/codes.ts";
import { createNewId } from "../../../runtime/clock.ts";
import { loadConfig } from "../../../runtime/config.ts";
import { createLog } from "../../../runtime/log.ts";
import { createFakeClock, type FakeClock } from "../../support/clock.ts";
import { createTestDatabase } from "../../support/database.ts";

export type TestApp = { app: App; clock: FakeClock; close(): Promise<void> };

export async function createTestApp(): Promise<TestApp> {
  const { mongo, drop } = await createTestDatabase();
  const clock = createFakeClock();
  const app: App = {
    config: loadConfig({}),
    mongo,
    clock,
    newId: createNewId(),
    log: createLog("silent", "test"),
    providers: new Map(),
    signals: new EventEmitter(),
    secret: "a secret of the tests, long enough for use",
    generationBaseUrl: "http://localhost",
  };
  const collections = [
    ACCOUNT_COLLECTIONS,
    ADMIN_COLLECTIONS,
    CREDIT_COLLECTIONS,
    MODEL_COLLECTIONS,
    SERVICE_COLLECTIONS,
  ];
  await ensureCollections(mongo.db, collections.flat());
  await seedPlans(app);
  return { app, clock, close: drop };
}

/** What `work` was refused with: everything that a caller could see of the error. */
export async function refusalOf(work: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, hint, issues, numbers, retryAfterSeconds } = error;
    return { code, message, hint, issues, numbers, retryAfterSeconds };
  }
  throw new Error("was not refused");
}
