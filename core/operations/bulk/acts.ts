// What can be done to many things together, and the words for it on the audit trail and to people.
import { type ErrorCode, isErrorCode } from "../../../proto/codes.ts";
import { type JobAct, WHY_LEFT_WORDS, type WhyLeft } from "../../studio/jobs/act-rules.ts";
import { WHY_NOT_DELIVERED, type WhyNotDelivered } from "../../studio/webhooks/dead.ts";

export const JOB_ACTS = ["cancel", "refund", "retry"] as const satisfies readonly JobAct[];
export const DELIVERY_ACTS = ["redeliver", "give_up"] as const;
export type DeliveryAct = (typeof DELIVERY_ACTS)[number];
export type Act = JobAct | DeliveryAct;

export function isDeliveryAct(act: string): act is DeliveryAct {
  return DELIVERY_ACTS.some((one) => one === act);
}

/** The audit trail's method for what is done to each thing. */
export const METHODS: Readonly<Record<Act, string>> = {
  cancel: "CancelAnyJob",
  refund: "RefundJob",
  retry: "RetryJob",
  redeliver: "RedeliverCallback",
  give_up: "GiveUpCallback",
};

/** Why a thing was left alone: a reason of ours, or the code with which a new job was refused. */
export type Why = WhyLeft | WhyNotDelivered | ErrorCode;

/** In words that follow "1 job" or "1 delivery". */
export function whyWords(act: Act, why: string): string {
  if (isDeliveryAct(act)) return WHY_NOT_DELIVERED[why as WhyNotDelivered];
  if (why in WHY_LEFT_WORDS) return WHY_LEFT_WORDS[why as WhyLeft];
  return isErrorCode(why) ? `that was not accepted again (${why})` : why;
}

/** How many were left alone for the same reason. */
export type LeftCount = { readonly why: string; readonly count: number };

/** Groups the same reasons, the most frequent first. */
export function countLeft(counts: readonly LeftCount[]): LeftCount[] {
  const sums = new Map<string, number>();
  for (const { why, count } of counts) sums.set(why, (sums.get(why) ?? 0) + count);
  return [...sums]
    .map(([why, count]) => ({ why, count }))
    .sort((a, b) => b.count - a.count || (a.why < b.why ? -1 : 1));
}
