// The work queue on a real database: workers with different clocks that crash and return late.
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ensureCollections } from "../../../../core/base/mongo/indexes.ts";
import {
  again,
  done,
  extend,
  type Queued,
  release,
  remove,
  take,
  workIndex,
} from "../../../../core/base/work/queue.ts";
import { NO_WORK, workDue, retryAt } from "../../../../core/base/work/rules.ts";
import { useTestDatabase } from "../../../support/database.ts";

type Doc = Queued & { note?: string };
const LEASE_MS = 1_000;
const BEGIN = Date.UTC(2026, 0, 1);
const at = (ms: number) => new Date(BEGIN + ms);

const database = useTestDatabase();
beforeAll(async () => {
  await ensureCollections(database.mongo.db, [
    { name: "tasks", holds: "nothing of an account", indexes: [workIndex("a test")] },
  ]);
});
beforeEach(() => tasks().deleteMany({}));

const tasks = () => database.mongo.db.collection<Doc>("tasks");
const takeAt = (ms: number, limit = 10) => take(tasks(), { now: at(ms), leaseMs: LEASE_MS, limit });
const put = (id: string, ms: number) => tasks().insertOne({ _id: id, work: workDue(at(ms)) });

async function takeOne(ms: number): Promise<Doc> {
  const [taken] = await takeAt(ms, 1);
  if (!taken) throw new Error("nothing is due");
  return taken;
}

describe("claiming from the queue", () => {
  test("returns the longest due document first, and none that is not due or not queued", async () => {
    await put("late", 30);
    await put("early", 10);
    await put("future", 500);
    await tasks().insertMany([{ _id: "none" }, { _id: "ended", work: NO_WORK }]);
    expect((await takeAt(100, 1)).map(({ _id }) => _id)).toEqual(["early"]);
    expect((await takeAt(100)).map(({ _id }) => _id)).toEqual(["late"]);
    expect(await takeAt(100)).toEqual([]);
  });

  test("gives each document to one of many workers, and misses none", async () => {
    for (let i = 0; i < 30; i++) await put(`task_${i}`, i);
    const taken = await Promise.all(Array.from({ length: 10 }, () => takeAt(100, 5)));
    const ids = taken.flat().map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await takeAt(100, 30);
    expect(ids.length + rest.length).toBe(30);
  });

  test("returns a document again once its lease has ended", async () => {
    await put("task", 0);
    await takeAt(0);
    expect(await takeAt(LEASE_MS - 1)).toEqual([]);
    expect(await takeAt(LEASE_MS)).toHaveLength(1);
  });
});

describe("a worker whose lease was taken over", () => {
  const writes = {
    done: (taken: Doc) => done(tasks(), taken, { $set: { note: "stale" } }),
    again: (taken: Doc) => again(tasks(), taken, at(9), { $set: { note: "stale" } }),
    release: (taken: Doc) => release(tasks(), taken, at(9)),
    extend: (taken: Doc) => extend(tasks(), taken, at(9_000), { $set: { note: "stale" } }),
    remove: (taken: Doc) => remove(tasks(), taken),
  };
  for (const [name, write] of Object.entries(writes))
    test(`is refused ${name}, and changes nothing`, async () => {
      await put("task", 0);
      const lost = await takeOne(0);
      await takeOne(LEASE_MS);
      const before = await tasks().findOne({});
      expect(await write(lost)).toBe(false);
      expect(await tasks().findOne({})).toEqual(before);
    });

  test("is refused when the work was queued again", async () => {
    await put("task", 0);
    const lost = await takeOne(0);
    await tasks().updateOne({ _id: "task" }, { $set: { work: workDue(at(5)) } });
    expect(await done(tasks(), lost)).toBe(false);
    expect(await takeAt(5)).toHaveLength(1);
  });

  test("may still record its result while no other worker has the document", async () => {
    await put("task", 0);
    const late = await takeOne(0);
    expect(await done(tasks(), late, { $set: { note: "late" } })).toBe(true);
    expect(await takeAt(9 * LEASE_MS)).toEqual([]);
  });
});

test("attempts count finished work, not released or lost leases", async () => {
  await put("task", 0);
  await takeOne(0);
  const second = await takeOne(LEASE_MS);
  expect(await release(tasks(), second, at(0))).toBe(true);
  expect(await again(tasks(), await takeOne(0), at(0))).toBe(true);
  expect(await done(tasks(), await takeOne(0))).toBe(true);
  expect(await tasks().findOne({})).toEqual({
    _id: "task",
    work: { due_at: null, owner: null, attempts: 2 },
  });
});

