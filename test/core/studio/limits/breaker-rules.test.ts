// The breaker, state by state: every state against everything that can happen to it, and whole stories.
import { describe, expect, test } from "vitest";
import {
  add,
  type Breaker,
  CLOSED,
  count,
  endProbe,
  enter,
  FIRST_PAUSE_MS,
  MAX_PAUSE_MS,
  MIN_FAILURES,
  PROBE_LOST_MS,
  stepOf,
  WINDOW_MS,
  wouldLetThrough,
} from "../../../../core/studio/limits/breaker-rules.ts";

const T = 1_000_000;
const failing = (made: number, failed: number, atMs = T): Breaker => ({
  ...CLOSED,
  tallies: [{ atMs, made, failed }],
});
const open = (untilMs: number, openings = 1): Breaker => ({ ...CLOSED, state: "open", openings, untilMs });
const halfOpen = (change: Partial<Breaker> = {}): Breaker => ({
  ...CLOSED,
  state: "half_open",
  openings: 1,
  ...change,
});
const probe = (job: string, atMs = T) => ({ job, atMs });

describe("who may call", () => {
  const rows: [what: string, breaker: Breaker, nowMs: number, job: string, answer: object][] = [
    ["closed: everybody", CLOSED, T, "a", { may: true, breaker: CLOSED }],
    [
      "closed with failures: everybody",
      failing(0, MIN_FAILURES - 1),
      T,
      "a",
      { may: true, breaker: failing(0, MIN_FAILURES - 1) },
    ],
    ["open before its time: nobody", open(T + 1), T, "a", { may: false, untilMs: T + 1 }],
    [
      "open at its time: the first, as a probe",
      open(T, 3),
      T,
      "a",
      { may: true, breaker: halfOpen({ openings: 3, probes: [probe("a")] }) },
    ],
    [
      "half open without probes: another",
      halfOpen({ passed: 1 }),
      T,
      "a",
      { may: true, breaker: halfOpen({ passed: 1, probes: [probe("a")] }) },
    ],
    [
      "half open with one: a second",
      halfOpen({ probes: [probe("a")] }),
      T + 5,
      "b",
      { may: true, breaker: halfOpen({ probes: [probe("a"), probe("b", T + 5)] }) },
    ],
    [
      "half open with two: no third, until the older is as good as lost",
      halfOpen({ probes: [probe("a"), probe("b", T + 5)] }),
      T + 6,
      "c",
      { may: false, untilMs: T + PROBE_LOST_MS },
    ],
    [
      "half open: a probe that calls once more is the same probe",
      halfOpen({ probes: [probe("a"), probe("b")] }),
      T + 6,
      "a",
      { may: true, breaker: halfOpen({ probes: [probe("a"), probe("b")] }) },
    ],
    [
      "half open with a lost probe: another takes its place",
      halfOpen({ probes: [probe("a"), probe("b", T + 5)] }),
      T + PROBE_LOST_MS,
      "c",
      { may: true, breaker: halfOpen({ probes: [probe("b", T + 5), probe("c", T + PROBE_LOST_MS)] }) },
    ],
  ];
  test.each(rows)("%s", (_what, breaker, nowMs, job, answer) => {
    expect(enter(breaker, job, nowMs)).toEqual(answer);
  });

  test.each([
    ["closed", CLOSED, T, Infinity],
    ["open before its time", open(T + 1), T, 0],
    ["open at its time", open(T), T, 2],
    ["half open", halfOpen(), T, 2],
    ["half open with one probe", halfOpen({ probes: [probe("a")] }), T, 1],
    ["half open with two", halfOpen({ probes: [probe("a"), probe("b")] }), T, 0],
    [
      "half open with two of which one is lost",
      halfOpen({ probes: [probe("a"), probe("b", T + 1)] }),
      T + PROBE_LOST_MS,
      1,
    ],
  ] as const)("so many are let through while it is %s", (_what, breaker, nowMs, calls) => {
    expect(wouldLetThrough(breaker, nowMs)).toBe(calls);
  });
});

