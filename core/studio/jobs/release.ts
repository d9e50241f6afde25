// Ends jobs that never started, many at a time: those that waited too long, and those of a deleted account.
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { loadAccounts } from "../../identity/accounts/load.ts";
import type { App } from "../../kernel/app.ts";
import { queueError, releaseJob, type Unmade } from "./rules.ts";
import { tellStepsEnded } from "./steps.ts";
import { findJobs } from "./store-changes.ts";
import { findOldestWaitingIds, findOverdue } from "./store-queue.ts";
import type { JobDoc } from "./store.ts";
import { JobWrites } from "./write.ts";

const SWEEP_BATCH = 100;
const QUEUE_TIMEOUT = { code: "queue_timeout", message: "The job waited 24 hours without a free slot." };

/** Fails waiting jobs whose queue deadline has passed. Returns how many. */
export async function expireWaitingJobs(app: App): Promise<number> {
  let total = 0;
  for (;;) {
    const overdue = await findOverdue(app.mongo.db, app.clock.now(), SWEEP_BATCH);
    const released = await release(app, overdue, (job) => ({
      state: "failed",
      error: queueError(job, QUEUE_TIMEOUT),
    }));
    total += released;
    if (overdue.length < SWEEP_BATCH || released === 0) return total;
  }
}

/** Cancels all waiting jobs of an account. Returns how many. */
export async function cancelWaitingJobs(app: App, accountId: string): Promise<number> {
  let total = 0;
  for (;;) {
    const ids = await inTx(app, (tx) =>
      findOldestWaitingIds(app.mongo.db, accountId, { limit: SWEEP_BATCH }, tx),
    );
    const released = await release(app, ids, () => ({ state: "cancelled" }));
    total += released;
    if (ids.length < SWEEP_BATCH || released === 0) return total;
  }
}

async function release(
  app: App,
  ids: readonly { accountId: string; jobId: string }[],
  endOf: (job: JobDoc) => Unmade,
): Promise<number> {
  if (ids.length === 0) return 0;
  const work = async (tx: TxContext): Promise<JobDoc[]> => {
    const jobs = await findJobs(app.mongo.db, ids, tx);
    const accounts = await loadAccounts(app, [...new Set(ids.map(({ accountId }) => accountId))], tx);
    const writes = new JobWrites(tx);
    const released: JobDoc[] = [];
    for (const { accountId, jobId } of ids) {
      const job = jobs.get(jobId);
      const account = accounts.get(accountId);
      if (job?.state !== "reserved" || !account) continue;
      writes.step(releaseJob(account, job, endOf(job), tx.now));
      released.push(job);
    }
    await writes.commit(app);
    return released;
  };
  const released = await inTx(app, work);
  app.signals.emit(
    "changed",
    ids.map(({ jobId }) => jobId),
  );
  app.signals.emit("claimable");
  app.signals.emit("deliverable");
  tellStepsEnded(app, released);
  return released.length;
}
