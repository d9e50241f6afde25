import { expect, test } from "vitest";
import { retryAt } from "../../../../core/base/work/rules.ts";

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
