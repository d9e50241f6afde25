// Which data a start opens, migrates and refuses.
import type { Collection } from "mongodb";
import { beforeEach, describe, expect, test } from "vitest";
import { FIRST_VERSION, MIGRATIONS } from "../../../../core/base/migrations/list.ts";
import type { Migration } from "../../../../core/base/migrations/migration.ts";
import { findSchemaVersion } from "../../../../core/base/migrations/schema-version.ts";
import { openData } from "../../../../core/entry/migrate.ts";
import type { Config } from "../../../../runtime/config/config.ts";
import { StartupError } from "../../../../runtime/process/startup-error.ts";
import { createCustomer, createTestApp } from "../../../support/app.ts";
import { newForEachTest } from "../../../support/shared.ts";

const NEWEST = FIRST_VERSION + MIGRATIONS.length;

const testApp = newForEachTest(() => createTestApp());
beforeEach(() => createCustomer(testApp.app));

const db = () => testApp.app.mongo.db;
const setVersion = (version: number) =>
  db().collection<{ _id: string }>("schema").updateOne({ _id: "schema" }, { $set: { version } });
const forgetVersion = () => db().collection("schema").drop();

/** The line with which a start fails; undefined when it succeeds. */
async function refusal(
  profile: Config["profile"] = "development",
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<string> {
  const config: Config = { ...testApp.app.config, profile };
  try {
    await openData({ ...testApp.app, config }, migrations);
    return "";
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
}

const later: Migration = { version: NEWEST + 1, what: "nothing at all", batch: async () => null };

describe("a start of core", () => {
  test("writes the version into an empty database once, for any number of processes", async () => {
    await db().dropDatabase();
    expect(await findSchemaVersion(db())).toBeUndefined();
    await Promise.all(Array.from({ length: 4 }, () => openData(testApp.app)));
    expect(await findSchemaVersion(db())).toBe(NEWEST);
  });

  test("refuses data of a newer schema in one line, and changes nothing", async () => {
    await setVersion(NEWEST + 1);
    expect(await refusal()).toBe(
      `The data are of schema version ${NEWEST + 1}, and this version of Atelier knows ${NEWEST} at most. ` +
        "Start the version that migrated them, or restore the backup from before the migration.",
    );
    expect(await findSchemaVersion(db())).toBe(NEWEST + 1);
  });

  test("migrates older data automatically in development", async () => {
    expect(await refusal("development", [...MIGRATIONS, later])).toBe("");
    expect(await findSchemaVersion(db())).toBe(later.version);
  });

  test("refuses older data in production with the command to run, and accepts them afterwards", async () => {
    expect(await refusal("production", [...MIGRATIONS, later])).toBe(
      `The data are of schema version ${NEWEST}, and this version of Atelier needs ${later.version}. ` +
        "Make a backup, then run: npm run atelier -- migrate",
    );
    expect(await findSchemaVersion(db())).toBe(NEWEST);
    await openData(testApp.app, [...MIGRATIONS, later]);
    expect(await refusal("production", [...MIGRATIONS, later])).toBe("");
  });

  test("needs no command for an empty database in production", async () => {
    await db().dropDatabase();
    expect(await refusal("production")).toBe("");
    expect(await findSchemaVersion(db())).toBe(NEWEST);
  });

  test("treats data without a version as version 1", async () => {
    await forgetVersion();
    expect(await findSchemaVersion(db())).toBe(FIRST_VERSION);
    expect(await refusal()).toBe("");
    expect(await findSchemaVersion(db())).toBe(NEWEST);
  });
});

describe("data from before version 1 are refused in one line:", () => {
  const OLD_LINE = { name: "claimable_turn", partialFilterExpression: { claimable: true } };
  test.each<[string, string, (rows: Collection) => Promise<unknown>]>([
    [
      "an account with its old place in line",
      "accounts",
      (rows) => rows.updateOne({}, { $set: { claimable: false } }),
    ],
    [
      "an account without its last turn",
      "accounts",
      (rows) => rows.updateOne({}, { $unset: { served_at: "" } }),
    ],
    ["the old index of the line", "accounts", (rows) => rows.createIndex({ turn: 1 }, OLD_LINE)],
    [
      "a job with its Idempotency-Key inside",
      "jobs",
      (rows) => rows.insertOne({ idempotency: { key: "k", request_sha256: "s" } }),
    ],
    [
      "the index of Idempotency-Keys in jobs",
      "jobs",
      (rows) => rows.createIndex({ account_id: 1, "idempotency.key": 1 }, { name: "account_idempotency" }),
    ],
    ["a delivery with its own id", "deliveries", (rows) => rows.insertOne({ redelivery_of: null })],
  ])("%s", async (_name, collection, age) => {
    await age(db().collection(collection));
    await forgetVersion();
    expect(await refusal()).toBe(
      `The data in the database ${testApp.database.name} are from before schema version 1 (see ${collection}), and no migration leads from there. ` +
        "Open them with the version of Atelier that wrote them, or set ATELIER_MONGO_DATABASE to another name.",
    );
    expect(await db().listCollections({ name: "schema" }).toArray()).toEqual([]);
  });
});
