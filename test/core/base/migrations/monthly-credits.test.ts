// Accounts of earlier releases get the start of their next period, and no credits for past periods.
import { expect, test } from "vitest";
import { nextPeriod } from "../../../../core/identity/credits/period-rules.ts";
import { monthlyCredits } from "../../../../core/base/migrations/0002-monthly-credits.ts";
import { useTestDatabase } from "../../../support/database.ts";
import { runBatches } from "./run-batches.ts";

type Row = { _id: string; status: string; created_at: Date; next_grant_at?: Date; due_at?: Date | null };

const database = useTestDatabase();

const rows = () => database.mongo.db.collection<Row>("accounts");
const migrate = () => runBatches(database.mongo, monthlyCredits, 100);

test("every account that is not closed gets the start of its next period, once", async () => {
  const now = new Date();
  // One account for each of the last 500 days, which include the ends of months and a leap day.
  const made = Array.from({ length: 500 }, (_, i) => ({
    _id: `acc_${String(i).padStart(3, "0")}`,
    status: i % 50 === 7 ? "suspended" : i % 50 === 8 ? "deleted" : "active",
    created_at: new Date(now.getTime() - i * 24 * 60 * 60 * 1000 - 60_000),
  }));
  const soon = new Date(now.getTime() + 1_000);
  await rows().insertMany([...made, { _id: "acc_due", status: "active", created_at: now, due_at: soon }]);
  await migrate();
  const migrated = await rows().find().sort({ _id: 1 }).toArray();
  for (const { _id, status, created_at, next_grant_at, due_at } of migrated.filter(
    (row) => row._id !== "acc_due",
  )) {
    const expected = status === "deleted" ? undefined : nextPeriod(created_at, now);
    expect({ _id, next_grant_at, due_at }).toEqual({ _id, next_grant_at: expected, due_at: expected });
  }
  // A process of this release was faster, with a grant that expires earlier.
  expect(await rows().findOne({ _id: "acc_due" })).toMatchObject({ due_at: soon });
  await migrate();
  expect(await rows().find().sort({ _id: 1 }).toArray()).toEqual(migrated);
});
