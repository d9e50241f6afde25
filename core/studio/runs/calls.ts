// Calls that outlive their worker. They are recorded before they are made; their jobs are suspended while the provider works, and resumed
// later.
import { inTx } from "../../base/mongo/in-tx.ts";
import { untilBack } from "../../base/mongo/until-back.ts";
import type { App } from "../../kernel/app.ts";
import { keepCosts } from "../costs/costs.ts";
import type { Claim } from "../jobs/local-dispatch.ts";
import { deleteSuspended, insertSuspended, saveCall, saveTold, wakeSuspended } from "../jobs/store-calls.ts";
import { findJobs, updateJobs } from "../jobs/store-changes.ts";
import type { CallDoc, JobDoc } from "../jobs/store.ts";
import type { NoPermit } from "../limits/limiters.ts";
import { POLL_EVERY_MS, suspendedJob, suspendedMs, resumedJob } from "./call-rules.ts";
import { type CalledRun, costsOf } from "./costs.ts";
import { LostLease } from "./finalize.ts";

/** How a job is suspended. */
export type Suspension = {
  /** When to poll the job. */
  readonly pollAt: Date;
  /** The call that the provider accepted, with its handle. If absent, the job's call stays as it is. */
  readonly call?: CallDoc;
  /** Present if the job waits until it may call; it has no call until then. */
  readonly wait?: Wait;
};

/** Which provider a job waits for, and why it may not call now. */
export type Wait = {
  readonly provider: string;
  readonly model: string;
  readonly why: NoPermit;
  /** Until then no worker calls it for this job, if the provider's circuit is open at the worker that suspended it. */
  readonly until?: Date;
};

/** Records which provider the job goes to, before that provider is called. Rejects with LostLease if another worker has the job. */
export async function noteCall(app: App, claim: Claim, call: CallDoc, signal: AbortSignal): Promise<void> {
  if (!(await untilBack(() => saveCall(app.mongo.db, claim, call), signal)))
    throw new LostLease(claim.job._id);
}

/**
 * Gives up this worker's lease of a job. A worker polls the job again at `pollAt`, or immediately if its provider has already announced the
 * end or its owner has requested its cancellation. A job without a call is started then. Safe to repeat. Rejects with LostLease if another
 * worker has the job.
 */
export async function suspendJob(
  app: App,
  run: CalledRun,
  { pollAt, call, wait }: Suspension,
): Promise<void> {
  const { claim } = run;
  const { db } = app.mongo;
  const { _id: jobId, account_id: accountId, provider } = claim.job;
  const now = app.clock.now();
  const costs = await costsOf(app, [run]);
  const dueAt = await inTx({ mongo: app.mongo, now }, async (tx) => {
    const job = (await findJobs(db, [{ accountId, jobId }], tx)).get(jobId);
    if (job?.state !== "running" || job.epoch !== claim.epoch) throw new LostLease(jobId);
    // It was sent before, and the response was lost: nothing else removes a lease under this epoch.
    if (job.lease === null) return undefined;
    await updateJobs(db, [suspendedJob(job, claim, wait ? null : call)], tx);
    const row = {
      _id: jobId,
      account_id: accountId,
      provider: (wait ?? call ?? job.call)?.provider ?? provider,
      poll_at: (job.call?.told_at && !wait) || job.cancel_requested_at ? now : pollAt,
      wait_ms: 0,
      taken_by: null,
      ...(wait && { waits: { ...wait, since: now } }),
    };
    await insertSuspended(db, row, tx);
    await keepCosts(app, costs(now), tx);
    return row.poll_at;
  });
  if (dueAt && dueAt.getTime() - now.getTime() < POLL_EVERY_MS) app.signals.emit("callable");
}

/**
 * Takes a suspended job for a worker, in the state in which it was read, under a new epoch. Returns undefined if another worker was faster.
 */
export async function resumeJob(
  app: App,
  { _id: jobId, account_id: accountId, epoch }: Pick<JobDoc, "_id" | "account_id" | "epoch">,
  { worker, leaseMs }: { worker: string; leaseMs: number },
): Promise<Claim | undefined> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const until = new Date(now.getTime() + leaseMs);
  return inTx({ mongo: app.mongo, now }, async (tx) => {
    const job = (await findJobs(db, [{ accountId, jobId }], tx)).get(jobId);
    if (job?.state !== "running" || job.epoch !== epoch || job.lease !== null) return undefined;
    const row = await deleteSuspended(db, jobId, tx);
    const waitedMs = (job.waited_ms ?? 0) + (row ? suspendedMs(row, now) : 0);
    await updateJobs(db, [resumedJob(job, { worker, until }, waitedMs)], tx);
    const { version, started_at: startedAt, created_at: createdAt } = job;
    const lastEventAt = job.events.at(-1)?.at ?? createdAt;
    const held = { ...job, ...(waitedMs > 0 && { waited_ms: waitedMs }) };
    return { job: held, worker, epoch: epoch + 1, version, startedAt: startedAt ?? createdAt, lastEventAt };
  });
}

/**
 * Makes a worker poll a suspended job immediately, because its provider announced the end of a call or its owner cancelled it. `handle` is
 * stored if the worker that got it was lost. Returns false if no call is in flight and the job is not suspended.
 */
export async function wakeCall(app: App, jobId: string, handle?: string): Promise<boolean> {
  const { db } = app.mongo;
  const now = app.clock.now();
  // The job comes first: a job that is being suspended at this moment sees that, or has a row by then.
  const isKnown = await saveTold(db, jobId, { at: now, handle });
  const isSuspended = (await wakeSuspended(db, [jobId], now)) > 0;
  if (isSuspended) app.signals.emit("callable");
  return isKnown || isSuspended;
}
