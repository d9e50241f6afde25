// Credits that expire: what each step of a job does to them, in tables, and 10,000 random histories beside a model that is as plain as can be.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ExpiringGrant } from "../../../core/accounts/store.ts";
import { type Portion, REVIVED_MS } from "../../../core/credits/grant-rules.ts";
import {
  availableCredits,
  type EntryIntent,
  expireDue,
  type LedgerHead,
  postEntry,
  toBalance,
  toLedgerEntry,
} from "../../../core/credits/rules.ts";
import { findBrokenEntry, type LedgerEntryResource } from "../../../proto/resources/credits.ts";
import { accountDoc, at, frozen, NOW } from "../../fixtures/docs.ts";

const DAY = 24 * 60 * 60 * 1000;

function intent(kind: EntryIntent["kind"], credits: number, rest: Partial<EntryIntent> = {}): EntryIntent {
  const ofJob = kind === "reserve" || kind === "debit" || kind === "release" || kind === "refund";
  return {
    kind,
    credits,
    of: ofJob ? { jobId: "job_1" } : { entryId: `led_${kind}` },
    source: "api",
    keyId: null,
    memo: null,
    at: NOW,
    ...rest,
  };
}

/** 30 that last, 20 until tomorrow, 10 until the day after. */
const SOON: ExpiringGrant = { grant_id: "led_soon", left: 20, expires_at: at(DAY) };
const LATER: ExpiringGrant = { grant_id: "led_later", left: 10, expires_at: at(2 * DAY) };
const head: LedgerHead = accountDoc({ balance: 60, expiring: [SOON, LATER] });

const post = (before: LedgerHead, one: EntryIntent) => frozen(postEntry(before, one));
const hold = (credits: number) => post(head, intent("reserve", credits));
const leftOf = ({ expiring }: LedgerHead) => (expiring ?? []).map(({ grant_id, left }) => [grant_id, left]);
const shares = (from: readonly Portion[]) => from.map(({ grant_id, amount }) => ({ grant_id, amount }));

describe("spending", () => {
  test.each<[number, [string, number][], [string, number][]]>([
    [
      5,
      [
        ["led_soon", 15],
        ["led_later", 10],
      ],
      [["led_soon", 5]],
    ],
    [20, [["led_later", 10]], [["led_soon", 20]]],
    [
      25,
      [["led_later", 5]],
      [
        ["led_soon", 20],
        ["led_later", 5],
      ],
    ],
    [
      60,
      [],
      [
        ["led_soon", 20],
        ["led_later", 10],
      ],
    ],
  ])("%i takes what expires first, and what lasts at the end", (credits, left, from) => {
    const held = hold(credits);
    expect(leftOf(held.head)).toEqual(left);
    expect(held.from.map(({ grant_id, amount }) => [grant_id, amount])).toEqual(from);
    expect(availableCredits(held.head)).toBe(60 - credits);
    // A hold moves nothing yet, so its entry tells of no grant; the debit does.
    expect(held.entry.grants).toBeUndefined();
    const { head: after, entry } = post(held.head, intent("debit", credits, { from: held.from }));
    expect(entry.grants).toEqual(shares(held.from));
    expect(after.expiring).toEqual(held.head.expiring);
  });

  test("of an account that was never given any that expire leaves no trace of grants", () => {
    const held = post(accountDoc(), intent("reserve", 5));
    expect(held.from).toEqual([]);
    expect(Object.keys(held.head)).not.toContain("expiring");
    const { entry } = post(held.head, intent("debit", 5));
    expect(Object.keys(toLedgerEntry(entry))).not.toContain("grants");
  });
});

describe("what goes back", () => {
  test.each(["release", "refund"] as const)("by a %s goes to the grants that it came from", (kind) => {
    const held = hold(25);
    const before = kind === "release" ? held.head : post(held.head, intent("debit", 25)).head;
    const back = post(before, intent(kind, 25, { from: held.from }));
    expect(back.head.expiring).toEqual(head.expiring);
    expect(back.entry.grants).toEqual(kind === "refund" ? shares(held.from) : undefined);
  });

  test("after its grant has expired lives 30 days more, and what was not held is gone", () => {
    const held = hold(5);
    const late = at(DAY + 1);
    const swept = expireDue(held.head, late);
    expect(swept?.entries.map(({ kind, amount, grants }) => ({ kind, amount, grants }))).toEqual([
      { kind: "expire", amount: -15, grants: [{ grant_id: "led_soon", amount: 15 }] },
    ]);
    const back = post(swept?.head ?? head, intent("release", 5, { from: held.from, at: late }));
    expect(back.head.expiring).toEqual([
      LATER,
      { grant_id: "led_soon", left: 5, expires_at: new Date(late.getTime() + REVIVED_MS) },
    ]);
    // And then it expires a second time, under an id of its own.
    const again = expireDue(back.head, new Date(late.getTime() + REVIVED_MS));
    const ids = [...(swept?.entries ?? []), ...(again?.entries ?? [])].map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(3);
    expect(availableCredits(again?.head ?? head)).toBe(30);
  });

  test("does not revive what was not held and only waits for the sweep", () => {
    const held = hold(5);
    const back = post(held.head, intent("release", 5, { from: held.from, at: at(DAY) }));
    const swept = expireDue(back.head, at(DAY));
    expect(swept?.entries.map(({ amount }) => amount)).toEqual([-15]);
    expect(availableCredits(swept?.head ?? head)).toBe(45);
  });

  test("in two parts after its grant has expired is one grant again", () => {
    const held = hold(5);
    const other = post(held.head, intent("reserve", 3, { of: { jobId: "job_2" } }));
    const swept = expireDue(other.head, at(DAY))?.head ?? head;
    const one = post(swept, intent("release", 5, { from: held.from, at: at(DAY) }));
    const two = post(
      one.head,
      intent("release", 3, { of: { jobId: "job_2" }, from: other.from, at: at(DAY + 7) }),
    );
    expect(two.head.expiring).toEqual([
      LATER,
      { grant_id: "led_soon", left: 8, expires_at: at(DAY + 7 + REVIVED_MS) },
    ]);
  });
});

