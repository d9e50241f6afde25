// Files with expiry times in milliseconds and unused indexes, as earlier releases made them.
import { expect, test } from "vitest";
import { fewerIndexes } from "../../../../core/base/migrations/0004-fewer-indexes.ts";
import { useTestDatabase } from "../../../support/database.ts";
import { runBatches } from "./run-batches.ts";

const database = useTestDatabase();

test("expiry times are rounded up to the hour once, documents without one stay, and two indexes are dropped", async () => {
  const { db } = database.mongo;
  const files = db.collection<{ _id: string; metadata: { expires_at?: Date; job_id?: string } }>(
    "outputs.files",
  );
  const ends = (_id: string, end?: string) => ({ _id, metadata: end ? { expires_at: new Date(end) } : {} });
  await files.insertMany([
    ends("a", "2026-05-01T10:00:00.001Z"),
    ends("b", "2026-05-01T10:00:00.000Z"),
    ends("c", "2026-12-31T23:59:59.999Z"),
    ends("product"),
  ]);
  await files.createIndex({ "metadata.expires_at": 1 }, { name: "expires_at" });
  await files.createIndex({ "metadata.sha256": 1 }, { name: "made_sha256" });
  await db.collection("deliveries").createIndex({ account_id: 1, _id: -1 }, { name: "account_newest" });
  const migrate = async () => {
    await runBatches(database.mongo, fewerIndexes, 2);
    return files.find().sort({ _id: 1 }).toArray();
  };
  const migrated = await migrate();
  expect(migrated).toEqual([
    ends("a", "2026-05-01T11:00:00.000Z"),
    ends("b", "2026-05-01T10:00:00.000Z"),
    ends("c", "2027-01-01T00:00:00.000Z"),
    ends("product"),
  ]);
  expect(await migrate()).toEqual(migrated);
  expect((await files.indexes()).map(({ name }) => name)).toEqual(["_id_"]);
  // Processes of the release before list deliveries with a hint to this index, and MongoDB refuses a hint to a dropped index.
  expect(await db.collection("deliveries").find().hint("account_newest").toArray()).toEqual([]);
});