describe("what is counted", () => {
  const ended = (made: number, failed: number, atMs = T) => [{ atMs, made, failed }];
  const opened = open(T + FIRST_PAUSE_MS);
  const rows: [what: string, before: Breaker, tallies: ReturnType<typeof ended>, after: Breaker][] = [
    ["closed, a success: nothing to remember", CLOSED, ended(1, 0), CLOSED],
    ["closed, a failure: remembered", CLOSED, ended(0, 1), failing(0, 1)],
    ["closed, one failure too few: stays closed", failing(0, MIN_FAILURES - 2), ended(0, 1), failing(0, 4)],
    ["closed, enough failures: opens", failing(0, MIN_FAILURES - 1), ended(0, 1), opened],
    ["closed, all of them at once: opens", CLOSED, ended(0, MIN_FAILURES), opened],
    ["closed, half of the calls failed: opens", failing(5, 4), ended(0, 1), opened],
    ["closed, fewer than half failed: stays closed", failing(6, 4), ended(0, 1), failing(6, 5)],
    ["closed, many failures among more successes: stays closed", CLOSED, ended(101, 100), failing(101, 100)],
    [
      "closed, failures older than the window: forgotten",
      failing(0, 4, T - WINDOW_MS),
      ended(0, 1),
      failing(0, 1),
    ],
    [
      "closed, failures just within the window: counted",
      failing(0, 4, T - WINDOW_MS + 1),
      ended(0, 1),
      opened,
    ],
    ["closed, the last failure forgotten: clean", failing(3, 1, T - WINDOW_MS), ended(1, 0), CLOSED],
    ["open: calls that were begun before say nothing", opened, ended(50, 50), opened],
    ["half open: neither do they", halfOpen(), ended(50, 50), halfOpen()],
  ];
  test.each(rows)("%s", (_what, before, tallies, after) => {
    expect(count(before, tallies, T)).toEqual(after);
  });

  test("sums step by step, oldest first", () => {
    expect(add(ended(1, 2, 5), [...ended(3, 4, 5), ...ended(1, 0, 0)])).toEqual([
      { atMs: 0, made: 1, failed: 0 },
      { atMs: 5, made: 4, failed: 6 },
    ]);
    expect(stepOf(1_004_999)).toBe(1_000_000);
  });
});

describe("how a probe ends", () => {
  const two = halfOpen({ probes: [probe("a"), probe("b")] });
  const rows: [
    what: string,
    before: Breaker,
    job: string,
    end: "made" | "failed" | "neutral",
    after: Breaker,
  ][] = [
    ["closed: not a probe", failing(1, 1), "a", "failed", failing(1, 1)],
    ["open: not a probe any more", open(T + 7), "a", "made", open(T + 7)],
    ["half open, another job: says nothing", two, "c", "failed", two],
    ["half open, the first success", two, "a", "made", halfOpen({ probes: [probe("b")], passed: 1 })],
    [
      "half open, the second success: closed, as new",
      halfOpen({ probes: [probe("b")], passed: 1, openings: 4 }),
      "b",
      "made",
      CLOSED,
    ],
    ["half open, a failure: open for longer", two, "a", "failed", open(T + 2 * FIRST_PAUSE_MS, 2)],
    [
      "half open, a failure after a success: open all the same",
      halfOpen({ probes: [probe("b")], passed: 1 }),
      "b",
      "failed",
      open(T + 2 * FIRST_PAUSE_MS, 2),
    ],
    [
      "half open, an end that says nothing: its place is free",
      two,
      "a",
      "neutral",
      halfOpen({ probes: [probe("b")] }),
    ],
  ];
  test.each(rows)("%s", (_what, before, job, end, after) => {
    expect(endProbe(before, job, end, T)).toEqual(after);
  });
});

test("pauses double from 5 seconds to 5 minutes, and begin anew once it was closed", () => {
  let breaker: Breaker = count(CLOSED, [{ atMs: T, made: 0, failed: 5 }], T);
  let nowMs = T;
  const pauses: number[] = [];
  for (let n = 0; n < 9; n++) {
    pauses.push((breaker.untilMs ?? 0) - nowMs);
    nowMs = breaker.untilMs ?? 0;
    const entry = enter(breaker, "a", nowMs);
    if (!entry.may) throw new Error("its time has come");
    breaker = endProbe(entry.breaker, "a", "failed", nowMs);
  }
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300].map((seconds) => seconds * 1000));
  expect(MAX_PAUSE_MS).toBe(300_000);
  const healed = ["a", "b"].reduce((before, job) => {
    const entry = enter(before, job, nowMs + MAX_PAUSE_MS);
    return entry.may ? endProbe(entry.breaker, job, "made", nowMs) : before;
  }, breaker);
  expect(healed).toEqual(CLOSED);
});
