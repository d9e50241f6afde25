// Ids of ledger entries. Each is derived from the entry's meaning, so that the primary key refuses a second one.
import { holdOfEntry } from "../../../proto/resources/credits.ts";
import { withoutPrefix } from "../../../runtime/clock.ts";

/** Which of a job's three settlements an entry is. Release and refund are the same one: credits return once. */
export const SETTLEMENTS = ["reserve", "debit", "return"] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** The id of a job's entry is made of the job and the settlement, so that the primary key itself refuses a second one. */
export function settlementEntryId(jobId: string, settlement: Settlement): string {
  return `led_${withoutPrefix(jobId)}_${settlement}`;
}

/** The same for a service hold. The proto's resources know the form, see holdOfEntry. */
export function holdEntryId(holdId: string, settlement: Settlement): string {
  return `led_${withoutPrefix(holdId)}_hold_${settlement}`;
}

/** The job of an entry's id; undefined where it has none. */
export function jobOfEntry(entryId: string): string | undefined {
  const [, job] = new RegExp(`^led_([^_]+)_(?:${SETTLEMENTS.join("|")})$`).exec(entryId) ?? [];
  return job && `job_${job}`;
}

/** The job or hold with several entries; undefined for a separate entry. */
export function subjectOf({
  _id,
  job_id,
}: {
  readonly _id: string;
  readonly job_id: string | null;
}): string | undefined {
  return job_id ?? holdOfEntry(_id);
}

/** The id of an account's monthly credits consists of the account and the first day of the period (UTC). */
export function monthlyGrantId(accountId: string, begins: Date): string {
  return `led_${withoutPrefix(accountId)}_monthly_${begins.toISOString().slice(0, 10)}`;
}

/**
 * The id of the credits added when an account joins a plan within the period. `number` counts from 1: a plan that was refunded and is paid
 * for again adds credits again.
 */
export function topUpGrantId(accountId: string, begins: Date, plan: string, number = 1): string {
  return `${monthlyGrantId(accountId, begins)}_${plan}${number === 1 ? "" : `.${number}`}`;
}

/** The id of the entry with which a refunded order takes back from a grant. */
export function takenBackEntryId(grantId: string, orderId: string): string {
  return `${grantId}_back_${withoutPrefix(orderId)}`;
}

/** Whether a grant is one that a plan includes. */
export function isMonthly(grantId: string): boolean {
  return /^led_[^_]+_monthly_[0-9-]{10}(_.+)?$/.test(grantId);
}
