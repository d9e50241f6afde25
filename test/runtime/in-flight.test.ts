// What is in progress, and that it does not keep alive what has ended.
import v8 from "node:v8";
import vm from "node:vm";
import { expect, test } from "vitest";
import { AppError } from "../../proto/codes.ts";
import { createInFlight } from "../../runtime/in-flight.ts";
import { createPermits } from "../../runtime/permits.ts";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc") as (options?: { type: "minor" }) => void;

function oldBytes(): number {
  const old = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === "old_space");
  return old?.space_used_size ?? 0;
}

/**
 * How much moves to the old generation while 60 MB of requests come and go, 20 at a time. Counted in rounds, since a full collection that
 * V8 starts on its own ends what the round would have shown.
 */
function bytesKept(add: (id: number, value: object) => void, remove: (id: number) => void): number {
  let last = 0;
  const step = () => {
    add(++last, { body: Array.from({ length: 500 }, (_, n) => ({ n })) });
    if (last > 20) remove(last - 20);
  };
  let kept = 0;
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 100; i++) step();
    // Now the table is in the old generation, as after each of its collections.
    collect();
    const before = oldBytes();
    for (let i = 1; i <= 300; i++) {
      step();
      if (i % 50 === 0) collect({ type: "minor" });
    }
    kept += Math.max(0, oldBytes() - before);
  }
  return kept;
}

test("ended requests do not move to the old generation, as they do with a Map", () => {
  const flight = createInFlight<object>();
  const kept = bytesKept(flight.add, flight.remove);
  const map = new Map<number, object>();
  const keptByMap = bytesKept(
    (id, value) => void map.set(id, value),
    (id) => void map.delete(id),
  );
  expect(keptByMap).toBeGreaterThan(5_000_000);
  expect(kept).toBeLessThan(keptByMap / 5);
});

test("entries are found by number, counted, and removed once", () => {
  const flight = createInFlight<{ name: string }>();
  flight.add(7, { name: "seven" });
  flight.add(2 ** 32 - 1, { name: "last" });
  flight.add(2, { name: "two" });
  expect([flight.get(7)?.name, flight.get(3), flight.has(2), flight.has(3)]).toEqual([
    "seven",
    undefined,
    true,
    false,
  ]);
  expect([flight.remove(7), flight.remove(7), flight.size()]).toEqual([true, false, 2]);
  expect(flight.all().toSorted(([a], [b]) => a - b)).toEqual([
    [2, { name: "two" }],
    [2 ** 32 - 1, { name: "last" }],
  ]);
});

const CAPS = {
  job: { most: 2, words: "open for this job" },
  account: { most: 3, words: "open for this account" },
};

function refusal(take: () => unknown): AppError {
  try {
    take();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error("nothing was refused");
}

test("permits are taken for all subjects together or for none", () => {
  const refused: string[] = [];
  const places = createPermits(CAPS, (name) => refused.push(name));
  const leave = places.take({ job: "a", account: "x" });
  places.take({ job: "a", account: "x" });
  const full = refusal(() => places.take({ job: "a", account: "x" }));
  expect([full.code, full.message, full.retryAfterSeconds]).toEqual([
    "rate_limited",
    "There are already 2 open for this job, which is the most there may be.",
    5,
  ]);
  // The refused one took no permit of the account, which has one left.
  places.take({ job: "b", account: "x" });
  expect(refusal(() => places.take({ job: "c", account: "x" })).message).toContain("3 open for this account");
  expect(refused).toEqual(["job", "account"]);
  leave();
  // A second return has no effect.
  leave();
  places.take({ job: "c", account: "x" });
  expect(refusal(() => places.take({ job: "d", account: "x" })).code).toBe("rate_limited");
  places.take({ job: "d", account: "y" });
});

test("some permits are as many as are free, and at least one", () => {
  const places = createPermits(CAPS);
  const leaves = places.takeSome({ job: "a", account: "x" }, 5);
  expect(leaves).toHaveLength(CAPS.job.most);
  expect(places.takeSome({ job: "b", account: "x" }, 5)).toHaveLength(1);
  expect(refusal(() => places.takeSome({ job: "c", account: "x" }, 1)).code).toBe("rate_limited");
  for (const leave of leaves) leave();
  expect(places.takeSome({ job: "c", account: "x" }, 1)).toHaveLength(1);
});

test("returned permits leave nothing in memory", () => {
  const places = createPermits(CAPS);
  const leaves = ["a", "b", "c"].map((job) => places.take({ job, account: "x" }));
  expect([places.subjects("job"), places.subjects("account")]).toEqual([3, 1]);
  for (const leave of leaves) leave();
  expect([places.subjects("job"), places.subjects("account")]).toEqual([0, 0]);
});
