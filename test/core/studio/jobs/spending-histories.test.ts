// 10,000 random histories of one key: jobs with priced params that are delivered whole, in part or not at all, refunds, holds of other
// services, and caps, compared with a list of what was bought.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CAP_PERIODS,
  capStates,
  countedAt,
  limitOfKey,
  refuseCaps,
  spendAt,
  toStored,
} from "../../../../core/identity/accounts/cap-rules.ts";
import type { AccountDoc, KeyDoc } from "../../../../core/identity/accounts/store.ts";
import { availableCredits } from "../../../../core/identity/credits/rules.ts";
import type { LedgerDoc } from "../../../../core/identity/credits/store.ts";
import { beginHold, captureHold, releaseHold } from "../../../../core/identity/holds/rules.ts";
import type { HoldDoc } from "../../../../core/identity/holds/store.ts";
import { KeysRecount } from "../../../../core/operations/audit/rules.ts";
import { outputsAsked } from "../../../../core/studio/jobs/delivery-rules.ts";
import {
  acceptJob,
  changedJob,
  claimJob,
  completeInPart,
  completeJob,
  costsLess,
  creditsCharged,
  refundJob,
  releaseJob,
  returnJob,
} from "../../../../core/studio/jobs/rules.ts";
import type { JobChange } from "../../../../core/studio/jobs/store-changes.ts";
import type { JobDoc } from "../../../../core/studio/jobs/store.ts";
import { priceOf } from "../../../../core/studio/models/pricing-rules.ts";
import { AppError } from "../../../../proto/codes.ts";
import { holdOfEntry } from "../../../../proto/resources/credits.ts";
import { accountDoc, jobDoc, keyDoc, NOW, planDoc } from "../../../fixtures/docs.ts";

const HOUR_MS = 60 * 60 * 1000;
const BALANCE = 400;
/** First match: a large good picture costs 9, another large one 5. */
const PRICING = {
  version: 1,
  unit: "image",
  default: 2,
  rules: [
    { when: { size: "large", quality: "good" }, credits: 9 },
    { when: { size: "large" }, credits: 5 },
    { when: { quality: "good" }, credits: 3 },
  ],
} as const;
const naivePrice = (size: string, quality: string) =>
  size === "large" ? (quality === "good" ? 9 : 5) : quality === "good" ? 3 : 2;

const happening = fc.record({
  what: fc.constantFrom(
    "job",
    "job",
    "job",
    "claim",
    "claim",
    "end",
    "end",
    "cancel",
    "refund",
    "hold",
    "settle",
  ),
  size: fc.constantFrom("small", "large"),
  quality: fc.constantFrom("usual", "good"),
  count: fc.integer({ min: 1, max: 4 }),
  /** A provider may deliver more than it was asked for. */
  got: fc.integer({ min: 0, max: 5 }),
  which: fc.nat(),
  afterMs: fc.integer({ min: 0, max: 30 * HOUR_MS }),
});
const cap = fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined });
const caps = fc.record({ day: cap, week: cap, month: cap, total: cap });

/** One purchase of the model: what is held or charged for it now. */
type Bought = { at: Date; held: number; charged: number };

const isSamePeriod: Readonly<Record<(typeof CAP_PERIODS)[number], (a: Date, b: Date) => boolean>> = {
  day: (a, b) => a.toISOString().slice(0, 10) === b.toISOString().slice(0, 10),
  // Days since a Monday, in whole weeks.
  week: (a, b) => weekOf(a) === weekOf(b),
  month: (a, b) => a.getUTCMonth() === b.getUTCMonth() && a.getUTCFullYear() === b.getUTCFullYear(),
  total: () => true,
};
const weekOf = (at: Date) => Math.floor((at.getTime() / (24 * HOUR_MS) - 4) / 7);

