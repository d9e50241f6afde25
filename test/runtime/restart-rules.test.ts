// How often and how soon a stopped mongod is restarted.
import { expect, test } from "vitest";
import { nextTryMs } from "../../runtime/mongod/restart-rules.ts";

const MINUTE_MS = 60_000;

/** For a mongod that runs `upMs` each time: the number of starts before it is given up, and the waits before them. */
function crashes(upMs: number, times = 1_000): (number | undefined)[] {
  const failedAtMs: number[] = [];
  const waits: (number | undefined)[] = [];
  let nowMs = 0;
  for (let i = 0; i < times && (waits.at(-1) !== undefined) === waits.length > 0; i++) {
    nowMs += upMs;
    failedAtMs.push(nowMs);
    const waitMs = nextTryMs(failedAtMs, nowMs);
    waits.push(waitMs);
    nowMs += waitMs ?? 0;
  }
  return waits;
}

test("a first crash restarts immediately, and each later one after a longer wait", () => {
  expect(crashes(0)).toEqual([100, 500, 1_000, 2_000, 5_000, 10_000, 20_000, undefined]);
});

test("a minute of running does not reset the count", () => {
  expect(crashes(MINUTE_MS + 1)).toEqual([100, 500, 1_000, 2_000, 5_000, 10_000, 20_000, undefined]);
});

test("crashes older than ten minutes are not counted", () => {
  expect(crashes(11 * MINUTE_MS, 50)).toEqual(Array.from({ length: 50 }, () => 100));
});
