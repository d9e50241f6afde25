// The cost of each key's jobs, computed from the jobs. This file is pure.
import { creditsCharged } from "./rules.ts";
import type { JobCostOfKey } from "./store-reads.ts";

export type SpendingOfKey = {
  keyId: string;
  /** The key's jobs since the month began; `recent…` counts from the other time. */
  monthJobs: number;
  monthCredits: number;
  recentJobs: number;
  recentCredits: number;
};

/** The cost of each key's jobs, since one time and since another: credits charged and not refunded. */
export function spendingByKey(
  jobs: readonly JobCostOfKey[],
  since: { month: Date; recent: Date },
): SpendingOfKey[] {
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
