// Claims waiting jobs for a worker: concurrency slot, debit, lease and events, in one transaction before any provider is called.
import { loadAccounts } from "../accounts/load.ts";
import type { App } from "../app.ts";
import { inTx } from "../mongo/in-tx.ts";
import { claimJob, shareSlots } from "./rules.ts";
import { findClaimable, findJobs, type JobDoc } from "./store.ts";
import { JobWrites } from "./write.ts";

/** A job as its worker holds it: every later write names worker and epoch. */
export type Claim = {
  /** As it was before the claim. */
  readonly job: JobDoc;
  readonly worker: string;
  readonly epoch: number;
  /** Number of events after the claim. */
  readonly version: number;
  readonly startedAt: Date;
};

export type ClaimOptions = {
  worker: string;
  /** Most jobs to take. */
  limit: number;
  leaseMs: number;
};

/** Takes up to `limit` jobs: accounts in turn, inside an account the oldest first, never more than its plan runs at a time. */
export async function claimJobs(app: App, { worker, limit, leaseMs }: ClaimOptions): Promise<Claim[]> {
  const candidates = await findClaimable(app.mongo.db, limit, limit);
  if (candidates.length === 0) return [];
  const at = app.clock.now();
  const until = new Date(at.getTime() + leaseMs);
  const claims = await inTx(app.mongo, async (session) => {
    const accounts = await loadAccounts(app, candidates.map(({ accountId }) => accountId), session);
    const loaded = candidates.flatMap(({ accountId, jobIds }) => {
      const account = accounts.get(accountId);
      if (!account) return [];
      // The candidates were read before the transaction: what counts is what it sees.
      const free = account.account.status === "active" ? account.plan.concurrency - account.account.running : 0;
      return [{ account, jobIds, free: Math.max(0, Math.min(free, jobIds.length)) }];
    });
    const shares = shareSlots(loaded, limit);
    const wanted = loaded.flatMap(({ account, jobIds }, i) =>
      jobIds.slice(0, shares[i]).map((jobId) => ({ account, accountId: account.account._id, jobId })),
    );
    const jobs = await findJobs(app.mongo.db, wanted, session);
    const writes = new JobWrites();
    const taken: Claim[] = [];
    for (const { account, jobId } of wanted) {
      const job = jobs.get(jobId);
      if (job?.state !== "reserved" || job.queue_deadline <= at) continue;
      const step = claimJob(account, job, { worker, until }, at);
      writes.add(account, step);
      taken.push({ job, worker, epoch: job.epoch + 1, version: job.version + step.change.events.length, startedAt: at });
    }
    await writes.commit(app, session);
    return taken;
  });
  if (claims.length > 0) app.signals.emit("changed", claims.map(({ job }) => job._id));
  return claims;
}
