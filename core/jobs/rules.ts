// The life of a job: which state follows which, what each step does to the credits, and which events it leaves. Pure.
import { AppError } from "../../proto/codes.ts";
import type { LoadedAccount } from "../accounts/load.ts";
import { mayClaim } from "../accounts/rules.ts";
import { availableCredits, type EntryIntent, postEntry } from "../credits/rules.ts";
import { type Settlement, settlementEntryId } from "../credits/entry-id.ts";
import type { LedgerDoc } from "../credits/store.ts";
import type { OutputDoc } from "../outputs/store.ts";
import type { EventDoc, JobChange, JobDoc, JobErrorDoc, JobState } from "./store.ts";

/** reserved → running → completed | failed; reserved → cancelled | failed. */
const NEXT_STATES: Record<JobState, readonly JobState[]> = {
  reserved: ["running", "cancelled", "failed"],
  running: ["completed", "failed"],
  completed: [],
  failed: [],
  cancelled: [],
};

/** Waiting jobs an account may have for each of its concurrency slots. */
export const WAITING_PER_SLOT = 50;
export const QUEUE_DEADLINE_MS = 24 * 60 * 60 * 1000;
/** A job that took this many workers down with it is not tried again. */
export const MAX_RESCUES = 3;

export function isEnded(state: JobState): boolean {
  return NEXT_STATES[state].length === 0;
}

function assertNext(job: JobDoc, next: JobState): void {
  if (!NEXT_STATES[job.state].includes(next))
    throw new Error(`job ${job._id} cannot go from ${job.state} to ${next}`);
}

/** Which settlement an event of this type tells of. */
const SETTLEMENT_OF: Partial<Record<EventDoc["type"], Settlement>> = {
  reserved: "reserve",
  debited: "debit",
  released: "return",
  refunded: "return",
};

export type JobEvent = Required<EventDoc> & { seq: number; ledger_entry_id?: string };

/** The job's history as its owner is told: numbered, and money events with their ledger entry. */
export function describeEvents(job: JobDoc): JobEvent[] {
  return job.events.map(({ type, state, at, detail }, i) => {
    const settlement = SETTLEMENT_OF[type];
    return {
      seq: i + 1,
      type,
      state,
      at,
      ...(settlement && { ledger_entry_id: settlementEntryId(job._id, settlement) }),
      detail: detail ?? (settlement ? { credits: job.credits } : {}),
    };
  });
}

/** Whether this account may add one more job of this price now. */
export function refuseAccept({ account, plan }: LoadedAccount, credits: number): AppError | undefined {
  const maxWaiting = WAITING_PER_SLOT * plan.concurrency;
  if (account.waiting >= maxWaiting) {
    return new AppError("queue_full", {
      message: `This account has ${account.waiting} jobs waiting; its plan allows ${maxWaiting}.`,
      retryAfterSeconds: 5,
    });
  }
  const available = availableCredits(account);
  if (available < credits) {
    return new AppError("insufficient_credits", {
      message: `This generation costs ${credits} credits and the account has ${available} available.`,
      numbers: { credits_required: credits, credits_available: available },
    });
  }
  return undefined;
}

function jobIntent(job: JobDoc, kind: EntryIntent["kind"], at: Date): EntryIntent {
  return {
    kind,
    credits: job.credits,
    of: { jobId: job._id },
    source: job.source,
    keyId: job.key_id,
    memo: null,
    at,
  };
}

/** Holds the price and puts the job into the account's queue: the job's first event is added to it. */
export function acceptJob({ account }: LoadedAccount, job: JobDoc, at: Date): LedgerDoc {
  const entry = postEntry(account, jobIntent(job, "reserve", at));
  // With others waiting it is claimable already, or waits for a slot.
  if (account.waiting === 0) account.claimable = mayClaim({ ...account, waiting: 1 });
  account.waiting += 1;
  job.events = [{ type: "reserved", state: "reserved", at }];
  job.version = job.events.length;
  return entry;
}

export type Step = {
  change: JobChange;
  /** Set when credits moved. */
  entry?: LedgerDoc;
  /** A slot came free for which other jobs of the account wait. */
  freed?: boolean;
};

