// Queues of older releases: their due work moves into one field of each document.
import { beforeEach, expect, test } from "vitest";
import { work } from "../../../../core/base/migrations/0009-work.ts";
import { useTestDatabase } from "../../../support/database.ts";
import { runBatches } from "./run-batches.ts";

const SOON = new Date("2026-02-01T00:00:00.000Z");
const PAST = new Date("2025-12-01T00:00:00.000Z");

type Row = { _id: string; [field: string]: unknown };
/** Documents of older releases: due work of each queue, and work that a worker owned. */
const QUEUES = [
  {
    collection: "mails",
    due: { next_attempt_at: SOON, attempt_count: 2, lease_owner: null },
    held: { next_attempt_at: SOON, attempt_count: 1, lease_owner: "lse_1" },
    field: "next_attempt_at",
  },
  { collection: "demo_events", due: { next_at: SOON, attempts: 3 }, field: "next_at" },
  { collection: "orders", due: { next_check_at: SOON, checks: 1 }, field: "next_check_at" },
  { collection: "payments", due: { next_attempt_at: SOON, attempts: 3 }, field: "next_attempt_at" },
  {
    collection: "archive_passes",
    due: { next_at: SOON, lease: null },
    held: { next_at: PAST, lease: { owner: "pas_1", until: SOON } },
    field: "next_at",
  },
];

const database = useTestDatabase();
beforeEach(async () => {
  for (const { collection } of QUEUES) await rows(collection).deleteMany({});
});

const rows = (collection: string) => database.mongo.db.collection<Row>(collection);
const find = (collection: string, id: string) => rows(collection).findOne({ _id: id });
const migrate = () => runBatches(database.mongo, work, 2);

for (const { collection, due, held, field } of QUEUES) {
  const attempts = Object.values(due).find((value) => typeof value === "number") ?? 0;
  const taken = { due_at: SOON, owner: null, attempts };

  test(`${collection}: the migration moves waiting work once, and what a worker had when it ended`, async () => {
    const many = Array.from({ length: 5 }, (_, i) => ({ _id: `due/${i}`, ...due }));
    await rows(collection).insertMany([...many, ...(held ? [{ _id: "held", ...held }] : [])]);
    await migrate();
    for (const { _id } of many)
      expect(await find(collection, _id)).toMatchObject({ work: taken, [field]: null });
    const moved = await find(collection, "held");
    if (held)
      expect(moved).toMatchObject({ work: { due_at: held[field as keyof typeof held], owner: null } });
    expect(JSON.stringify(moved)).not.toMatch(/lse_1|pas_1/);
    const before = await rows(collection).find().toArray();
    await migrate();
    expect(await rows(collection).find().toArray()).toEqual(before);
  });
}