const write = fc.record({
  kind: fc.constantFrom("done" as const, "again" as const, "release" as const, "extend" as const),
  /** All claims so far, most of which are stale. */
  which: fc.nat(),
  ms: fc.nat({ max: 3 * LEASE_MS }),
});
const step = fc.oneof(
  fc.record({ kind: fc.constant("pass" as const), ms: fc.nat({ max: 2 * LEASE_MS }) }),
  // Each worker's clock is wrong by this many milliseconds.
  fc.record({ kind: fc.constant("take" as const), skewMs: fc.integer({ min: -600, max: 600 }) }),
  fc.record({ kind: fc.constant("queue" as const), which: fc.nat() }),
  write,
);

test("every write carries the newest fencing token and no work is lost, for any crashes, pauses and wrong clocks", async () => {
  const ids = ["a", "b", "c"];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await tasks().deleteMany({});
      for (const id of ids) await put(id, 0);
      /** The expected document: the number of the claim that holds it, if any. */
      const model = new Map(ids.map((id) => [id, { dueMs: 0 as number | null, holder: -1, attempts: 0 }]));
      const takings: Doc[] = [];
      let nowMs = 0;
      const of = (id: string) => {
        const found = model.get(id);
        if (!found) throw new Error("an id of the test");
        return found;
      };
      for (const one of steps) {
        if (one.kind === "pass") nowMs += one.ms;
        else if (one.kind === "take") {
          const workerMs = nowMs + one.skewMs;
          const due = ids.filter((id) => (of(id).dueMs ?? Infinity) <= workerMs);
          const taken = await takeAt(workerMs);
          expect(taken.map(({ _id }) => _id).sort()).toEqual(due);
          for (const doc of taken)
            Object.assign(of(doc._id), { dueMs: workerMs + LEASE_MS, holder: takings.push(doc) - 1 });
        } else if (one.kind === "queue") {
          const id = ids[one.which % ids.length] ?? "a";
          await tasks().updateOne({ _id: id }, { $set: { work: workDue(at(nowMs)) } });
          Object.assign(of(id), { dueMs: nowMs, holder: -1, attempts: 0 });
        } else if (takings.length > 0) {
          const number = one.which % takings.length;
          const taken = takings[number];
          if (!taken) throw new Error("a taking");
          const stored = of(taken._id);
          const isHeld = stored.holder === number;
          const dueMs = one.kind === "done" ? null : nowMs + one.ms;
          const wrote =
            dueMs === null
              ? await done(tasks(), taken)
              : await { again, release, extend }[one.kind as "again"](tasks(), taken, at(dueMs));
          expect(wrote).toBe(isHeld);
          if (!isHeld) continue;
          stored.dueMs = dueMs;
          if (one.kind !== "extend") stored.holder = -1;
          if (one.kind === "done" || one.kind === "again") stored.attempts += 1;
        }
      }
      // All workers are dead. The remaining work is found, and each document once.
      const left = (await takeAt(nowMs + 100 * LEASE_MS)).map(({ _id }) => _id).sort();
      expect(left).toEqual(ids.filter((id) => of(id).dueMs !== null));
      for (const { _id, work } of await tasks().find().toArray())
        expect(work?.attempts).toBe(of(_id).attempts);
    }),
    { numRuns: 60 },
  );
});

const endedAt = new Date("2026-01-01T00:00:00.000Z");
const afterMs = (at: Date | null) => at && at.getTime() - endedAt.getTime();

test("each attempt has its wait, and none follows the last attempt", () => {
  const schedule = { waitsMs: [1_000, 5_000] };
  expect([1, 2, 3].map((number) => afterMs(retryAt(schedule, number, { endedAt })))).toEqual([
    1_000,
    5_000,
    null,
  ]);
});

test("a schedule without an end repeats its last wait", () => {
  const schedule = { waitsMs: [1_000], thenMs: 60_000 };
  expect([1, 2, 99].map((number) => afterMs(retryAt(schedule, number, { endedAt })))).toEqual([
    1_000, 60_000, 60_000,
  ]);
});

test("jitter makes a wait longer, never shorter", () => {
  const schedule = { waitsMs: [1_000], jitter: 0.2 };
  const waits = [0, 0.5, 1].map((random) => afterMs(retryAt(schedule, 1, { endedAt, random })));
  expect(waits).toEqual([1_000, 1_100, 1_200]);
});
