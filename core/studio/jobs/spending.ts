// An account's spending of the last days, as information for its owner. Only the ledger is binding.
import { invalidField } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { QUEUE_DEADLINE_MS, type Spending, creditsCharged, spendingByDay, utcDay } from "./rules.ts";
import { type JobCostOfKey, listCosts } from "./store-reads.ts";

const MAX_DAYS = 90;
/** The number of newest jobs that are read; an overview needs no more. */
const MAX_JOBS = 10_000;
const RECENT_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

export type SpendingQuery = {
  accountId: string;
  /** Days to look back, including today (UTC). */
  days: number;
  /** How many jobs were read. */
  atMost?: number;
};

/** Errors: invalid_request. */
export async function sumSpending(
  app: App,
  { accountId, days, atMost = MAX_JOBS }: SpendingQuery,
): Promise<{ spending: Spending[]; since: string; complete: boolean }> {
  if (days < 1 || days > MAX_DAYS) throw invalidField("days", `must be from 1 to ${MAX_DAYS}`);
  const since = utcDay(new Date(app.clock.now().getTime() - (days - 1) * DAY_MS));
  const from = new Date(since);
  const costs = await listCosts(app.mongo.db, accountId, atMost);
  const oldest = costs.at(-1);
  return {
    spending: spendingByDay(costs, from),
    since,
    // The excluded jobs were created before the oldest one that was read, and waited for less than the deadline before they started.
    complete:
      costs.length < atMost ||
      (oldest !== undefined && oldest.created_at.getTime() + QUEUE_DEADLINE_MS < from.getTime()),
  };
}

/** The cost of each key's jobs in this calendar month (UTC) and in the last 30 days: one query, of the newest jobs. */
export async function sumSpendingByKey(
  app: App,
  accountId: string,
  atMost = MAX_JOBS,
): Promise<{ spending: SpendingOfKey[]; complete: boolean }> {
  const now = app.clock.now();
  const since = {
    month: new Date(`${now.toISOString().slice(0, 7)}-01T00:00:00Z`),
    recent: new Date(now.getTime() - RECENT_DAYS * DAY_MS),
  };
  const costs = await listCosts(app.mongo.db, accountId, atMost);
  const oldest = costs.at(-1);
  const reached = oldest !== undefined && oldest.created_at < since.month && oldest.created_at < since.recent;
  return { spending: spendingByKey(costs, since), complete: costs.length < atMost || reached };
}

type SpendingOfKey = {
  keyId: string;
  /** The key's jobs since the month began; `recent…` counts from the other time. */
  monthJobs: number;
  monthCredits: number;
  recentJobs: number;
  recentCredits: number;
};

/** The cost of each key's jobs, since one time and since another: credits charged and not refunded. */
function spendingByKey(jobs: readonly JobCostOfKey[], since: { month: Date; recent: Date }): SpendingOfKey[] {
  const none = { monthJobs: 0, monthCredits: 0, recentJobs: 0, recentCredits: 0 };
  const sums = new Map<string, SpendingOfKey>();
  for (const { key_id: keyId, created_at: at, ...job } of jobs) {
    if (keyId === null || (at < since.month && at < since.recent)) continue;
    const sum = sums.get(keyId) ?? { keyId, ...none };
    sums.set(keyId, sum);
    const credits = creditsCharged(job);
    if (at >= since.month) {
      sum.monthJobs += 1;
      sum.monthCredits += credits;
    }
    if (at >= since.recent) {
      sum.recentJobs += 1;
      sum.recentCredits += credits;
    }
  }
  return [...sums.values()];
}
