// Expiring credits: 10,000 random histories compared with a plain model.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Portion, REVIVED_MS } from "../../../../core/identity/credits/grant-rules.ts";
import {
  availableCredits,
  type EntryIntent,
  expireDue,
  postEntry,
  toLedgerEntry,
} from "../../../../core/identity/credits/rules.ts";
import { beginHold, captureHold, type HoldStep, releaseHold } from "../../../../core/identity/holds/rules.ts";
import type { HoldDoc } from "../../../../core/identity/holds/store.ts";
import { AppError } from "../../../../proto/codes.ts";
import { findBrokenEntry, type LedgerEntryResource } from "../../../../proto/resources/credits.ts";
import { accountDoc, entryIntent, frozen, NOW } from "../../../fixtures/docs.ts";

const DAY = 24 * 60 * 60 * 1000;

/** One credit of the model: its grant, its expiry, and where it is. */
type Credit = { grant: string | null; until: number; of: string | null; spent: boolean };

function soonestFirst(a: Credit, b: Credit): number {
  return a.until - b.until || ((a.grant ?? "") < (b.grant ?? "") ? -1 : 1);
}

/** A model that moves each credit alone: slow and simple. */
class Model {
  credits: Credit[] = [];

  give(grant: string | null, amount: number, until: number): void {
    for (let i = 0; i < amount; i++) this.credits.push({ grant, until, of: null, spent: false });
  }

  /** Removes expired credits. */
  sweep(now: number): void {
    this.credits = this.credits.filter(({ of, until }) => of !== null || until > now);
  }

  free(): Credit[] {
    return this.credits.filter(({ of }) => of === null);
  }

  hold(job: string, amount: number): void {
    for (const credit of this.free().sort(soonestFirst).slice(0, amount)) credit.of = job;
  }

  debit(job: string): void {
    for (const credit of this.credits) if (credit.of === job) credit.spent = true;
  }

  /** Spends this many of the taken credits, and returns the others. */
  capture(hold: string, amount: number, now: number): void {
    const held = this.credits.filter(({ of }) => of === hold).sort(soonestFirst);
    for (const credit of held.slice(0, amount)) credit.spent = true;
    this.#giveBack(held.slice(amount), now);
  }

  back(job: string, now: number): void {
    this.#giveBack(
      this.credits.filter(({ of }) => of === job),
      now,
    );
  }

  #giveBack(back: readonly Credit[], now: number): void {
    for (const credit of back) {
      if (credit.until <= now) credit.until = now + REVIVED_MS;
      [credit.of, credit.spent] = [null, false];
    }
    // Returned credits of one grant expire together, at the latest time of them.
    for (const grant of new Set(back.map((credit) => credit.grant))) {
      const all = this.free().filter((credit) => credit.grant === grant && credit.until > now);
      const until = Math.max(...all.map((credit) => credit.until));
      for (const credit of all) credit.until = until;
    }
  }
}

const MINUTE = 60_000;
/** A step and its time after the one before. A process's clock may be set back. */
const happening = fc.record({
  what: fc.constantFrom(
    "grant",
    "lasting",
    "hold",
    "hold",
    "service hold",
    "service hold",
    "capture",
    "debit",
    "release",
    "refund",
    "sweep",
  ),
  credits: fc.integer({ min: 1, max: 12 }),
  which: fc.nat(),
  livesMs: fc.integer({ min: 1, max: 60 * DAY }),
  afterMs: fc.oneof(
    fc.integer({ min: 0, max: 10 * MINUTE }),
    fc.integer({ min: 0, max: 20 * DAY }),
    fc.constant(-5 * MINUTE),
  ),
});

type Job = {
  id: string;
  credits: number;
  from: readonly Portion[];
  state: "held" | "spent";
  /** Another internal service holds the credits. */
  hold?: HoldDoc;
};

