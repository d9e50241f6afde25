// Membership periods compared with a plain list of intervals, over any sequence of changes.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  endMembership,
  membershipRights,
  membershipStatus,
  refuseMember,
  renewMembership,
} from "../../../../core/identity/accounts/membership-rules.ts";
import type { MembershipTerms } from "../../../../core/identity/accounts/store.ts";
import type { TierDoc } from "../../../../core/kernel/definitions.ts";
import { combinations, frozen, tierDoc } from "../../../fixtures/docs.ts";

const TIERS: ReadonlyMap<string, TierDoc> = new Map(
  [
    { _id: "basic", name: "Basic", member_tools: false, plus_products: false, order: 1 },
    { _id: "plus", name: "Plus", member_tools: true, plus_products: true, order: 2 },
  ].map((tier) => [tier._id, tier]),
);
const START = new Date("2026-01-01T00:00:00Z").getTime();
const at = (ms: number) => new Date(START + ms);

type Step =
  | { kind: "set"; afterMs: number; lengthMs: number; tier: string }
  | { kind: "end"; afterMs: number };

const time = fc.integer({ min: 0, max: 1_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("set" as const),
    afterMs: time,
    lengthMs: fc.integer({ min: 1, max: 1_500 }),
    tier: fc.constantFrom("basic", "plus"),
  }),
  fc.record({ kind: fc.constant("end" as const), afterMs: time }),
);

/** The simplest model: the tier of each millisecond. */
function bookOf(steps: readonly Step[]): { tierAt(ms: number): string | undefined } {
  const book = new Map<number, string>();
  let nowMs = 0;
  for (const one of steps) {
    nowMs += one.afterMs;
    for (const ms of book.keys()) if (ms >= nowMs) book.delete(ms);
    if (one.kind === "set") for (let ms = 0; ms < one.lengthMs; ms++) book.set(nowMs + ms, one.tier);
  }
  return { tierAt: (ms) => book.get(ms) };
}

function play(steps: readonly Step[]): { membership: MembershipTerms | undefined; nowMs: number } {
  let membership: MembershipTerms | undefined;
  let nowMs = 0;
  for (const one of steps) {
    nowMs += one.afterMs;
    if (one.kind === "set") {
      const wanted = { tier: one.tier, until: at(nowMs + one.lengthMs) };
      membership = renewMembership(membership, wanted, TIERS, at(nowMs));
    } else if (membership) membership = endMembership(membership, at(nowMs));
  }
  return { membership, nowMs };
}

describe("after any sequence of starts, extensions, moves and ends", () => {
  test("a membership is active exactly in the periods that were set last", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.array(time, { maxLength: 20 }), (steps, laterMs) => {
        const { membership, nowMs } = play(steps);
        const book = bookOf(steps);
        for (const ms of [0, 1, ...laterMs]) {
          const tier = book.tierAt(nowMs + ms);
          const now = at(nowMs + ms);
          const active = membershipStatus(membership, now) === "active";
          expect(active).toBe(tier !== undefined);
          if (active) expect(membership?.tier).toBe(tier);
          const rights = membershipRights(membership, TIERS.get(membership?.tier ?? ""), now);
          expect(rights.memberTools).toBe(tier === "plus");
          expect(rights.plusProducts).toBe(tier === "plus");
          const refusal = refuseMember(membership, TIERS.get(membership?.tier ?? ""), now);
          expect(refusal?.code).toBe(tier === "plus" ? undefined : "membership_inactive");
        }
      }),
    );
  });

  test("its start is the start of the unbroken active time", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const { membership, nowMs } = play(steps);
        const book = bookOf(steps);
        fc.pre(book.tierAt(nowMs) !== undefined);
        let beganMs = nowMs;
        // Changes never touch the past, so the model still knows every moment.
        while (book.tierAt(beganMs - 1) !== undefined) beganMs--;
        expect(membership?.started_at).toEqual(at(beganMs));
      }),
    );
  });

  test("its status never changes from lapsed to active as time passes", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), time, time, (steps, firstMs, moreMs) => {
        const { membership, nowMs } = play(steps);
        const first = membershipStatus(membership, at(nowMs + firstMs));
        const second = membershipStatus(membership, at(nowMs + firstMs + moreMs));
        if (first !== "active") expect(second).toBe(first);
      }),
    );
  });
});

