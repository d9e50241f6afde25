// Migrations of one step, each twice on documents as earlier releases made them.
import { describe, expect, test } from "vitest";
import { monthlyCredits } from "../../../../core/base/migrations/0002-monthly-credits.ts";
import { localVoices } from "../../../../core/base/migrations/0003-local-voices.ts";
import { fewerIndexes } from "../../../../core/base/migrations/0004-fewer-indexes.ts";
import { mailboxes } from "../../../../core/base/migrations/0006-mailboxes.ts";
import { ownCircuitBreakers } from "../../../../core/base/migrations/0008-own-breakers.ts";
import { nextPeriod } from "../../../../core/identity/credits/period-rules.ts";
import { useTestDatabase } from "../../../support/database.ts";
import { runBatches } from "./run-batches.ts";

// Accounts of earlier releases get the start of their next period, and no credits for past periods.
describe("monthly credits", () => {
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
});

// Models of the embedded provider as the release before seeded them, and as operators changed them.
describe("local voices", () => {
  const database = useTestDatabase();

  const model = (_id: string, properties: object, provider = "local") => ({
    _id,
    provider,
    description: "Speaks the prompt with a small synthetic voice; six voices, any pace.",
    params_schema_json: JSON.stringify({ type: "object", additionalProperties: false, properties }),
  });
  const OLD_VOICE = {
    type: "string",
    enum: ["sam", "elf", "robot", "stuffy", "elder", "alien"],
    default: "sam",
  };
  const SPEED = { type: "number", default: 1 };

  test("unchanged seeded params are updated once; an operator's edits stay", async () => {
    const models = database.mongo.db.collection<{
      _id: string;
      description: string;
      params_schema_json: string;
    }>("models");
    const own = model("own", { voice: { type: "string", enum: ["sam"] } });
    const elsewhere = model("elsewhere", { voice: OLD_VOICE }, "openai");
    await models.insertMany([
      model("voice", { voice: OLD_VOICE, speed: SPEED }),
      model("canvas", {
        composition: {
          type: "string",
          enum: ["auto", "landscape", "skyline", "geometric", "ribbons", "constellation"],
        },
        seed: { type: "integer" },
      }),
      { ...own, description: "Mine." },
      elsewhere,
    ]);
    const migrate = () => runBatches(database.mongo, localVoices, 100);
    expect(await migrate()).toBe(1);
    const after = await models.find().sort({ _id: 1 }).toArray();
    const properties = Object.fromEntries(
      after.map((doc) => [
        doc._id,
        (JSON.parse(doc.params_schema_json) as { properties: object }).properties,
      ]),
    );
    expect(properties).toEqual({
      voice: {
        voice: { type: "string", enum: ["slt", "rms", "awb", "kal16"], default: "slt" },
        speed: SPEED,
      },
      canvas: { seed: { type: "integer" } },
      own: { voice: { type: "string", enum: ["sam"] } },
      elsewhere: { voice: OLD_VOICE },
    });
    expect(after.find(({ _id }) => _id === "own")?.description).toBe("Mine.");
    expect(after.find(({ _id }) => _id === "voice")?.description).toBe(
      "Speaks the prompt; four voices, any pace.",
    );
    await migrate();
    expect(await models.find().sort({ _id: 1 }).toArray()).toEqual(after);
  });
});

// Files with expiry times in milliseconds and unused indexes, as earlier releases made them.
describe("fewer indexes", () => {
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
});

// Accounts of earlier releases that share a mailbox: the oldest one keeps the free plan's credits.
describe("mailboxes", () => {
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
});

// Data of a release whose workers shared their circuit breakers through the database.
describe("own circuit breakers", () => {
  const database = useTestDatabase();

  test("drops the collection of shared circuit breakers, and changes nothing the second time", async () => {
    const { db } = database.mongo;
    const names = async () =>
      (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
    const migrate = () => runBatches(database.mongo, ownCircuitBreakers, 10);
    await db.collection("providers").insertOne({ _id: "test" as never, revision: 1 });
    await db.collection("provider_breakers").insertOne({ _id: "test flux" as never, state: "open" });
    expect(await migrate()).toBe(1);
    expect(await names()).toEqual(["providers"]);
    expect(await migrate()).toBe(1);
    expect(await names()).toEqual(["providers"]);
  });
});
