// Accounts of earlier releases that share a mailbox: the oldest one keeps the free plan's credits.
import { expect, test } from "vitest";
import { mailboxes } from "../../../../core/base/migrations/0006-mailboxes.ts";
import { useTestDatabase } from "../../../support/database.ts";
import { runBatches } from "./run-batches.ts";

type Row = { _id: string; email: string; status: string; created_at: Date; welcome?: string };

const database = useTestDatabase();

const rows = () => database.mongo.db.collection<Row>("accounts");
const kept = () => database.mongo.db.collection("mailboxes").find().sort({ account_id: 1 }).toArray();
const migrate = (limit: number) => runBatches(database.mongo, mailboxes, limit);

test("the oldest account of a mailbox keeps the free plan's credits, within a batch and across batches, once", async () => {
  const created_at = new Date("2026-01-31T00:00:00Z");
  const row = (_id: string, email: string, status = "active") => ({ _id, email, status, created_at });
  await rows().insertMany([
    row("acc_1", "ada@gmail.com"),
    row("acc_2", "a.da+1@gmail.com"),
    row("acc_3", "", "deleted"),
    row("acc_4", "bob@example.com", "suspended"),
    row("acc_5", "ada+2@googlemail.com"),
    row("acc_6", "b.ob@example.com"),
  ]);
  await migrate(3);
  const migrated = await rows().find().sort({ _id: 1 }).toArray();
  expect(migrated.map(({ _id, welcome }) => [_id, welcome])).toEqual([
    ["acc_1", undefined],
    ["acc_2", "elsewhere"],
    ["acc_3", undefined],
    ["acc_4", undefined],
    ["acc_5", "elsewhere"],
    ["acc_6", undefined],
  ]);
  const mailboxesKept = await kept();
  expect(mailboxesKept.map(({ account_id, given_at }) => [account_id, given_at])).toEqual(
    ["acc_1", "acc_4", "acc_6"].map((account) => [account, created_at]),
  );
  await migrate(100);
  expect(await rows().find().sort({ _id: 1 }).toArray()).toEqual(migrated);
  expect(await kept()).toEqual(mailboxesKept);
});
