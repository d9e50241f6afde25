// Tables of what each step of a job does to expiring credits.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ExpiringGrant } from "../../../../core/identity/accounts/store.ts";
import { type Portion, REVIVED_MS } from "../../../../core/identity/credits/grant-rules.ts";
import {
  beginPeriods,
  bringUpToDate,
  nextPeriod,
  owedGrantIds,
} from "../../../../core/identity/credits/period-rules.ts";
import {
  availableCredits,
  type EntryIntent,
  expireDue,
  type LedgerHead,
  postEntry,
  toBalance,
  toLedgerEntry,
} from "../../../../core/identity/credits/rules.ts";
import { findBrokenEntry } from "../../../../proto/resources/credits.ts";
import { accountDoc, at, entryIntent, frozen, NOW, planDoc } from "../../../fixtures/docs.ts";

const DAY = 24 * 60 * 60 * 1000;

/** 30 that do not expire, 20 until tomorrow, 10 until the day after. */
const SOON: ExpiringGrant = { grant_id: "led_soon", left: 20, expires_at: at(DAY) };
const LATER: ExpiringGrant = { grant_id: "led_later", left: 10, expires_at: at(2 * DAY) };
const head: LedgerHead = accountDoc({ balance: 60, expiring: [SOON, LATER] });

const post = (before: LedgerHead, one: EntryIntent) => frozen(postEntry(before, one));
const hold = (credits: number) => post(head, entryIntent("reserve", credits));
const leftOf = ({ expiring }: LedgerHead) => (expiring ?? []).map(({ grant_id, left }) => [grant_id, left]);
const shares = (from: readonly Portion[]) => from.map(({ grant_id, amount }) => ({ grant_id, amount }));

describe("spending credits", () => {
  test.each([
    [5, "led_soon 15, led_later 10", "led_soon 5"],
    [20, "led_later 10", "led_soon 20"],
    [25, "led_later 5", "led_soon 20, led_later 5"],
    [60, "", "led_soon 20, led_later 10"],
  ])("%i takes grants by expiry, and credits that do not expire last", (credits, left, from) => {
    const held = hold(credits);
    expect(
      leftOf(held.head)
        .map((one) => one.join(" "))
        .join(", "),
    ).toBe(left);
    expect(held.from.map(({ grant_id, amount }) => `${grant_id} ${amount}`).join(", ")).toBe(from);
    expect(availableCredits(held.head)).toBe(60 - credits);
    // A hold moves no credits, so its entry names no grant; the debit does.
    expect(held.entry.grants).toBeUndefined();
    const { head: after, entry } = post(held.head, entryIntent("debit", credits, { from: held.from }));
    expect(entry.grants).toEqual(shares(held.from));
    expect(after.expiring).toEqual(held.head.expiring);
  });

  test("of an account without expiring grants stores no grants", () => {
    const held = post(accountDoc(), entryIntent("reserve", 5));
    expect(held.from).toEqual([]);
    expect(Object.keys(held.head)).not.toContain("expiring");
    const { entry } = post(held.head, entryIntent("debit", 5));
    expect(Object.keys(toLedgerEntry(entry))).not.toContain("grants");
  });
});

describe("returned credits", () => {
  test.each(["release", "refund"] as const)(
    "returned credits of a %s go to the grants that they came from",
    (kind) => {
      const held = hold(25);
      const before = kind === "release" ? held.head : post(held.head, entryIntent("debit", 25)).head;
      const back = post(before, entryIntent(kind, 25, { from: held.from }));
      expect(back.head.expiring).toEqual(head.expiring);
      expect(back.entry.grants).toEqual(kind === "refund" ? shares(held.from) : undefined);
    },
  );

  test("returned credits of an expired grant last 30 days more, and its unheld credits are gone", () => {
    const held = hold(5);
    const late = at(DAY + 1);
    const swept = expireDue(held.head, late);
    expect(swept?.entries.map(({ kind, amount, grants }) => ({ kind, amount, grants }))).toEqual([
      { kind: "expire", amount: -15, grants: [{ grant_id: "led_soon", amount: 15 }] },
    ]);
    const back = post(swept?.head ?? head, entryIntent("release", 5, { from: held.from, at: late }));
    expect(back.head.expiring).toEqual([
      LATER,
      { grant_id: "led_soon", left: 5, expires_at: new Date(late.getTime() + REVIVED_MS) },
    ]);
    // The rest expires a second time, under an id of its own.
    const again = expireDue(back.head, new Date(late.getTime() + REVIVED_MS));
    const ids = [...(swept?.entries ?? []), ...(again?.entries ?? [])].map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(3);
    expect(availableCredits(again?.head ?? head)).toBe(30);
  });
});

describe("expiry of a grant", () => {
  test("is never early, and takes each grant once", () => {
    expect(expireDue(head, at(DAY - 1))).toBeUndefined();
    const swept = expireDue(head, at(DAY));
    expect(leftOf(swept?.head ?? head)).toEqual([["led_later", 10]]);
    expect(expireDue(swept?.head ?? head, at(DAY))).toBeUndefined();
  });

  test("uses the ledger's time when the clock was set back", () => {
    const ahead = { ...head, ledger_at: at(DAY) };
    expect(expireDue(ahead, NOW)?.entries[0]?.created_at).toEqual(at(DAY));
  });

  test("never takes more than the balance, even if a process without grants has spent some", () => {
    const spent = { ...head, balance: 13 };
    const swept = expireDue(spent, at(3 * DAY));
    expect(swept?.entries.map(({ amount }) => amount)).toEqual([-13]);
    expect(swept?.head).toMatchObject({ balance: 0, expiring: [] });
  });
});

test("an adjustment takes credits that do not expire first, then those that expire last", () => {
  expect(leftOf(post(head, entryIntent("adjustment", -30)).head)).toEqual([
    ["led_soon", 20],
    ["led_later", 10],
  ]);
  const taken = post(head, entryIntent("adjustment", -45));
  expect(leftOf(taken.head)).toEqual([["led_soon", 15]]);
  expect(taken.entry.grants).toEqual([
    { grant_id: "led_later", amount: 10 },
    { grant_id: "led_soon", amount: 5 },
  ]);
});

test("a balance lists its grants in the order of spending", () => {
  const given = post(
    head,
    entryIntent("grant", 7, { of: { entryId: "led_1_monthly_2026-03-01" }, expiresAt: at(DAY / 2) }),
  );
  expect(given.entry.expires_at).toEqual(at(DAY / 2));
  expect(toBalance(given.head)).toMatchObject({
    available: 67,
    grants: [
      { grant_id: "led_1_monthly_2026-03-01", kind: "monthly", left: 7 },
      { grant_id: "led_soon", kind: "other", left: 20, expires_at: at(DAY).toISOString() },
      { grant_id: "led_later", left: 10 },
    ],
  });
});

test.each([
  [undefined, false],
  [2, true],
] as const)("the hash of an entry of version %s covers its grants: %s", (version, covers) => {
  const held = hold(25);
  const head = { ...held.head, ...(version && { ledger_version: version }) };
  const shown = toLedgerEntry(post(head, entryIntent("debit", 25, { from: held.from })).entry);
  expect(shown.grants).toHaveLength(2);
  expect(findBrokenEntry([shown], shown.prev_hash)).toBeUndefined();
  const { grants: _grants, ...plain } = shown;
  expect(findBrokenEntry([plain], shown.prev_hash) !== undefined).toBe(covers);
});

// A table of an account's periods, and the sweep of a due account.
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
