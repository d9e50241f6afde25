// The states of a job: which follows which, the effect of each step on the credits, and its events. This file is pure.
import { AppError } from "../../../proto/codes.ts";
import type { Delivered, JobEventResource, RetryReason } from "../../../proto/resources/job.ts";
import { type CapState, refuseCaps } from "../../identity/accounts/cap-rules.ts";
import type { LoadedAccount } from "../../identity/accounts/load.ts";
import { turnOf } from "../../identity/accounts/rules.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import { type Settlement, settlementEntryId } from "../../identity/credits/entry-id.ts";
import { lastTaken } from "../../identity/credits/grant-rules.ts";
import { availableCredits, type EntryIntent, later, postEntry } from "../../identity/credits/rules.ts";
import type { LedgerDoc } from "../../identity/credits/store.ts";
import type { OutputDoc } from "../../kernel/outputs/store.ts";
import { chargeFor } from "./delivery-rules.ts";
import type { JobChange, JobGuard } from "./store-changes.ts";
import type { JobCost } from "./store-reads.ts";
import type { EndState, EventDoc, InputDoc, JobDoc, JobErrorDoc, JobState } from "./store.ts";

/** The number of waiting jobs that an account may have for each of its concurrency slots. */
export const WAITING_PER_SLOT = 50;
export const QUEUE_DEADLINE_MS = 24 * 60 * 60 * 1000;
/** A job that was lost with this many workers is not tried again. */
const MAX_RESCUES = 3;
/** The same limit if its provider can be polled for the result: that is paid for, and fetching it again costs nothing. */
const MAX_RESCUES_WITH_HANDLE = 20;
const FETCH_AGAIN_MS = 1_000;
const MAX_FETCH_AGAIN_MS = 60_000;

/** Whether a job that has lost so many workers is given to another one. */
export function mayBeTriedAgain({ rescues, call }: Pick<JobDoc, "rescues" | "call">): boolean {
  return rescues <= (call?.handle === undefined ? MAX_RESCUES : MAX_RESCUES_WITH_HANDLE);
}

/** How long a job with a handle is left alone after a rescue. It grows each time, so that a job which ends its workers ends few. */
export function waitAfterRescueMs({ rescues }: Pick<JobDoc, "rescues">): number {
  return rescues <= MAX_RESCUES
    ? 0
    : Math.min(MAX_FETCH_AGAIN_MS, FETCH_AGAIN_MS * 2 ** (rescues - MAX_RESCUES - 1));
}

/** reserved → running → completed | failed | cancelled; reserved → cancelled | failed. */
export function isEnded(state: JobState): state is EndState {
  return state !== "reserved" && state !== "running";
}

/** Whether it is a step of a workflow that waits for others: its price is held, and it is not in its account's queue yet. */
export function isBlocked({ state, queue_deadline }: Pick<JobDoc, "state" | "queue_deadline">): boolean {
  return state === "reserved" && queue_deadline === null;
}

type Waiting = Pick<JobDoc, "expires_in">;

/** Until when a newly queued job waits: its request's seconds, else 24 hours. */
export function queueDeadline(at: Date, { expires_in: seconds }: Waiting): Date {
  return new Date(at.getTime() + (seconds === undefined ? QUEUE_DEADLINE_MS : seconds * 1000));
}

/** The error of a job that has waited until its queue deadline; `timeout` is that of a job whose request set none. */
export function queueError({ expires_in: seconds }: Waiting, timeout: JobErrorDoc): JobErrorDoc {
  if (seconds === undefined) return timeout;
  return { code: "expired", message: `The job did not start within ${seconds} s, its expires_in.` };
}

/** The state as the owner sees it. */
export function shownState<State extends string>({
  state,
  cancel_requested_at: cancelRequestedAt,
}: {
  state: State;
  cancel_requested_at?: Date | null;
}): State | "cancelling" {
  return state === "running" && cancelRequestedAt ? "cancelling" : state;
}

/** For steps that are decided from the job as the transaction read it. A worker's steps need its lease instead. */
export function assertIs(state: JobState, job: JobDoc): void {
  if (job.state !== state) throw new Error(`job ${job._id} is ${job.state}, not ${state}`);
}

/** The settlement that an event of this type reports. */
const SETTLEMENT_OF: Partial<Record<EventDoc["type"], Settlement>> = {
  reserved: "reserve",
  debited: "debit",
  released: "return",
  refunded: "return",
};

/** The settlement that an event of a job reports: the completion of a job that cost less than its price reports the refund of the rest. */
function settlementOf({ charged }: JobDoc, type: EventDoc["type"]): Settlement | undefined {
  return type === "completed" && charged !== undefined ? "return" : SETTLEMENT_OF[type];
}

