import { describe, expect, test } from "vitest";
import { createContention } from "../../../../core/base/mongo/contention.ts";
import { TooManyConflicts } from "../../../../core/base/mongo/errors.ts";
import { createGroupCommit, fulfilled, rejected } from "../../../../core/base/mongo/group-commit.ts";
import { waitFor } from "../../../support/wait-for.ts";

type Options = Partial<Parameters<typeof createGroupCommit<number, number>>[0]>;

/** A commit that doubles its requests and records the batches. */
function doubling(options: Options = {}) {
  const batches: number[][] = [];
  const call = createGroupCommit<number, number>({
    maxBatch: 4,
    isHopeless: () => false,
    commit: async (requests) => {
      batches.push([...requests]);
      return requests.map((n) => fulfilled(n * 2));
    },
    ...options,
  });
  return { call: (n: number) => call(n), commit: call, batches };
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

describe("group commit", () => {
  test("commits waiting requests together, in order, at most one batch at a time", async () => {
    const { call, batches } = doubling();
    expect(await Promise.all(range(10).map(call))).toEqual(range(10).map((n) => n * 2));
    expect(batches).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ]);
  });

  test("has one batch in flight, and collects the next one while it runs", async () => {
    let inFlight = 0;
    const gate = Promise.withResolvers<void>();
    const batches: number[][] = [];
    const { call } = doubling({
      commit: async (requests) => {
        batches.push([...requests]);
        expect(++inFlight).toBe(1);
        if (batches.length === 1) await gate.promise;
        inFlight -= 1;
        return requests.map((n) => fulfilled(n));
      },
    });
    const first = call(1);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const others = [call(2), call(3)];
    gate.resolve();
    await Promise.all([first, ...others]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test("refuses one request without affecting the others of its batch", async () => {
    const { call } = doubling({
      commit: async (requests) => requests.map((n) => (n === 2 ? rejected(new Error("no 2")) : fulfilled(n))),
    });
    const results = await Promise.allSettled(range(4).map(call));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });

  test("finds a failing request by halving, and commits all others", async () => {
    const { call, batches } = doubling({
      maxBatch: 8,
      commit: async (requests) => {
        if (requests.includes(5)) throw new Error("poison");
        batches.push([...requests]);
        return requests.map((n) => fulfilled(n));
      },
    });
    const results = await Promise.allSettled(range(8).map(call));
    expect(results.flatMap(({ status }, n) => (status === "rejected" ? [n] : []))).toEqual([5]);
    expect(batches.flat().sort()).toEqual([0, 1, 2, 3, 4, 6, 7]);
  });

  test("does not halve a batch while the database is away", async () => {
    let commits = 0;
    const { call } = doubling({
      isHopeless: () => true,
      commit: async () => {
        commits += 1;
        throw new Error("away");
      },
    });
    const results = await Promise.allSettled(range(4).map(call));
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    expect(commits).toBe(1);
  });

  test("continues after a failed batch", async () => {
    let away = true;
    const { call } = doubling({
      isHopeless: () => true,
      commit: async (requests) => {
        if (away) throw new Error("away");
        return requests.map((n) => fulfilled(n));
      },
    });
    await expect(call(1)).rejects.toThrow("away");
    away = false;
    await expect(call(2)).resolves.toBe(2);
  });

  test("refuses immediately when the expected wait exceeds the limit, with the seconds to wait", async () => {
    const gate = Promise.withResolvers<void>();
    const { commit } = doubling({
      maxBatch: 2,
      commit: async (requests) => {
        await gate.promise;
        return requests.map((n) => fulfilled(n));
      },
    });
    const patience = { untilMs: performance.now() + 60_000, signal: new AbortController().signal };
    // The initial estimate is 100 ms: 1,200 batches of two exceed a minute.
    const patient = range(2_000).map((n) => commit(n, patience));
    const hasty = commit(2_001, { ...patience, untilMs: performance.now() + 10_000 });
    await expect(hasty).rejects.toMatchObject({ code: "service_unavailable", retryAfterSeconds: 5 });
    gate.resolve();
    await expect(Promise.all(patient)).resolves.toHaveLength(2_000);
  });

  test("recovers its estimate after one slow batch", async () => {
    const stalled = Promise.withResolvers<void>();
    let batches = 0;
    const { commit } = doubling({
      maxBatch: 10,
      commit: async (requests) => {
        batches += 1;
        if (batches === 10) await stalled.promise;
        else await new Promise(setImmediate);
        return requests.map((n) => fulfilled(n));
      },
    });
    for (const n of range(9)) await commit(n);
    const during = commit(9);
    await waitFor("a while", () => commit.oldestWaitingMs() > 1_000);
    stalled.resolve();
    await during;
    // Ten fast batches. By the slow one's time they would be expected to take three seconds.
    const signal = new AbortController().signal;
    const soon = () => ({ untilMs: performance.now() + 2_000, signal });
    await expect(Promise.all(range(100).map((n) => commit(n, soon())))).resolves.toHaveLength(100);
  });

  test("drops requests whose callers have left, just before the batch starts", async () => {
    const gate = Promise.withResolvers<void>();
    const batches: number[][] = [];
    const gone = new AbortController();
    const { commit } = doubling({
      commit: async (requests, { isWanted }) => {
        batches.push([...requests]);
        if (batches.length === 1) await gate.promise;
        return requests.map((n, i) =>
          isWanted(i) ? fulfilled(n) : rejected(new Error(`nobody wants ${n}`)),
        );
      },
    });
    const lasting = { untilMs: Infinity, signal: new AbortController().signal };
    const leaving = { untilMs: Infinity, signal: gone.signal };
    const first = Promise.allSettled([commit(1, leaving), commit(2, lasting)]);
    await waitFor("the first batch", () => batches.length === 1);
    const second = Promise.allSettled([commit(3, leaving), commit(4, lasting)]);
    gone.abort();
    gate.resolve();
    expect(await first).toMatchObject([{ status: "rejected" }, { value: 2 }]);
    // Dropped requests were never started.
    expect(await second).toMatchObject([{ reason: { code: "deadline_exceeded" } }, { value: 4 }]);
    expect(batches).toEqual([[1, 2], [4]]);
  });

  test("halves a batch that loses conflicts, and grows it again", async () => {
    let isBusy = true;
    const tried: { size: number; maxConflicts: number }[] = [];
    const { commit } = doubling({
      maxBatch: 8,
      commit: async (requests, { maxConflicts }) => {
        tried.push({ size: requests.length, maxConflicts });
        if (isBusy && requests.length > 2) throw new TooManyConflicts("somebody else was faster");
        isBusy = false;
        return requests.map((n) => fulfilled(n));
      },
      isHopeless: () => true,
    });
    const wanted = range(40);
    expect(await Promise.all(wanted.map((n) => commit(n)))).toEqual(wanted);
    const sizes = tried.map(({ size }) => size);
    expect(sizes.slice(0, 3)).toEqual([8, 4, 2]);
    expect(Math.max(...sizes.slice(3))).toBe(8);
    // A single request gains nothing from waiting.
    await commit(1);
    expect(tried.at(-1)).toEqual({ size: 1, maxConflicts: Infinity });
    expect(tried[0]?.maxConflicts).toBeLessThan(Infinity);
  });

  test("halves a conflicting batch down to the configured minimum, and commits that", async () => {
    const sizes: number[] = [];
    const { commit } = doubling({
      maxBatch: 16,
      minBatch: 4,
      commit: async (requests) => {
        sizes.push(requests.length);
        if (sizes.length < 6) throw new TooManyConflicts("somebody else was faster");
        return requests.map((n) => fulfilled(n));
      },
    });
    const wanted = range(16);
    expect(await Promise.all(wanted.map((n) => commit(n)))).toEqual(wanted);
    expect(sizes.slice(0, 6)).toEqual([16, 8, 4, 4, 4, 4]);
  });

  test("reports how long the oldest request has waited", async () => {
    const gate = Promise.withResolvers<void>();
    const { commit } = doubling({
      commit: async (requests) => {
        await gate.promise;
        return requests.map((n) => fulfilled(n));
      },
    });
    expect(commit.oldestWaitingMs()).toBe(0);
    const one = commit(1);
    const before = await waitFor("some time to pass", () => commit.oldestWaitingMs());
    await waitFor("it to grow", () => commit.oldestWaitingMs() > before);
    gate.resolve();
    await one;
    expect(commit.oldestWaitingMs()).toBe(0);
  });

  test("runs in parallel with other groups while no conflicts are lost", async () => {
    const contention = createContention();
    const gate = Promise.withResolvers<number>();
    const held = contention.run(() => gate.promise);
    const { call } = doubling({ contention });
    await expect(call(1)).resolves.toBe(2);
    contention.noteConflicts();
    let isOver = false;
    const waits = call(2).then(() => expect(isOver).toBe(true));
    await new Promise(setImmediate);
    isOver = true;
    gate.resolve(1);
    await Promise.all([held, waits]);
  });

  test("takes turns with other groups after conflicts, and blocks none while idle", async () => {
    const contention = createContention();
    contention.noteConflicts();
    let busy = 0;
    const alone = async <T>(value: T): Promise<T> => {
      expect(++busy).toBe(1);
      await new Promise(setImmediate);
      busy -= 1;
      return value;
    };
    const options: Options = { maxBatch: 1, contention, commit: ([n = 0]) => alone([fulfilled(n)]) };
    const [a, b] = [doubling(options).call, doubling(options).call];
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    await Promise.all([
      ...range(3).map((n) => a(n).then(note("a"))),
      ...range(3).map((n) => b(n).then(note("b"))),
      contention.run(() => Promise.reject(new Error("one that fails holds nobody up"))).catch(note("failed")),
    ]);
    expect(order).toEqual(["failed", "a", "b", "a", "b", "a", "b"]);
    await expect(contention.run(() => alone(1))).resolves.toBe(1);
  });

  test("rejects a request that commit forgot to answer", async () => {
    const { call } = doubling({ commit: async () => [] });
    await expect(call(1)).rejects.toThrow("fewer requests");
  });
});
