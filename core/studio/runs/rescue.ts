// Takes over running jobs whose worker is gone: the lease has ended without a heartbeat.
import { inTx } from "../../base/mongo/in-tx.ts";
import { loadAccounts } from "../../identity/accounts/load.ts";
import type { App } from "../../kernel/app.ts";
import { type Claim, tellChanged } from "../jobs/local-dispatch.ts";
import { recountSlots, takeOverJob } from "../jobs/rules.ts";
import { findJobs } from "../jobs/store-changes.ts";
import { countRunning } from "../jobs/store-queue.ts";
import { JobWrites } from "../jobs/write.ts";
import { findEndedLeases } from "./store-leases.ts";
import { countOverTime } from "./store-waits.ts";

type RescueOptions = { worker: string; limit: number; leaseMs: number };

/**
 * Moves up to `limit` such jobs to this worker, under a new epoch: whatever the old worker still writes is refused. The used slots of their
 * accounts are recounted.
 */
export async function rescueJobs(app: App, options: RescueOptions): Promise<readonly Claim[]> {
  const at = app.clock.now();
  const ended = await findEndedLeases(app.mongo.db, at, options.limit);
  if (ended.length === 0) return [];
  const ids = ended.map(({ _id, account_id }) => ({ accountId: account_id, jobId: _id }));
  return takeOver(app, ids, { ...options, at });
}

async function takeOver(
  app: App,
  ids: readonly { accountId: string; jobId: string }[],
  { worker, leaseMs, at }: RescueOptions & { at: Date },
): Promise<Claim[]> {
  const until = new Date(at.getTime() + leaseMs);
  const claims = await inTx({ mongo: app.mongo, now: at }, async (tx) => {
    const jobs = await findJobs(app.mongo.db, ids, tx);
    const accountIds = [...new Set(ids.map(({ accountId }) => accountId))];
    const accounts = await loadAccounts(app, accountIds, tx);
    const running = await countRunning(app.mongo.db, accountIds, tx);
    const writes = new JobWrites(tx);
    for (const accountId of accountIds) {
      const loaded = accounts.get(accountId);
      if (loaded) writes.account(recountSlots(loaded, running.get(accountId) ?? 0));
    }
    const taken: Claim[] = [];
    for (const { jobId } of ids) {
      const job = jobs.get(jobId);
      // Another worker may have been faster.
      if (job?.state !== "running" || !job.lease || job.lease.until > at) continue;
      const change = takeOverJob(job, { worker, until }, at);
      writes.change(change);
      taken.push({
        job: { ...job, rescues: job.rescues + 1 },
        worker,
        epoch: job.epoch + 1,
        version: job.version + change.events.length,
        startedAt: job.started_at ?? at,
        lastEventAt: change.events.at(-1)?.at ?? at,
      });
    }
    await writes.commit(app);
    return taken;
  });
  tellChanged(app, claims);
  return claims;
}

/** Beyond the time that a job's model allows. */
const MUCH_MS = 60 * 60 * 1000;

/** Counts up to 1,000. Jobs that wait for a permit, or for the end of a pause, are not counted, because their time does not run. */
export async function measureOverTime({ mongo, clock }: Pick<App, "mongo" | "clock">): Promise<number> {
  return countOverTime(mongo.db, new Date(clock.now().getTime() - MUCH_MS));
}
