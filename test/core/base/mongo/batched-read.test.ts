import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createBatchedRead } from "../../../../core/base/mongo/batched-read.ts";

const MAX_BATCH = 3;
const turn = () => new Promise(setImmediate);

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A database whose queries are answered when the test says so, with what was stored when they were sent. */
function createDatabase(gapMs = 0) {
  const versions = new Map<string, number>();
  const unreadable = new Set<string>();
  type Query = { ids: readonly string[]; answer(): void; fail(error: Error): void };
  const underWay: Query[] = [];
  const sent: (readonly string[])[] = [];
  const away = new Error("away");
  const read = createBatchedRead<number>({
    maxBatch: MAX_BATCH,
    gapMs,
    isHopeless: (error) => error === away,
    read: (ids) => {
      sent.push(ids);
      const found = new Map(ids.flatMap((id) => (versions.has(id) ? [[id, versions.get(id) ?? 0]] : [])));
      const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, number>>();
      const isUnreadable = ids.some((id) => unreadable.has(id));
      const query: Query = {
        ids,
        answer: () => (isUnreadable ? reject(new Error("unreadable")) : resolve(found)),
        fail: reject,
      };
      underWay.push(query);
      const end = () => void underWay.splice(underWay.indexOf(query), 1);
      promise.then(end, end);
      return promise;
    },
  });
  const readOne = async (id: string) => (await read([id])).get(id);
  return { versions, unreadable, underWay, sent, away, read, readOne };
}

describe("a batched read", () => {
  test("queries for a lone caller within one turn of the event loop", async () => {
    const { read, sent, underWay } = createDatabase();
    const found = read(["a"]);
    await turn();
    expect(sent).toEqual([["a"]]);
    underWay[0]?.answer();
    expect(await found).toEqual(new Map());
  });

  test("sends one query for all waiting callers, with each id once", async () => {
    const { versions, readOne, read, sent, underWay } = createDatabase();
    versions.set("a", 1).set("b", 2);
    const found = Promise.all([readOne("a"), readOne("b"), readOne("a"), read(["b", "c"])]);
    await turn();
    underWay[0]?.answer();
    expect(await found).toEqual([1, 2, 1, new Map([["b", 2]])]);
    expect(sent).toEqual([["a", "b", "c"]]);
  });

  test("puts one batch into a query and the rest into the next", async () => {
    const { readOne, sent, underWay } = createDatabase();
    const ids = ["a", "b", "c", "d", "e"];
    const found = Promise.all(ids.map(readOne));
    await turn();
    underWay[0]?.answer();
    await turn();
    underWay[0]?.answer();
    await found;
    expect(sent).toEqual([ids.slice(0, MAX_BATCH), ids.slice(MAX_BATCH)]);
  });

  test("leaves time between queries that callers share, and none after a query for a lone caller", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    const { readOne, sent, underWay } = createDatabase(4);
    const found = [readOne("a"), readOne("b")];
    await turn();
    underWay[0]?.answer();
    await turn();
    found.push(readOne("c"));
    await turn();
    expect(sent).toEqual([["a", "b"]]);
    vi.advanceTimersByTime(4);
    underWay[0]?.answer();
    await turn();
    found.push(readOne("d"));
    await turn();
    underWay[0]?.answer();
    await Promise.all(found);
    expect(sent).toEqual([["a", "b"], ["c"], ["d"]]);
  });

  test("sends a second query while one hangs, although no further caller comes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    const { versions, readOne, sent, underWay } = createDatabase();
    versions.set("b", 2);
    const hanging = readOne("a");
    await turn();
    const found = readOne("b");
    await turn();
    expect(sent).toEqual([["a"]]);
    vi.advanceTimersByTime(101);
    await turn();
    expect(sent).toEqual([["a"], ["b"]]);
    underWay[1]?.answer();
    expect(await found).toBe(2);
    underWay[0]?.answer();
    await hanging;
  });

  test("sends a second query while one hangs, and at most eight in parallel", async () => {
    const { readOne, sent, underWay } = createDatabase();
    const start = performance.now();
    const now = vi.spyOn(performance, "now");
    const found = [];
    for (let i = 0; i < 10; i++) {
      now.mockReturnValue(start + i * 101);
      found.push(readOne(String(i)));
      await turn();
    }
    expect(sent).toHaveLength(8);
    underWay[0]?.answer();
    await turn();
    expect(sent.at(-1)).toEqual(["8", "9"]);
    for (const query of underWay) query.answer();
    await Promise.all(found);
  });

  test("fails only the readers of a document that cannot be read", async () => {
    const { versions, unreadable, readOne, underWay } = createDatabase();
    versions.set("a", 1).set("c", 3);
    unreadable.add("b");
    const found = Promise.allSettled(["a", "b", "c"].map(readOne));
    for (let i = 0; i < 6; i++) {
      await turn();
      underWay[0]?.answer();
    }
    expect(await found).toMatchObject([{ value: 1 }, { reason: { message: "unreadable" } }, { value: 3 }]);
  });

  test("sends no extra queries while the database is away, and queries again for the next caller", async () => {
    const { versions, readOne, sent, underWay, away } = createDatabase();
    versions.set("a", 1);
    const refused = Promise.allSettled([readOne("a"), readOne("b")]);
    await turn();
    underWay[0]?.fail(away);
    expect(await refused).toMatchObject([{ reason: away }, { reason: away }]);
    const found = readOne("a");
    await turn();
    expect(sent).toHaveLength(2);
    underWay[0]?.answer();
    expect(await found).toBe(1);
  });
});

