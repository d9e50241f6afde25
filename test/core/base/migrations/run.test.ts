// How a migration changes the data: in batches, by one process at a time, while others keep writing.
import { beforeEach, describe, expect, test } from "vitest";
import { FIRST_VERSION, MIGRATIONS } from "../../../../core/base/migrations/list.ts";
import { type Migration, updateNext } from "../../../../core/base/migrations/migration.ts";
import { type MigrationRun, runMigrations } from "../../../../core/base/migrations/run.ts";
import { findSchemaVersion } from "../../../../core/base/migrations/schema-version.ts";
import { createTestApp } from "../../../support/app.ts";
import { newForEachTest } from "../../../support/shared.ts";

type Note = { _id: string; text: string; length?: number };

const COUNT = 1_000;
const NEXT = FIRST_VERSION + MIGRATIONS.length + 1;

const testApp = newForEachTest(() => createTestApp());
beforeEach(async () => {
  await notes().insertMany(
    Array.from({ length: COUNT }, (_, i) => ({
      _id: `note_${String(i).padStart(4, "0")}`,
      text: "x".repeat(i % 7),
    })),
  );
});

const mongo = () => testApp.app.mongo;
const notes = () => mongo().db.collection<Note>("notes");
const withoutLength = () => notes().countDocuments({ length: { $exists: false } });

/** Adds the length of each text, and counts the documents of every batch that it starts. */
function addLengths(begun: number[] = [], before: () => Promise<void> = async () => {}): Migration {
  return {
    version: NEXT,
    what: "notes know how long they are",
    batch: async (batch) => {
      begun.push(batch.limit);
      await before();
      return updateNext(batch, "notes", { length: { $exists: false } }, [
        { $set: { length: { $strLenCP: "$text" } } },
      ]);
    },
  };
}

function run(migrations: readonly Migration[], more: Partial<MigrationRun> = {}): Promise<void> {
  return runMigrations(mongo(), { migrations: [...MIGRATIONS, ...migrations], onDone: () => {}, ...more });
}

describe("a migration", () => {
  test("changes all documents in batches, and then sets the version", async () => {
    const begun: number[] = [];
    await run([addLengths(begun)]);
    expect(begun.length).toBeGreaterThan(2);
    expect(await withoutLength()).toBe(0);
    expect(await notes().countDocuments({ $expr: { $eq: ["$length", { $strLenCP: "$text" }] } })).toBe(COUNT);
    expect(await findSchemaVersion(mongo().db)).toBe(NEXT);
  });

  test("a migration that fails midway keeps its work and resumes from there", async () => {
    let batches = 0;
    const failing = addLengths([], async () => {
      if (++batches === 3) throw new Error("killed");
    });
    await expect(run([failing])).rejects.toThrow("killed");
    const left = await withoutLength();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(COUNT);
    expect(await findSchemaVersion(mongo().db)).toBe(NEXT - 1);

    // A second run skips finished work.
    await notes().updateOne({ _id: "note_0000" }, { $unset: { length: "" } });
    await run([addLengths()]);
    expect(await withoutLength()).toBe(1);
  });

  test("a migration that has completed changes nothing when it runs again", async () => {
    await run([addLengths()]);
    const before = await notes().find().sort({ _id: 1 }).toArray();
    await mongo()
      .db.collection<{ _id: string }>("schema")
      .updateOne({ _id: "schema" }, { $set: { version: NEXT - 1 } });
    await run([addLengths()]);
    expect(await notes().find().sort({ _id: 1 }).toArray()).toEqual(before);
  });

  test("uses smaller batches while they conflict with other writes", async () => {
    const tried: number[] = [];
    const busy: Migration = {
      ...addLengths(),
      batch: async (batch) => {
        tried.push(batch.limit);
        const { session } = batch;
        // Writes like a running process to one of the batch's documents after the transaction's snapshot.
        await notes().findOne({}, { session });
        if (batch.limit > 60)
          await notes().updateOne({ _id: "note_0000" }, { $set: { text: String(tried.length) } });
        return addLengths().batch(batch);
      },
    };
    await run([busy]);
    expect([...new Set(tried)].slice(0, 3)).toEqual([200, 100, 50]);
    expect(await withoutLength()).toBe(0);
  });
});

describe("several processes that migrate", () => {
  /** Intentionally not idempotent, so that it shows repeated work. */
  const count = (gate: () => Promise<void> = async () => {}): Migration => ({
    version: NEXT,
    what: "notes count their changes",
    batch: async (batch) => {
      // The transaction keeps this snapshot, however long the process pauses.
      await batch.db.collection("notes").findOne({}, { session: batch.session });
      await gate();
      return updateNext(batch, "notes", {}, [
        { $set: { length: { $add: [{ $ifNull: ["$length", 0] }, 1] } } },
      ]);
    },
  });
  const changedOnce = () => notes().countDocuments({ length: 1 });

  test("change every document once, and each continues when all is done", async () => {
    const done: number[] = [];
    const versions = Array.from({ length: 4 }, async () => {
      await run([count()], { onDone: ({ version }) => done.push(version) });
      return findSchemaVersion(mongo().db);
    });
    expect(await Promise.all(versions)).toEqual([NEXT, NEXT, NEXT, NEXT]);
    expect(await changedOnce()).toBe(COUNT);
    expect(done).toEqual([NEXT]);
  });

  test("replace one whose lease ends, and its unfinished batch does not count", async () => {
    const standing = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let stops = 1;
    const slow = count(async () => {
      if (stops-- <= 0) return;
      reached.resolve();
      await standing.promise;
    });
    const first = run([slow], { leaseMs: 200 });
    await reached.promise;
    await run([count()]);
    standing.resolve();
    await first;
    expect(await changedOnce()).toBe(COUNT);
    expect(await findSchemaVersion(mongo().db)).toBe(NEXT);
  });
});