/** Takes a waiting job for a worker: debit, slot, lease. */
export function claimJob(
  { account }: LoadedAccount,
  job: JobDoc,
  lease: { worker: string; until: Date },
  at: Date,
): Step {
  assertNext(job, "running");
  const entry = postEntry(account, jobIntent(job, "debit", at));
  account.waiting -= 1;
  account.claimable = mayClaim(account);
  account.turn = at.getTime();
  const events: EventDoc[] = [
    { type: "debited", state: "running", at },
    { type: "running", state: "running", at },
  ];
  return {
    change: { job, set: { state: "running", started_at: at, epoch: job.epoch + 1, lease }, events },
    entry,
  };
}

export type Outcome =
  | { readonly kind: "completed"; readonly outputs: readonly OutputDoc[] }
  | { readonly kind: "failed"; readonly error: JobErrorDoc };

/** Ends a running job: its slot comes free, and a failure gives everything back. */
export function settleJob({ account }: LoadedAccount, job: JobDoc, outcome: Outcome, at: Date): Step {
  assertNext(job, outcome.kind);
  const ended = { ended_at: at, lease: null };
  const freed = mayClaim(account);
  account.claimable ||= freed;
  if (outcome.kind === "completed") {
    const detail = { outputs: outcome.outputs.map(({ output_id }) => output_id) };
    const events: EventDoc[] = [{ type: "completed", state: "completed", at, detail }];
    return {
      change: { job, set: { ...ended, state: "completed", outputs: [...outcome.outputs] }, events },
      freed,
    };
  }
  const entry = postEntry(account, jobIntent(job, "refund", at));
  const events: EventDoc[] = [
    { type: "refunded", state: "failed", at },
    { type: "failed", state: "failed", at, detail: { ...outcome.error } },
  ];
  return { change: { job, set: { ...ended, state: "failed", error: outcome.error }, events }, entry, freed };
}

/** Ends a job that never started: cancelled by its owner, or failed because it waited too long. The hold is released. */
export function releaseJob(
  { account }: LoadedAccount,
  job: JobDoc,
  end: { state: "cancelled" } | { state: "failed"; error: JobErrorDoc },
  at: Date,
): Step {
  assertNext(job, end.state);
  const entry = postEntry(account, jobIntent(job, "release", at));
  account.waiting -= 1;
  account.claimable &&= mayClaim(account);
  const error = end.state === "failed" ? end.error : null;
  const events: EventDoc[] = [
    { type: "released", state: end.state, at },
    { type: end.state, state: end.state, at, ...(error && { detail: { ...error } }) },
  ];
  return { change: { job, set: { state: end.state, ended_at: at, error }, events }, entry };
}

/** Closes an account to claims until a slot of it comes free. */
export function holdBack({ account }: LoadedAccount): void {
  account.claimable = false;
}

/** Hands a running job whose lease has ended to another worker. No credits move. */
export function takeOverJob(job: JobDoc, lease: { worker: string; until: Date }, at: Date): JobChange {
  const events: EventDoc[] = [{ type: "retrying", state: "running", at, detail: { reason: "worker_lost" } }];
  return { job, set: { epoch: job.epoch + 1, lease, rescues: job.rescues + 1 }, events };
}

/** Whether a write of this worker's still counts. */
export function holdsLease(job: JobDoc, claim: { worker: string; epoch: number }, now: Date): boolean {
  return (
    job.state === "running" &&
    job.epoch === claim.epoch &&
    job.lease !== null &&
    job.lease.worker === claim.worker &&
    job.lease.until > now
  );
}

/** What was taken for the job and not given back. */
export function creditsCharged(job: Pick<JobDoc, "state" | "credits">): number {
  return job.state === "running" || job.state === "completed" ? job.credits : 0;
}

/**
 * How many jobs to claim of each account, round robin: each account in turn gets one more until its free slots, its waiting
 * jobs or `limit` are used up. Accounts come least recently served first.
 */
export function shareSlots(accounts: readonly { free: number }[], limit: number): number[] {
  const shares = accounts.map(() => 0);
  let left = limit;
  for (let given = true; given && left > 0;) {
    given = false;
    for (const [i, { free }] of accounts.entries()) {
      if (left === 0) break;
      const share = shares[i] ?? 0;
      if (share >= free) continue;
      shares[i] = share + 1;
      left -= 1;
      given = true;
    }
  }
  return shares;
}