test("[LED-16] 10,000 random histories of prices, partial deliveries, refunds, holds and caps match a list of what was bought", () => {
  fc.assert(
    fc.property(caps, fc.array(happening, { maxLength: 30 }), (most, history) => {
      let account: AccountDoc = accountDoc({ balance: BALANCE });
      const plan = planDoc();
      const { month: max_credits, ...others } = most;
      let key: KeyDoc = keyDoc({
        ...(max_credits !== undefined && { max_credits }),
        caps: Object.fromEntries(Object.entries(others).filter(([, limit]) => limit !== undefined)),
      });
      const entries: LedgerDoc[] = [];
      const bought = new Map<string, Bought>();
      const jobs = new Map<string, JobDoc>();
      const holds = new Map<string, HoldDoc>();
      let now = NOW.getTime();

      const pick = <T>(all: readonly T[], which: number): T | undefined =>
        all[which % Math.max(1, all.length)];
      const lease = ({ epoch, events }: JobDoc) => ({
        worker: "w",
        epoch,
        lastEventAt: events.at(-1)?.at ?? NOW,
      });
      /** What the key's document gets: as the store does it. */
      const back = (counted: Partial<ReturnType<typeof countedAt>> | undefined, credits: number) => {
        const { spent, spent_in } = key;
        if (!counted || !spent || !spent_in) return;
        const less = (one: { name: string; credits: number }, name: string | undefined) =>
          one.name === name ? { ...one, credits: one.credits - credits } : one;
        key = {
          ...key,
          spent: spent.month === counted.month ? { ...spent, credits: spent.credits - credits } : spent,
          spent_in: {
            day: less(spent_in.day, counted.day),
            week: less(spent_in.week, counted.week),
            total: spent_in.total - credits,
          },
        };
      };
      const move = (step: { account: AccountDoc; entry?: LedgerDoc; change?: JobChange }) => {
        account = step.account;
        if (step.entry) entries.push(step.entry);
        const job = step.change && jobs.get(step.change.job._id);
        if (step.change && job) jobs.set(job._id, changedJob(job, step.change));
      };
      /** Whether the key and the balance admit it, by the rules and by the model. */
      const admits = (credits: number): boolean => {
        const at = new Date(now);
        const limit = limitOfKey(key);
        const isRefused = refuseCaps(credits, limit ? capStates(at, limit) : [], "It costs") !== undefined;
        const fits = CAP_PERIODS.every((period) => {
          const same = [...bought.values()].filter((one) => isSamePeriod[period](one.at, at));
          return (
            same.reduce((sum, { held, charged }) => sum + held + charged, credits) <=
            (most[period] ?? Infinity)
          );
        });
        expect(isRefused).toBe(!fits);
        return fits && availableCredits(account) >= credits;
      };
      const buy = (id: string, credits: number) => {
        const limit = limitOfKey(key);
        if (limit) key = { ...key, ...toStored(spendAt(new Date(now), limit.spent, credits)) };
        bought.set(id, { at: new Date(now), held: credits, charged: 0 });
        return limit ? { counted_on: countedAt(key._id, new Date(now)) } : {};
      };

      for (const [i, { what, size, quality, count, got, which, afterMs }] of history.entries()) {
        now += afterMs;
        const at = new Date(now);
        const inState = (state: JobDoc["state"]) =>
          pick(
            [...jobs.values()].filter(
              (job) => job.state === state && !job.refunded_at && job.charged === undefined,
            ),
            which,
          );
        if (what === "job") {
          const params = { size, quality, count };
          const { credits } = priceOf(
            { per: "image", credits: 2, pricing: { ...PRICING, rules: [...PRICING.rules] } },
            { params, characters: 9 },
          );
          expect(credits).toBe(naivePrice(size, quality) * count);
          if (!admits(credits)) continue;
          const id = `job_${i}`;
          const made = jobDoc("reserved", {
            _id: id,
            credits,
            params,
            created_at: at,
            events: [],
            ...buy(id, credits),
          });
          const step = acceptJob({ account, plan }, made, at);
          jobs.set(id, step.job);
          move(step);
        } else if (what === "claim") {
          const job = inState("reserved");
          if (!job) continue;
          move(claimJob({ account, plan }, job, { worker: "w", until: at }, at));
          bought.set(job._id, { at: job.created_at, held: 0, charged: job.credits });
        } else if (what === "end") {
          const job = inState("running");
          if (!job) continue;
          const asked = outputsAsked(job);
          const result = {
            outputs: [],
            ...(got !== asked && { delivered: { unit: "output" as const, asked, got } }),
          };
          const kept = Math.min(job.credits, Math.floor((job.credits * got) / asked));
          const failed = { state: "failed", error: { code: "provider_failed", message: "No." } } as const;
          if (got === 0) move(refundJob({ account, plan }, job, lease(job), failed, at));
          else if (costsLess(job, result))
            move(completeInPart({ account, plan }, job, lease(job), result, at));
          else move({ account, change: completeJob(job, lease(job), result, at) });
          bought.set(job._id, { at: job.created_at, held: 0, charged: kept });
          back(job.counted_on, job.credits - kept);
          expect(creditsCharged(jobs.get(job._id) ?? job)).toBe(kept);
        } else if (what === "cancel" || what === "refund") {
          const job = inState(what === "cancel" ? "reserved" : "completed");
          if (!job) continue;
          move(
            what === "cancel"
              ? releaseJob({ account, plan }, job, { state: "cancelled" }, at)
              : returnJob({ account, plan }, job, at),
          );
          bought.set(job._id, { at: job.created_at, held: 0, charged: 0 });
          back(job.counted_on, job.credits);
        } else if (what === "hold") {
          const credits = count * 3;
          if (!admits(credits)) continue;
          const id = `hold_${i}`;
          const common = {
            account_id: "acc_1",
            service: "press",
            key: id,
            key_id: null,
            memo: "a page",
            month: "2026-03",
          };
          const expires_at = new Date("9999-01-01");
          const step = beginHold(account, {
            ...common,
            _id: id,
            credits,
            created_at: at,
            expires_at,
            ...buy(id, credits),
          });
          holds.set(id, step.hold);
          account = step.account;
          entries.push(...step.entries);
        } else {
          const hold = pick(
            [...holds.values()].filter(({ state }) => state === "held"),
            which,
          );
          if (!hold) continue;
          const over = captureHold(account, hold, hold.credits + 1, at);
          expect(over).toBeInstanceOf(AppError);
          const step =
            got === 0
              ? releaseHold(account, hold, at)
              : captureHold(account, hold, Math.min(got, hold.credits), at);
          if (step instanceof AppError) throw step;
          holds.set(hold._id, step.hold);
          account = step.account;
          entries.push(...step.entries);
          bought.set(hold._id, {
            at: hold.created_at,
            held: 0,
            charged: got === 0 ? 0 : Math.min(got, hold.credits),
          });
          back(hold.counted_on, step.back);
        }
        const sums = [...bought.values()].reduce(
          (sum, { held, charged }) => ({ held: sum.held + held, charged: sum.charged + charged }),
          { held: 0, charged: 0 },
        );
        expect([account.balance, account.held]).toEqual([BALANCE - sums.charged, sums.held]);
      }

      // No more was captured than held, nothing was returned twice, and the whole book sums to zero.
      const moved = entries.reduce((sum, { amount }) => sum + amount, 0);
      expect(BALANCE + moved - account.balance).toBe(0);
      expect(new Set(entries.map(({ _id }) => _id)).size).toBe(entries.length);
      const recount = new KeysRecount([key]);
      const ofJob = Map.groupBy(entries, ({ _id, job_id }) => job_id ?? holdOfEntry(_id) ?? "");
      for (const { _id, counted_on } of [...jobs.values(), ...holds.values()])
        recount.add(counted_on, ofJob.get(_id) ?? []);
      expect(recount.check()).toEqual([]);
    }),
    { numRuns: 10_000 },
  );
});