function holdOf(_id: string, credits: number, at: Date): Parameters<typeof beginHold>[1] {
  const [service, month] = ["press", "2026-01"];
  const common = { account_id: "acc_1", service, key: _id, key_id: null, memo: "a page", month };
  return { ...common, _id, credits, created_at: at, expires_at: new Date("9999-01-01") };
}

test("[LED-11] 10,000 random histories match a model of single credits: sums agree, nothing is spent twice or expires early", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 25 }), (history) => {
      const model = new Model();
      let account = accountDoc({ balance: 0 });
      const entries: LedgerEntryResource[] = [];
      const ends = new Map<string, number>();
      const jobs: Job[] = [];
      let now = NOW.getTime();
      const move = (one: EntryIntent) => {
        const posted = frozen(postEntry(account, one));
        account = posted.head;
        entries.push(toLedgerEntry(posted.entry));
        return posted.from;
      };
      const step = (done: HoldStep | AppError): HoldDoc => {
        if (done instanceof AppError) throw done;
        account = done.account;
        entries.push(...done.entries.map(toLedgerEntry));
        return done.hold;
      };
      const sweep = () => {
        const swept = expireDue(account, new Date(now));
        account = swept?.head ?? account;
        for (const entry of swept?.entries ?? []) {
          entries.push(toLedgerEntry(entry));
          // An entry is never earlier than its grant or than the return of a part of the grant.
          const [share] = entry.grants ?? [];
          expect(entry.created_at.getTime()).toBeGreaterThanOrEqual(
            ends.get(share?.grant_id ?? "") ?? Infinity,
          );
        }
        model.sweep(now);
      };
      for (const [i, { what, credits, which, livesMs, afterMs }] of history.entries()) {
        // The ledger's time never goes back, and decides about expiry.
        now = Math.max(now + afterMs, account.ledger_at?.getTime() ?? 0);
        const when = { at: new Date(now) };
        const open = jobs.filter(
          ({ state, hold }) =>
            state === (what === "refund" ? "spent" : "held") &&
            (what === "release" || (what === "capture") === (hold !== undefined)),
        );
        const job = open[which % Math.max(1, open.length)];
        if (what === "grant") {
          const id = `led_${i}`;
          ends.set(id, now + livesMs);
          move(
            entryIntent("grant", credits, {
              ...when,
              of: { entryId: id },
              expiresAt: new Date(now + livesMs),
            }),
          );
          model.give(id, credits, now + livesMs);
        } else if (what === "lasting") {
          move(entryIntent("purchase", credits, { ...when, of: { entryId: `led_${i}` } }));
          model.give(null, credits, Number.POSITIVE_INFINITY);
        } else if (what === "hold") {
          sweep();
          if (availableCredits(account) < credits) continue;
          const id = `job_${i}`;
          jobs.push({
            id,
            credits,
            state: "held",
            from: move(entryIntent("reserve", credits, { ...when, of: { jobId: id } })),
          });
          model.hold(id, credits);
        } else if (what === "service hold") {
          sweep();
          if (availableCredits(account) < credits) continue;
          const id = `hold_${i}`;
          const hold = step(beginHold(account, holdOf(id, credits, when.at)));
          jobs.push({ id, credits, state: "held", from: [], hold });
          model.hold(id, credits);
        } else if (what === "sweep") sweep();
        else if (what === "capture") {
          if (!job?.hold) continue;
          const amount = 1 + (livesMs % job.credits);
          step(captureHold(account, job.hold, amount, when.at));
          jobs.splice(jobs.indexOf(job), 1);
          model.capture(job.id, amount, now);
        } else if (job?.hold) {
          step(releaseHold(account, job.hold, when.at));
          jobs.splice(jobs.indexOf(job), 1);
          model.back(job.id, now);
        } else if (job) {
          move(entryIntent(what, job.credits, { ...when, of: { jobId: job.id }, from: job.from }));
          if (what === "debit") [job.state] = ["spent"];
          else jobs.splice(jobs.indexOf(job), 1);
          if (what === "debit") model.debit(job.id);
          else {
            // Expired credits that are not held do not come back.
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
