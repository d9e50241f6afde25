// A table of an account's periods, and the sweep of a due account.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  beginPeriods,
  bringUpToDate,
  nextPeriod,
  owedGrantIds,
} from "../../../../core/identity/credits/period-rules.ts";
import { availableCredits } from "../../../../core/identity/credits/rules.ts";
import { accountDoc, frozen, planDoc } from "../../../fixtures/docs.ts";

const day = (text: string) => new Date(`${text}T09:30:00.000Z`);
const plan = planDoc({ monthly_credits: 50 });
const NONE: ReadonlySet<string> = new Set();

describe("monthly periods", () => {
  test.each([
    ["2026-01-31", ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]],
    ["2027-12-31", ["2028-01-31", "2028-02-29", "2028-03-31"]],
    ["2026-11-15", ["2026-12-15", "2027-01-15"]],
    ["2026-01-29", ["2026-02-28", "2026-03-29"]],
  ])(
    "monthly periods of an account from %s start on the same day, or on the last day of a shorter month",
    (begun, starts) => {
      let at = day(begun);
      for (const start of starts) {
        expect(nextPeriod(day(begun), at)).toEqual(day(start));
        at = day(start);
      }
    },
  );

  test("follow each other without a gap at any time", () => {
    const times = fc.date({ min: new Date("2000-01-01"), max: new Date("2090-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(times, times, (one, other) => {
        const [anchor, at] = one < other ? [one, other] : [other, one];
        const next = nextPeriod(anchor, at);
        expect(next.getTime()).toBeGreaterThan(at.getTime());
        expect(next.getTime() - at.getTime()).toBeLessThanOrEqual(31 * 24 * 60 * 60 * 1000);
        expect(next.getUTCDate()).toBeLessThanOrEqual(anchor.getUTCDate());
        // No period starts in between.
        expect(nextPeriod(anchor, new Date(next.getTime() - 1))).toEqual(next);
      }),
    );
  });
});

const begun = day("2026-01-31");
const bare = accountDoc({ balance: 0, created_at: begun });
const FIRST = { welcome: undefined, isLater: false };
const opened = frozen(beginPeriods({ account: bare, plan }, FIRST));

test("a plan without monthly credits grants none, and the periods continue", () => {
  const { account, entries } = beginPeriods({ account: bare, plan: planDoc() }, FIRST);
  expect(entries).toEqual([]);
  expect(account).toEqual({ ...bare, next_grant_at: day("2026-02-28"), due_at: day("2026-02-28") });
  const later = bringUpToDate({ account, plan: planDoc() }, day("2026-03-01"), NONE);
  expect(later).toMatchObject({ account: { balance: 0, next_grant_at: day("2026-03-31") }, entries: [] });
});

/** The account after the sweep at each of these times, with its entries. */
function sweepAt(times: readonly Date[], change: Partial<typeof bare> = {}) {
  let account = { ...opened.account, ...change };
  const moved = times.flatMap((at) => {
    const swept = frozen(bringUpToDate({ account, plan }, at, NONE));
    account = swept.account;
    return swept.entries.map(({ kind, amount, created_at }) => [
      kind,
      amount,
      created_at.toISOString().slice(0, 10),
    ]);
  });
  return { account, moved };
}

describe("the sweep of monthly credits", () => {
  test("grants each period once, and expires the credits of the one before the last", () => {
    const times = ["2026-02-28", "2026-02-28", "2026-03-31", "2026-04-30"].map(day);
    const { account, moved } = sweepAt(times);
    expect(moved).toEqual([
      ["grant", 50, "2026-02-28"],
      ["expire", -50, "2026-03-31"],
      ["grant", 50, "2026-03-31"],
      ["expire", -50, "2026-04-30"],
      ["grant", 50, "2026-04-30"],
    ]);
    expect(availableCredits(account)).toBe(100);
    expect(account).toMatchObject({ next_grant_at: day("2026-05-31"), due_at: day("2026-05-31") });
  });

  test("the sweep of monthly credits that runs late grants only credits that have not expired, under their periods' ids", () => {
    const late = day("2026-12-24");
    expect(owedGrantIds(opened.account, late)).toEqual([
      "led_1_monthly_2026-10-31",
      "led_1_monthly_2026-11-30",
    ]);
    const { account, moved } = sweepAt([late]);
    expect(moved).toEqual([
      ["expire", -50, "2026-12-24"],
      ["grant", 50, "2026-12-24"],
      ["grant", 50, "2026-12-24"],
    ]);
    // The older grant expires when it would have without the delay.
    expect(account.expiring?.map(({ expires_at }) => expires_at)).toEqual([
      day("2026-12-31"),
      day("2027-01-31"),
    ]);
  });

  test("grants nothing that the ledger already has, whatever the account document says", () => {
    const again = { ...opened.account, next_grant_at: begun };
    const { entries } = bringUpToDate(
      { account: again, plan },
      day("2026-02-01"),
      new Set(owedGrantIds(again, begun)),
    );
    expect(entries).toEqual([]);
  });

  test("grants nothing to a suspended account, then or later, and still expires grants", () => {
    const { account, moved } = sweepAt([day("2026-03-31")], { status: "suspended" });
    expect(moved).toEqual([["expire", -50, "2026-03-31"]]);
    const restored = bringUpToDate(
      { account: { ...account, status: "active" }, plan },
      day("2026-04-30"),
      NONE,
    );
    expect(restored.entries.map(({ _id }) => _id)).toEqual(["led_1_monthly_2026-04-30"]);
  });

  test("skips closed accounts permanently", () => {
    const closed = frozen({ ...opened.account, status: "deleted" as const });
    expect(bringUpToDate({ account: closed, plan }, day("2026-03-31"), NONE)).toEqual({
      account: { ...closed, next_grant_at: null, due_at: null },
      entries: [],
    });
  });

  test("schedules its next run by the earliest expiry", () => {
    const soon = { grant_id: "led_x", left: 5, expires_at: day("2026-03-05") };
    const { account } = sweepAt([day("2026-02-28")], {
      balance: 55,
      expiring: [soon, ...(opened.account.expiring ?? [])],
    });
    expect(account.due_at).toEqual(day("2026-03-05"));
  });
});
