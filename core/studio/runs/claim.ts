// Claims waiting jobs for a worker: concurrency slot, debit, lease and events, in one transaction before any provider is called.
import { randomInt } from "node:crypto";
import { countTries } from "../../base/mongo/count-tries.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { loadAccounts, loadClaimableAccounts, type LoadedAccount } from "../../identity/accounts/load.ts";
import { findAnyClaimable } from "../../identity/accounts/store-numbers.ts";
import type { App } from "../../kernel/app.ts";
import { type Claim, notesCalls, tellChanged } from "../jobs/local-dispatch.ts";
import { claimJob, passOver, recountSlots, shareSlots } from "../jobs/rules.ts";
import { findJobs } from "../jobs/store-changes.ts";
import { findOldestWaitingIds, findWaitingIds } from "../jobs/store-queue.ts";
import { tellOfClaims } from "../jobs/trace.ts";
import { JobWrites } from "../jobs/write.ts";

export type ClaimOptions = {
  worker: string;
  /** The most jobs to take. */
  limit: number;
  leaseMs: number;
  /** Called with jobs that were claimed only after the time was over: their worker holds the leases anyway. */
  onLate?: (claims: Claim[]) => void;
};

/** After a conflict a worker skips up to this many times `limit` accounts. */
const MAX_SKIP = 4;
/** Of an account with more waiting jobs than this, only the oldest are read. */
const SHORT_QUEUE = 50;

/**
 * Takes up to `limit` jobs: accounts take turns, the oldest job of an account comes first, and never more run at a time than the account's
 * plan allows.
 */
export async function claimJobs(app: App, options: ClaimOptions): Promise<readonly Claim[]> {
  if (await app.queuePause()) return [];
  return (await findAnyClaimable(app.mongo.db)) ? claimFromLine(app, options) : [];
}

async function claimFromLine(app: App, { worker, limit, leaseMs, onLate }: ClaimOptions): Promise<Claim[]> {
  const paused = [...(await app.models()).values()].flatMap(({ _id, status }) =>
    status === "paused" ? [_id] : [],
  );
  let tries = 0;
  const work = async (tx: TxContext): Promise<Claim[]> => {
    const at = tx.now;
    const until = new Date(at.getTime() + leaseMs);
    // A second try means that another worker claimed from the same accounts: it leaves those at the head of the queue to that worker.
    const skip = tries++ === 0 ? 0 : limit * randomInt(MAX_SKIP + 1);
    const accounts = await loadClaimableAccounts(app, { limit, skip }, tx);
    if (accounts.length === 0) return [];
    const shares = shareSlots(
      accounts.map(({ account, plan }) => ({
        free: Math.min(plan.concurrency - account.running, account.waiting),
      })),
      limit,
    );
    const wanted = await oldestWaiting(app, { accounts, shares, paused }, tx);
    const jobs = await findJobs(app.mongo.db, wanted, tx);
    const byId = await loadAccounts(app, [], tx);
    const writes = new JobWrites(tx);
    const taken: Claim[] = [];
    for (const { accountId, jobId } of wanted) {
      const [job, account] = [jobs.get(jobId), byId.get(accountId)];
      if (!job?.queue_deadline || !account || job.queue_deadline <= at) continue;
      const step = claimJob(account, job, { worker, until }, at, notesCalls(app, job));
      writes.step(step);
      taken.push({
        job,
        worker,
        epoch: job.epoch + 1,
        version: job.version + step.change.events.length,
        startedAt: step.entry.created_at,
        debitHash: step.entry.hash,
        lastEventAt: step.entry.created_at,
      });
    }
    const found = new Set(wanted.map(({ accountId }) => accountId));
    for (const [i, loaded] of accounts.entries()) {
      // Its plan allows fewer slots than when this one became free.
      if (shares[i] === 0) writes.account(recountSlots(loaded, loaded.account.running));
      else if (!found.has(loaded.account._id)) writes.account(passOver(loaded, at));
    }
    await writes.commit(app);
    return taken;
  };
  const end = app.metrics
    .duration("job_claim", "How long it takes to claim waiting jobs, all of a batch.", [])
    .startTimer();
  const begunAt = new Date();
  const claims = await app.mongo.contention.run(() =>
    inTx(app, work, {
      onTries: countTries(app.metrics, "claim"),
      ...(onLate && { onLateCommit: onLate }),
    }),
  );
  if (claims.length > 0) end();
  if (app.tracing) tellOfClaims(app.tracing, claims, begunAt);
  tellChanged(app, claims);
  return claims;
}

type Line = {
  readonly accounts: readonly LoadedAccount[];
  readonly shares: readonly number[];
  /** Models whose jobs keep waiting. */
  readonly paused: readonly string[];
};

/** For each account the ids of its oldest waiting jobs, as many as its share. */
async function oldestWaiting(
  app: App,
  { accounts, shares, paused }: Line,
  tx: TxContext,
): Promise<{ accountId: string; jobId: string }[]> {
  const { db } = app.mongo;
  const short = accounts.filter(({ account }) => account.waiting <= SHORT_QUEUE);
  const waiting = Map.groupBy(
    await findWaitingIds(
      db,
      short.map(({ account }) => account._id),
      paused,
      tx,
    ),
    ({ accountId }) => accountId,
  );
  const wanted = [];
  for (const [i, { account }] of accounts.entries()) {
    const share = shares[i] ?? 0;
    if (share === 0) continue;
    const oldest = waiting.get(account._id)?.slice(0, share);
    // One after the other, because a transaction takes one statement at a time.
    wanted.push(...(oldest ?? (await findOldestWaitingIds(db, account._id, { limit: share, paused }, tx))));
  }
  return wanted;
}
