// Which bulk actions apply to a job, and why one is skipped. This file is pure.
import type { AccountDoc } from "../../identity/accounts/store.ts";
import { isCancellable, type Stopping } from "./cancel-rules.ts";
import type { JobDoc } from "./store.ts";

export type JobAct = "cancel" | "refund" | "retry";

/** Why a job is left unchanged. */
export type WhyLeft =
  | "gone"
  | "account_deleted"
  | "waits"
  | "runs"
  | "goes_on"
  | "cancelling"
  | "cannot_stop"
  | "ended"
  | "refunded_automatically"
  | "refunded"
  | "refunded_in_part"
  | "free"
  | "made"
  | "retried";

/** The parts of a job that decide. */
export type ActedOnJob = Pick<
  JobDoc,
  "state" | "credits" | "lease" | "call" | "cancel_requested_at" | "refunded_at" | "charged"
>;

/** Undefined: the act applies. `account` is the status of the job's account, `provider` the one that has the job or would get it. */
export function whyLeft(
  act: JobAct,
  job: ActedOnJob,
  { account, provider }: { account: AccountDoc["status"]; provider: Stopping },
): WhyLeft | undefined {
  switch (act) {
    case "cancel":
      return whyNotCancelled(job, provider);
    case "refund":
      return account === "deleted" ? "account_deleted" : whyNotRefunded(job);
    case "retry":
      return account === "deleted" ? "account_deleted" : whyNotRetried(job);
  }
}

function whyNotCancelled(job: ActedOnJob, provider: Stopping): WhyLeft | undefined {
  if (job.state !== "reserved" && job.state !== "running") return "ended";
  if (job.cancel_requested_at) return "cancelling";
  return isCancellable(job, provider) ? undefined : "cannot_stop";
}

/** Failed and cancelled jobs are refunded; jobs in progress may still be refunded automatically. */
function whyNotRefunded({ state, credits, refunded_at, charged }: ActedOnJob): WhyLeft | undefined {
  switch (state) {
    case "reserved":
      return "waits";
    case "running":
      return "runs";
    case "failed":
    case "cancelled":
      return "refunded_automatically";
    case "completed":
      if (refunded_at) return "refunded";
      if (charged !== undefined) return "refunded_in_part";
      return credits === 0 ? "free" : undefined;
  }
}

function whyNotRetried({ state }: ActedOnJob): WhyLeft | undefined {
  if (state === "completed") return "made";
  return state === "failed" || state === "cancelled" ? undefined : "goes_on";
}

/** Text that follows "1 job". */
export const WHY_LEFT_WORDS: Readonly<Record<WhyLeft, string>> = {
  gone: "that is not here, or not any more",
  account_deleted: "of an account that was deleted",
  waits: "that still waits: cancel it, and its credits are released",
  runs: "that still runs: its credits come back if it fails, or if it is cancelled in time",
  goes_on: "that has not ended",
  cancelling: "that is being cancelled already",
  cannot_stop: "that runs at a provider which cannot stop",
  ended: "that has ended",
  refunded_automatically: "that made nothing, so that its credits were refunded automatically",
  refunded: "that was refunded already",
  refunded_in_part: "that was refunded in part as it completed, and a job has one refund",
  free: "that cost nothing",
  made: "that made what was asked: it can be refunded, and not retried",
  retried: "that was retried already",
};