const ids = fc.constantFrom("a", "b", "c", "d", "e");
const steps = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("look up" as const), id: ids }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("change" as const), id: ids }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("spoil" as const), id: ids }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restore" as const), id: ids }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("answer" as const), query: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fail" as const), query: fc.nat(9) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("turn" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pass time" as const), ms: fc.nat(300) }) },
);

test("each caller gets a value at least as new as its own start, in any order of lookups, changes and failures", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 60, size: "max" }), async (plan) => {
      const database = createDatabase();
      const { versions, unreadable, underWay, sent, away, readOne } = database;
      let now = performance.now();
      vi.spyOn(performance, "now").mockImplementation(() => now);
      const lookups: { id: string; oldest: number; end: Promise<unknown> }[] = [];
      const everUnreadable = new Set<string>();
      let failures = 0;

      for (const step of plan) {
        if (step.do === "look up") {
          const { id } = step;
          const oldest = versions.get(id) ?? 0;
          const end = readOne(id).then(
            (version = 0) => ({ version, newest: versions.get(id) ?? 0 }),
            (error: unknown) => ({ error }),
          );
          lookups.push({ id, oldest, end });
        } else if (step.do === "change") versions.set(step.id, (versions.get(step.id) ?? 0) + 1);
        else if (step.do === "spoil") for (const all of [everUnreadable, unreadable]) all.add(step.id);
        else if (step.do === "restore") unreadable.delete(step.id);
        else if (step.do === "answer") underWay[step.query % underWay.length]?.answer();
        else if (step.do === "fail" && underWay.length > 0) {
          failures += 1;
          underWay[step.query % underWay.length]?.fail(away);
        } else if (step.do === "turn") await turn();
        else if (step.do === "pass time") now += step.ms;
        expect(underWay.length).toBeLessThanOrEqual(8);
      }
      // Every caller gets a result.
      await turn();
      while (underWay.length > 0) {
        underWay[0]?.answer();
        await turn();
      }
      for (const { id, oldest, end } of lookups) {
        const told = (await end) as { version: number; newest: number } | { error: unknown };
        if ("error" in told) expect(told.error === away ? failures > 0 : everUnreadable.has(id)).toBe(true);
        else {
          expect(told.version).toBeGreaterThanOrEqual(oldest);
          expect(told.version).toBeLessThanOrEqual(told.newest);
        }
      }
      for (const asked of sent) {
        expect(asked.length).toBeLessThanOrEqual(MAX_BATCH);
        expect(new Set(asked).size).toBe(asked.length);
      }
    }),
    { numRuns: 1_000 },
  );
});