describe("expiry", () => {
  test("is not a moment early, and takes each grant once", () => {
    expect(expireDue(head, at(DAY - 1))).toBeUndefined();
    const swept = expireDue(head, at(DAY));
    expect(leftOf(swept?.head ?? head)).toEqual([["led_later", 10]]);
    expect(expireDue(swept?.head ?? head, at(DAY))).toBeUndefined();
  });

  test("does not touch what is held", () => {
    const held = hold(45);
    const swept = expireDue(held.head, at(3 * DAY));
    expect(swept).toBeUndefined();
    expect(availableCredits(held.head)).toBe(15);
  });

  test("goes by the ledger's time where the clock has gone back", () => {
    const ahead = { ...head, ledger_at: at(DAY) };
    expect(expireDue(ahead, NOW)?.entries[0]?.created_at).toEqual(at(DAY));
  });

  test("never takes more than there is, should a process that knew of no grants have spent of them", () => {
    const spent = { ...head, balance: 13 };
    const swept = expireDue(spent, at(3 * DAY));
    expect(swept?.entries.map(({ amount }) => amount)).toEqual([-13]);
    expect(swept?.head).toMatchObject({ balance: 0, expiring: [] });
  });
});

test("an adjustment takes what lasts first, then what expires last", () => {
  expect(leftOf(post(head, intent("adjustment", -30)).head)).toEqual([
    ["led_soon", 20],
    ["led_later", 10],
  ]);
  const taken = post(head, intent("adjustment", -45));
  expect(leftOf(taken.head)).toEqual([["led_soon", 15]]);
  expect(taken.entry.grants).toEqual([
    { grant_id: "led_later", amount: 10 },
    { grant_id: "led_soon", amount: 5 },
  ]);
});

