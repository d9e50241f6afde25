import { describe, expect, test } from "vitest";
import { createGroupCommit, fulfilled, rejected } from "../../../core/mongo/group-commit.ts";

type Options = Partial<Parameters<typeof createGroupCommit<number, number>>[0]>;

/** A commit that doubles, and keeps the batches it was given. */
function doubling(options: Options = {}) {
  const batches: number[][] = [];
  const call = createGroupCommit<number, number>({
    maxBatch: 4,
    maxWaiting: 100,
    isHopeless: () => false,
    commit: async (requests) => {
      batches.push([...requests]);
      return requests.map((n) => fulfilled(n * 2));
    },
    ...options,
  });
  return { call, batches };
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

describe("group commit", () => {
  test("commits what waits together, in order, at most a batch at a time", async () => {
    const { call, batches } = doubling();
    expect(await Promise.all(range(10).map(call))).toEqual(range(10).map((n) => n * 2));
    expect(batches).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ]);
  });

  test("has one batch in flight, and gathers the next one meanwhile", async () => {
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

  test("refuses one request without touching its neighbours", async () => {
    const { call } = doubling({
      commit: async (requests) => requests.map((n) => (n === 2 ? rejected(new Error("no 2")) : fulfilled(n))),
    });
    const results = await Promise.allSettled(range(4).map(call));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });

  test("finds a poisoned request by halving, and commits all the others", async () => {
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

  test("does not try halves where the database is away", async () => {
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

  test("goes on after a failed batch", async () => {
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

  test("refuses more than may wait, with the seconds to wait", async () => {
    const { call } = doubling({ maxWaiting: 2 });
    const results = await Promise.allSettled(range(3).map(call));
    expect(results[2]).toMatchObject({
      status: "rejected",
      reason: { code: "service_unavailable", retryAfterSeconds: 1 },
    });
    expect(results.slice(0, 2)).toEqual([fulfilled(0), fulfilled(2)]);
  });

  test("rejects a request that commit forgot to answer", async () => {
    const { call } = doubling({ commit: async () => [] });
    await expect(call(1)).rejects.toThrow("fewer requests");
  });
});