/** The job's history as its owner sees it: numbered, and money events with their ledger entry. */
export function toJobEvents(job: JobDoc): JobEventResource[] {
  const requested = job.events.findIndex(({ type }) => type === "cancelling");
  let last: Date | undefined;
  return job.events.map(({ type, state, at, detail }, i) => {
    const settlement = settlementOf(job, type);
    // The process that ends a job may not know the cancellation request, which another process wrote with its own clock.
    last = later(at, last);
    return {
      seq: i + 1,
      type,
      state: requested >= 0 && i >= requested && state === "running" ? "cancelling" : state,
      at: last.toISOString(),
      ...(settlement && { ledger_entry_id: settlementEntryId(job._id, settlement) }),
      detail: detail ?? (settlement ? { credits: job.credits, ...(i === 0 && retryOf(job)) } : {}),
    };
  });
}

/** What its first event says about the job that it repeats. */
function retryOf({ retry_of }: Pick<JobDoc, "retry_of">): { retry_of?: string } {
  return retry_of === undefined ? {} : { retry_of };
}

/** Whether this account may add this many more jobs, of this total price, now. */
export function refuseAccept(
  { account, plan }: LoadedAccount,
  credits: number,
  jobs = 1,
): AppError | undefined {
  const maxWaiting = WAITING_PER_SLOT * plan.concurrency;
  if (account.waiting + jobs > maxWaiting) {
    const more = jobs === 1 ? "" : `, too few for ${jobs} more`;
    return new AppError("queue_full", {
      message: `This account has ${account.waiting} jobs waiting; its plan allows ${maxWaiting}${more}.`,
      retryAfterSeconds: 5,
    });
  }
  const available = availableCredits(account);
  if (available < credits) {
    return new AppError("insufficient_credits", {
      message: `${whatCosts(jobs)} ${credits} credits and the account has ${available} available.`,
      numbers: { credits_required: credits, credits_available: available },
    });
  }
  return undefined;
}

/** "This generation costs", or the cost of all steps of a workflow. */
function whatCosts(jobs: number): string {
  return jobs === 1 ? "This generation costs" : `These ${jobs} generations together cost`;
}

/**
 * Whether the limits allow a job of this price, or several together: the limit of the request, and the rest of a key's limits.
 * spend_limit_reached names the limit, its used and remaining part, and the price.
 */
export function refuseSpending(
  credits: number,
  { request, key = [] }: { request: number | undefined; key?: readonly CapState[] | undefined },
  jobs = 1,
): AppError | undefined {
  if (request !== undefined && credits > request) {
    return new AppError("spend_limit_reached", {
      message: `${whatCosts(jobs)} ${credits} credits, and max_credits of the request allows ${request}.`,
      numbers: { limit: request, used: 0, left: request, credits_required: credits },
    });
  }
  return refuseCaps(credits, key, whatCosts(jobs));
}

function jobIntent(
  job: JobDoc,
  kind: EntryIntent["kind"],
  at: Date,
  { credits, from } = { credits: job.credits, from: job.held_from },
): EntryIntent {
  return {
    kind,
    credits,
    of: { jobId: job._id },
    source: job.source,
    keyId: job.key_id,
    memo: null,
    at,
    ...(from && { from }),
  };
}

/** The job as it is once the change is written. */
export function changedJob(job: JobDoc, { set, events }: JobChange): JobDoc {
  return { ...job, ...set, events: [...job.events, ...events], version: job.version + events.length };
}

/** The account with other slots and another queue, and the resulting position in the line. */
function queued({ account, plan }: LoadedAccount, change: Partial<Queue>): AccountDoc {
  const next = { ...account, ...change };
  return { ...next, turn: turnOf(next, plan) };
}

type Queue = Pick<AccountDoc, "waiting" | "running" | "served_at">;

/** The account and the entry after a step that moves credits. */
type Moved = { readonly account: AccountDoc; readonly entry: LedgerDoc };

/** A new job, and its account afterwards. */
export type AcceptStep = Moved & { readonly job: JobDoc };

/** Holds the price and puts the job into the account's queue, unless it is blocked, with its first event. */
export function acceptJob({ account, plan }: LoadedAccount, job: JobDoc, at: Date): AcceptStep {
  const { head, entry, from } = postEntry(account, jobIntent(job, "reserve", at));
  const events: EventDoc[] = [{ type: "reserved", state: "reserved", at: entry.created_at }];
  return {
    account: queued({ account: head, plan }, { waiting: head.waiting + (isBlocked(job) ? 0 : 1) }),
    entry,
    job: { ...job, ...(from.length > 0 && { held_from: from }), events, version: events.length },
  };
}

/** A step of a stored job. */
export type JobStep = Moved & { readonly change: JobChange };