test("a balance names its grants in the order of spending", () => {
  const given = post(
    head,
    intent("grant", 7, { of: { entryId: "led_1_monthly_2026-03-01" }, expiresAt: at(DAY / 2) }),
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

test("the hash of an entry says nothing of grants, so that chains and their proofs stay as they are", () => {
  const held = hold(25);
  const { entry } = post(held.head, intent("debit", 25, { from: held.from }));
  const shown = toLedgerEntry(entry);
  expect(shown.grants).toHaveLength(2);
  const { grants: _grants, ...plain } = shown;
  expect(findBrokenEntry([plain], shown.prev_hash)).toBeUndefined();
  expect(findBrokenEntry([shown], shown.prev_hash)).toBeUndefined();
});

/** One credit of the model: where it came from, until when it may lie about, and where it is. */
type Credit = { grant: string | null; until: number; of: string | null; spent: boolean };

/** Each credit by itself, moved one by one: slow, and hard to get wrong. */
class Model {
  credits: Credit[] = [];

  give(grant: string | null, amount: number, until: number): void {
    for (let i = 0; i < amount; i++) this.credits.push({ grant, until, of: null, spent: false });
  }

  /** What is over by now goes. */
  sweep(now: number): void {
    this.credits = this.credits.filter(({ of, until }) => of !== null || until > now);
  }

  free(): Credit[] {
    return this.credits.filter(({ of }) => of === null);
  }

  hold(job: string, amount: number): void {
    const soonest = this.free().sort(
      (a, b) => a.until - b.until || ((a.grant ?? "") < (b.grant ?? "") ? -1 : 1),
    );
    for (const credit of soonest.slice(0, amount)) credit.of = job;
  }

  debit(job: string): void {
    for (const credit of this.credits) if (credit.of === job) credit.spent = true;
  }

  back(job: string, now: number): void {
    const back = this.credits.filter(({ of }) => of === job);
    for (const credit of back) {
      if (credit.until <= now) credit.until = now + REVIVED_MS;
      [credit.of, credit.spent] = [null, false];
    }
    // Credits of one grant live together, as long as the longest of them that came back.
    for (const grant of new Set(back.map((credit) => credit.grant))) {
      const all = this.free().filter((credit) => credit.grant === grant && credit.until > now);
      const until = Math.max(...all.map((credit) => credit.until));
      for (const credit of all) credit.until = until;
    }
  }
}

const MINUTE = 60_000;
/** What happens, and how long after the thing before; the clock of a process may go back, too. */
const happening = fc.record({
  what: fc.constantFrom("grant", "lasting", "hold", "hold", "hold", "debit", "release", "refund", "sweep"),
  credits: fc.integer({ min: 1, max: 12 }),
  which: fc.nat(),
  livesMs: fc.integer({ min: 1, max: 60 * DAY }),
  afterMs: fc.oneof(
    fc.integer({ min: 0, max: 10 * MINUTE }),
    fc.integer({ min: 0, max: 20 * DAY }),
    fc.constant(-5 * MINUTE),
  ),
});

type Job = { id: string; credits: number; from: readonly Portion[]; state: "held" | "spent" };

test("10,000 random histories end as a model of single credits says: sums fit, nothing is spent twice, nothing expires early", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 25 }), (history) => {
      const model = new Model();
      let account: LedgerHead = accountDoc({ balance: 0 });
      const entries: LedgerEntryResource[] = [];
      const ends = new Map<string, number>();
      const jobs: Job[] = [];
      let now = NOW.getTime();
      const move = (one: EntryIntent) => {
        const posted = post(account, one);
        account = posted.head;
        entries.push(toLedgerEntry(posted.entry));
        return posted.from;
      };
      const sweep = () => {
        const swept = expireDue(account, new Date(now));
        account = swept?.head ?? account;
        for (const entry of swept?.entries ?? []) {
          entries.push(toLedgerEntry(entry));
          // Never before the time that the grant was given, nor that a part of it was given when it came back.
          const [share] = entry.grants ?? [];
          expect(entry.created_at.getTime()).toBeGreaterThanOrEqual(
            ends.get(share?.grant_id ?? "") ?? Infinity,
          );
        }
        model.sweep(now);
      };
      for (const [i, { what, credits, which, livesMs, afterMs }] of history.entries()) {
        // The ledger's time never goes back, and expiry goes by that.
        now = Math.max(now + afterMs, account.ledger_at?.getTime() ?? 0);
        const when = { at: new Date(now) };
        const open = jobs.filter(({ state }) => state === (what === "refund" ? "spent" : "held"));
        const job = open[which % Math.max(1, open.length)];
        if (what === "grant") {
          const id = `led_${i}`;
          ends.set(id, now + livesMs);
          move(
            intent("grant", credits, { ...when, of: { entryId: id }, expiresAt: new Date(now + livesMs) }),
          );
          model.give(id, credits, now + livesMs);
        } else if (what === "lasting") {
          move(intent("purchase", credits, { ...when, of: { entryId: `led_${i}` } }));
          model.give(null, credits, Number.POSITIVE_INFINITY);
        } else if (what === "hold") {
          sweep();
          if (availableCredits(account) < credits) continue;
          const id = `job_${i}`;
          jobs.push({
            id,
            credits,
            state: "held",
            from: move(intent("reserve", credits, { ...when, of: { jobId: id } })),
          });
          model.hold(id, credits);
        } else if (what === "sweep") sweep();
        else if (job) {
          move(intent(what, job.credits, { ...when, of: { jobId: job.id }, from: job.from }));
          if (what === "debit") [job.state] = ["spent"];
          else jobs.splice(jobs.indexOf(job), 1);
          if (what === "debit") model.debit(job.id);
          else {
            // What lies about and is over stays as dead as it is.
            model.back(job.id, now);
          }
        }
        const sum = (grants: readonly { left: number }[]) => grants.reduce((all, { left }) => all + left, 0);
        const free = model.free();
        expect(account.balance).toBe(model.credits.filter(({ spent }) => !spent).length);
        expect(account.held).toBe(model.credits.filter(({ of, spent }) => of !== null && !spent).length);
        expect(availableCredits(account)).toBe(free.length);
        expect(sum(account.expiring ?? [])).toBe(free.filter(({ grant }) => grant !== null).length);
        const byGrant = (account.expiring ?? []).map(
          ({ grant_id, left, expires_at }) => `${grant_id} ${left} ${+expires_at}`,
        );
        const modelled = Map.groupBy(
          free.filter(({ grant }) => grant !== null),
          ({ grant, until }) => `${grant} ${until}`,
        );
        expect(byGrant.sort()).toEqual(
          [...modelled].map(([key, all]) => key.replace(" ", ` ${all.length} `)).sort(),
        );
      }
      expect(findBrokenEntry(entries)).toBeUndefined();
      expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(account.balance);
    }),
    { numRuns: 10_000 },
  );
});