describe("a change of a membership", () => {
  const now = at(0);
  const current: MembershipTerms = { tier: "plus", started_at: at(-100), period_end: at(100) };

  test("may shorten a period", () => {
    const shorter = renewMembership(current, { tier: "plus", until: at(1) }, TIERS, now);
    expect(shorter).toEqual({ ...current, period_end: at(1) });
  });
});

describe("every combination of membership, tier and time", () => {
  const MOMENTS = [-1, 0, 1];
  /** No membership, and memberships that ended before, end now, and end later. */
  const current = [
    undefined,
    ...[-1, 0, 1].map((ms) => frozen({ tier: "plus", started_at: at(-9), period_end: at(ms) })),
  ];
  const tiers = [
    undefined,
    ...combinations({
      member_tools: [true, false],
      plus_products: [true, false],
      discount_percent: [0, 20],
    }).map((gives) => tierDoc(gives)),
  ];

  test("has its status and rights", () => {
    for (const { membership, tier, ms } of combinations({ membership: current, tier: tiers, ms: MOMENTS })) {
      const active = membership !== undefined && at(ms) < membership.period_end;
      expect(membershipStatus(membership, at(ms))).toBe(
        membership === undefined ? "none" : active ? "active" : "lapsed",
      );
      const rights = {
        memberTools: active && tier?.member_tools === true,
        plusProducts: active && tier?.plus_products === true,
        discountPercent: active && tier?.discount_percent === 20 ? 20 : 0,
      };
      expect(membershipRights(membership, tier, at(ms))).toEqual(rights);
      const why =
        membership === undefined
          ? "has no membership"
          : active
            ? `The account's ${tier?.name ?? "plus"} membership does not include the member tools.`
            : `ended on ${membership.period_end.toISOString()}`;
      const refusal = refuseMember(membership, tier, at(ms));
      // A renewal gives the tools only if the membership had them.
      const advice =
        membership === undefined
          ? "Join"
          : !active && tier?.member_tools
            ? "Renew the membership"
            : "Upgrade";
      if (rights.memberTools) expect(refusal).toBeUndefined();
      else
        expect(refusal).toMatchObject({
          code: "membership_inactive",
          message: expect.stringContaining(why),
          hint: expect.stringMatching(new RegExp(`^${advice} on the website |^${advice} on the website;`)),
        });
    }
  });

  test("can be renewed with or without a gap, to a known tier and a future end", () => {
    const until = [at(-1), at(0), at(1), at(9), new Date(Number.NaN)];
    for (const row of combinations({ membership: current, tier: ["basic", "plus", "gold"], until })) {
      const renew = () =>
        renewMembership(row.membership, frozen({ tier: row.tier, until: row.until }), TIERS, at(0));
      const paths = [...(row.tier === "gold" ? ["tier"] : []), ...(row.until > at(0) ? [] : ["until"])];
      const goesOn = row.membership !== undefined && row.membership.period_end >= at(0);
      if (paths.length === 0)
        expect(renew()).toEqual({
          tier: row.tier,
          started_at: goesOn ? at(-9) : at(0),
          period_end: row.until,
        });
      else
        expect(renew).toThrow(
          expect.objectContaining({
            code: "invalid_request",
            issues: paths.map((path) => ({
              path,
              message: path === "tier" ? "must be one of basic, plus" : expect.any(String),
            })),
          }),
        );
    }
  });

  test("can be ended while it is active", () => {
    for (const { membership, ms } of combinations({ membership: current, ms: MOMENTS })) {
      const end = () => endMembership(membership, at(ms));
      if (membership === undefined)
        expect(end).toThrow(
          expect.objectContaining({
            code: "not_found",
            message: expect.stringContaining("never had a membership"),
          }),
        );
      else
        expect(end()).toEqual({
          ...membership,
          period_end: at(Math.min(ms, membership.period_end.getTime() - START)),
        });
    }
  });
});
