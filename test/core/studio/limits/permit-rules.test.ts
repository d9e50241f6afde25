// Permits of a provider, in a table and in a random history: never above the limit, and no needless refusal.
import { describe, expect, test } from "vitest";
import {
  admit,
  begunLately,
  type Limits,
  UNUSED,
  type Usage,
  withoutEnded,
} from "../../../../core/studio/limits/permit-rules.ts";

const T = 1_000_000_000;
const NOW = { begin: true, nowMs: T };
const limits = (maxCalls?: number, maxPerMinute?: number): Limits => ({ maxCalls, maxPerMinute });
const under = (...jobs: string[]): Usage => ({
  ...UNUSED,
  places: jobs.map((job) => ({ job, begun: true })),
});

describe("the limit of parallel calls", () => {
  test.each([
    ["none of two permits used", UNUSED, ["a", "b", "c"], ["a", "b"]],
    ["one of two permits used", under("a"), ["b", "c"], ["b"]],
    ["two of two permits used", under("a", "b"), ["c"], []],
    ["two of two permits used, one by the same job", under("a", "b"), ["c", "b"], ["b"]],
    ["more permits used than a lowered limit", under("a", "b", "c"), ["d"], []],
  ] as const)("%s", (_what, usage, jobs, admitted) => {
    const answer = admit(limits(2), usage, { ...NOW, jobs });
    expect(answer.admitted).toEqual(admitted);
    expect(answer.nextAtMs).toBeUndefined();
  });

  test("counts a reserved permit, which its own job uses once", () => {
    const aside = admit(limits(1), UNUSED, { jobs: ["a"], begin: false, nowMs: T });
    expect(aside.usage.places).toEqual([{ job: "a", begun: false }]);
    expect(admit(limits(1), aside.usage, { ...NOW, jobs: ["b"] }).admitted).toEqual([]);
    const used = admit(limits(1), aside.usage, { ...NOW, jobs: ["a"] });
    expect(used.usage.places).toEqual([{ job: "a", begun: true }]);
  });

  test("ignores permits of ended jobs", () => {
    const usage = withoutEnded(under("a", "b"), (job) => job === "b");
    expect(usage.places.map(({ job }) => job)).toEqual(["b"]);
  });
});

describe("the limit of calls per minute", () => {
  const begin = (usage: Usage, jobs: readonly string[], nowMs: number) =>
    admit(limits(undefined, 3), usage, { begin: true, jobs, nowMs });

  test("makes the fourth call wait until the first is a minute old", () => {
    const first = begin(UNUSED, ["a"], T);
    const third = begin(first.usage, ["b", "c"], T + 2_000);
    expect(third.nextAtMs).toBe(T + 61_000);
    const fourth = begin(third.usage, ["d"], T + 60_999);
    expect(fourth).toMatchObject({ admitted: [], nextAtMs: T + 61_000 });
    const later = begin(third.usage, ["d", "e"], T + 61_000);
    expect(later).toMatchObject({ admitted: ["d"], nextAtMs: T + 63_000 });
    expect(begunLately(later.usage, T + 61_000)).toBe(3);
  });

  test("counts each try, and a reserved permit includes its start", () => {
    const twice = begin(begin(UNUSED, ["a"], T).usage, ["a"], T);
    expect(begunLately(twice.usage, T)).toBe(2);
    const aside = admit(limits(undefined, 3), twice.usage, { jobs: ["b"], begin: false, nowMs: T });
    expect(begunLately(aside.usage, T)).toBe(3);
    const used = begin(aside.usage, ["b", "c"], T);
    expect(used.admitted).toEqual(["b"]);
    expect(begunLately(used.usage, T)).toBe(3);
    // A second request for waiting jobs changes nothing.
    const again = admit(limits(undefined, 3), aside.usage, { jobs: ["b"], begin: false, nowMs: T });
    expect(again).toMatchObject({ admitted: ["b"], usage: aside.usage });
  });
});

test("random histories exceed no limit, and refuse no call without a reason", () => {
  let state = 7;
  // A seeded generator, so that a failure can be repeated.
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
  const [maxCalls, maxPerMinute] = [4, 20];
  let usage: Usage = UNUSED;
  let nowMs = T;
  const begunAtMs: number[] = [];
  for (let n = 0; n < 3_000; n++) {
    nowMs += random(3_000);
    if (random(2) === 0) usage = withoutEnded(usage, () => random(3) > 0);
    const jobs = Array.from({ length: 1 + random(4) }, (_, i) => `${n}-${i}`);
    const answer = admit(limits(maxCalls, maxPerMinute), usage, { jobs, begin: true, nowMs });
    const free = Math.min(maxCalls - usage.places.length, maxPerMinute - begunLately(usage, nowMs));
    expect(answer.admitted).toEqual(jobs.slice(0, Math.max(0, free)));
    ({ usage } = answer);
    begunAtMs.push(...answer.admitted.map(() => nowMs));
    expect(usage.places.length).toBeLessThanOrEqual(maxCalls);
    expect(begunAtMs.filter((atMs) => atMs > nowMs - 60_000).length).toBeLessThanOrEqual(maxPerMinute);
  }
  expect(begunAtMs.length).toBeGreaterThan(500);
});