/** The guard for a change that was decided from the whole job inside the same transaction. */
export function asRead({ epoch, version }: JobDoc): JobGuard {
  return { epoch, version };
}

/** Puts a step of a workflow into the account's queue, because its needs have completed. No credits move. */
export function readyJob(
  { account, plan }: LoadedAccount,
  job: JobDoc,
  { params, inputs }: { params: JobDoc["params"]; inputs: readonly InputDoc[] },
  at: Date,
): { change: JobChange; account: AccountDoc } {
  if (!isBlocked(job)) throw new Error(`job ${job._id} is ${job.state}, and waits for no other`);
  return {
    change: {
      job,
      guard: asRead(job),
      set: { queue_deadline: queueDeadline(at, job), ...(inputs.length > 0 && { params, inputs }) },
      events: [],
    },
    account: queued({ account, plan }, { waiting: account.waiting + 1 }),
  };
}

/** Takes a waiting job for a worker: debit, slot, lease. `notesCalls` means that its worker records each call before it is made. */
export function claimJob(
  { account, plan }: LoadedAccount,
  job: JobDoc,
  lease: { worker: string; until: Date },
  at: Date,
  notesCalls = false,
): JobStep {
  assertIs("reserved", job);
  if (isBlocked(job)) throw new Error(`job ${job._id} waits for other steps`);
  const { head, entry } = postEntry(account, jobIntent(job, "debit", at));
  const startedAt = entry.created_at;
  const events: EventDoc[] = [
    { type: "debited", state: "running", at: startedAt },
    { type: "running", state: "running", at: startedAt },
  ];
  return {
    change: {
      job,
      guard: asRead(job),
      set: {
        state: "running",
        started_at: startedAt,
        epoch: job.epoch + 1,
        lease,
        ...(notesCalls && { call: null }),
      },
      events,
    },
    account: queued(
      { account: head, plan },
      { waiting: head.waiting - 1, running: head.running + 1, served_at: at.getTime() },
    ),
    entry,
  };
}

/** A job's lease as its worker holds it; every write of the worker names it. */
export type HeldLease = {
  readonly worker: string;
  readonly epoch: number;
  /** The time of the job's newest event. The worker's events are never earlier, whatever the clock says. */
  readonly lastEventAt: Date;
};

/**
 * The guard of a worker's write: the lease is still its own. An expired lease stays its own until another worker takes the job over, under
 * a new epoch; a provider's result is not lost because of a clock.
 */
function guardOf({ worker, epoch }: HeldLease): JobGuard {
  return { epoch, worker };
}

/** The outputs of a job. `delivered` is absent if that is exactly the request. */
export type JobResult = { readonly outputs: readonly OutputDoc[]; readonly delivered?: Delivered };

/** Whether a job with these outputs costs less than its price. */
export function costsLess({ credits }: Pick<JobDoc, "credits">, { delivered }: JobResult): boolean {
  return delivered !== undefined && chargeFor(credits, delivered) < credits;
}

/** Ends a running job with its outputs, at its price. No credits move. */
export function completeJob(
  job: JobDoc,
  lease: HeldLease,
  { outputs, delivered }: JobResult,
  at: Date,
  { charged, endedAt }: { charged?: number; endedAt: Date } = { endedAt: later(at, lease.lastEventAt) },
): JobChange {
  const detail = {
    outputs: outputs.map(({ output_id }) => output_id),
    ...(charged !== undefined && {
      delivered,
      credits_charged: charged,
      credits_refunded: job.credits - charged,
    }),
  };
  return {
    job,
    guard: guardOf(lease),
    set: {
      state: "completed",
      ended_at: endedAt,
      lease: null,
      outputs: [...outputs],
      ...(delivered && { delivered }),
      ...(charged !== undefined && { charged }),
    },
    events: [{ type: "completed", state: "completed", at: endedAt, detail }],
  };
}

/** Ends a running job that delivered less than requested: it costs its share of the price, and the rest is refunded immediately. */
export function completeInPart(
  { account }: LoadedAccount,
  job: JobDoc,
  lease: HeldLease,
  made: JobResult,
  at: Date,
): JobStep {
  const charged = made.delivered ? chargeFor(job.credits, made.delivered) : job.credits;
  const credits = job.credits - charged;
  const from = job.held_from && lastTaken(job.held_from, { taken: job.credits, back: credits });
  const intent = jobIntent(job, "refund", later(at, lease.lastEventAt), { credits, from });
  const { head, entry } = postEntry(account, intent);
  return {
    change: completeJob(job, lease, made, at, { charged, endedAt: entry.created_at }),
    account: head,
    entry,
  };
}

