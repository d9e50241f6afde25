// How the fault suite evaluates a load: when 90% of the earlier rate are back, and the outcome of requests at a fixed rate.
import { expect, test } from "vitest";
import type { Call } from "../../scripts/testbed/load.ts";
import {
  acceptTimes,
  checkOffered,
  nineTenthsSeconds,
  perBin,
  perSecond,
} from "../../scripts/testbed/rates.ts";

/** Times at a rate, from one second to another. */
const steady = (rate: number, fromS: number, untilS: number): number[] =>
  Array.from({ length: Math.round((untilS - fromS) * rate) }, (_, n) => (fromS + n / rate) * 1_000);

/** A request every tenth of a second, each accepted at `acceptedS`. */
const offered = (untilS: number, acceptedS: (sentS: number) => number | undefined): Call[] =>
  steady(10, 0, untilS).map((sentAtMs, n) => {
    const atS = acceptedS(sentAtMs / 1_000);
    const request = { idempotencyKey: String(n), jobId: atS === undefined ? undefined : `job_${n}` };
    return {
      surface: "rest",
      what: "POST",
      sentAtMs,
      answeredAtMs: atS === undefined ? sentAtMs + 1 : atS * 1_000,
      failure: atS === undefined ? "503" : undefined,
      request,
    };
  });

test("recovery is when 90% of the earlier rate is back, not the first accept", () => {
  const times = [...steady(20, 0, 10), ...steady(2, 15, 40), ...steady(20, 40, 60)];
  const before = perSecond(times, 0, 10_000);
  const found = nineTenthsSeconds(times, before, { faultAtMs: 10_000, untilMs: 60_000 });
  expect(before).toBe(20);
  // The window that starts a moment before the step is 90% full.
  expect(found).toBeGreaterThan(29);
  expect(found).toBeLessThanOrEqual(30);
  expect(perBin(times, 10_000, 60_000)).toEqual([0, 10, 10, 10, 10, 10, 100, 100, 100, 100]);
});

test("a fault without an effect takes no recovery time, and one without an end has none", () => {
  const bounds = { faultAtMs: 10_000, untilMs: 30_000 };
  expect(nineTenthsSeconds(steady(20, 0, 30), 20, bounds)).toBe(0);
  expect(nineTenthsSeconds([...steady(20, 0, 10), ...steady(17, 15, 30)], 20, bounds)).toBeUndefined();
  // A backlog that is served in a burst is not yet the rate.
  const burst = [...steady(20, 0, 10), ...steady(100, 12, 13), ...steady(2, 13, 30)];
  expect(nineTenthsSeconds(burst, 20, bounds)).toBeUndefined();
});

test("the report has the accepted share from eight seconds on, the backlog and the longest waits", () => {
  const at = { offeredPerSecond: 10, faultAtMs: 0, repairedAtMs: 40_000 };
  const soon = checkOffered(
    offered(40, (sentS) => Math.max(sentS, 5) + 0.1),
    at,
  );
  expect(soon.acceptedPart).toBeCloseTo(1, 1);
  // Requests sent after four seconds waited less than a second.
  expect(soon.backlogGoneSeconds).toBeCloseTo(5.1);
  expect(soon.p99Seconds).toBeCloseTo(4.7, 1);
  const late = checkOffered(
    offered(40, (sentS) => Math.max(sentS, 30) + 0.1),
    at,
  );
  expect(late.acceptedPart).toBeGreaterThan(1);
  expect(late.backlogGoneSeconds).toBeCloseTo(30.1);
  const never = checkOffered(
    offered(40, (sentS) => (sentS < 10 ? undefined : sentS + 0.1)),
    at,
  );
  expect(never.backlogGoneSeconds).toBeUndefined();
  expect(never.p99Seconds).toBe(Number.POSITIVE_INFINITY);
});

test("refused tries are not counted as accepted", () => {
  expect(acceptTimes(offered(1, () => undefined))).toEqual([]);
});