/** How a job without outputs ends. */
export type Unmade =
  | { readonly state: "cancelled" }
  | { readonly state: "failed"; readonly error: JobErrorDoc };

/** Its last events: the refund, and the reason. */
function unmadeEvents(type: "released" | "refunded", end: Unmade, at: Date): EventDoc[] {
  const { state } = end;
  return [
    { type, state, at },
    { type: state, state, at, ...(state === "failed" && { detail: { ...end.error } }) },
  ];
}

/** Ends a running job that failed or was cancelled in time: all its credits are refunded. */
export function refundJob(
  { account }: LoadedAccount,
  job: JobDoc,
  lease: HeldLease,
  end: Unmade,
  at: Date,
): JobStep {
  const { head, entry } = postEntry(account, jobIntent(job, "refund", later(at, lease.lastEventAt)));
  const endedAt = entry.created_at;
  const events = unmadeEvents("refunded", end, endedAt);
  const error = end.state === "failed" ? end.error : null;
  const set = { state: end.state, ended_at: endedAt, lease: null, error };
  return { change: { job, guard: guardOf(lease), set, events }, account: head, entry };
}

/** Ends a job that never started: cancelled by its owner, or failed because it waited too long. The hold is released. */
export function releaseJob({ account, plan }: LoadedAccount, job: JobDoc, end: Unmade, at: Date): JobStep {
  assertIs("reserved", job);
  const { head, entry } = postEntry(account, jobIntent(job, "release", at));
  const error = end.state === "failed" ? end.error : null;
  const endedAt = entry.created_at;
  const events = unmadeEvents("released", end, endedAt);
  return {
    change: { job, guard: asRead(job), set: { state: end.state, ended_at: endedAt, error }, events },
    account: queued({ account: head, plan }, { waiting: head.waiting - (isBlocked(job) ? 0 : 1) }),
    entry,
  };
}

/** The account with the number of slots that its jobs really use. */
export function recountSlots(loaded: LoadedAccount, running: number): AccountDoc {
  return queued(loaded, { running });
}

/**
 * Moves the account to the end of the line, because all jobs that it could run wait for paused models or are past their deadline. The
 * accounts behind it must not wait too.
 */
export function passOver(loaded: LoadedAccount, at: Date): AccountDoc {
  return queued(loaded, { served_at: at.getTime() });
}

/** Hands a running job whose lease has ended to another worker. No credits move. */
export function takeOverJob(job: JobDoc, lease: { worker: string; until: Date }, at: Date): JobChange {
  assertIs("running", job);
  const events: EventDoc[] = [
    {
      type: "retrying",
      state: "running",
      at: later(at, job.events.at(-1)?.at),
      detail: { reason: "worker_lost" satisfies RetryReason },
    },
  ];
  return { job, guard: asRead(job), set: { epoch: job.epoch + 1, lease, rescues: job.rescues + 1 }, events };
}

/** Refunds a completed job at an operator's request. It stays completed, with everything that it made. */
export function returnJob({ account }: LoadedAccount, job: JobDoc, at: Date): JobStep {
  assertIs("completed", job);
  const { head, entry } = postEntry(account, jobIntent(job, "refund", later(at, job.events.at(-1)?.at)));
  const refundedAt = entry.created_at;
  return {
    change: {
      job,
      guard: asRead(job),
      set: { refunded_at: refundedAt },
      events: [{ type: "refunded", state: "completed", at: refundedAt }],
    },
    account: head,
    entry,
  };
}

/** The captured credits of the job that were not refunded. */
export function creditsCharged(job: Pick<JobDoc, "state" | "credits" | "charged" | "refunded_at">): number {
  const taken = job.state === "running" || job.state === "completed";
  return taken && !job.refunded_at ? (job.charged ?? job.credits) : 0;
}

export type Spending = { day: string; modelSlug: string; credits: number; jobs: number };

/** Credits charged and not refunded, by the UTC day on which the jobs started and by model: oldest day first, from `since` on. */
export function spendingByDay(jobs: readonly JobCost[], since: Date): Spending[] {
  const sums = new Map<string, Spending>();
  for (const job of jobs) {
    const credits = creditsCharged(job);
    if (credits === 0 || !job.started_at || job.started_at < since) continue;
    const day = utcDay(job.started_at);
    const sum = sums.get(`${day} ${job.model_slug}`) ?? {
      day,
      modelSlug: job.model_slug,
      credits: 0,
      jobs: 0,
    };
    sums.set(`${day} ${job.model_slug}`, { ...sum, credits: sum.credits + credits, jobs: sum.jobs + 1 });
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/** For example 2026-01-31. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/**
 * How many jobs to claim for each account, round robin: each account in turn gets one more until its free slots, its waiting jobs or
 * `limit` are used up. The least recently served account comes first.
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
