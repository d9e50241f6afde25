// Ends running jobs: outputs or error, refund, slot, final event and callback row, in one transaction for a whole batch.
import { loadAccounts } from "../accounts/load.ts";
import type { App } from "../app.ts";
import type { StoredFile } from "../outputs/store.ts";
import { fulfilled, rejected } from "../mongo/group-commit.ts";
import { inTx } from "../mongo/in-tx.ts";
import type { Claim } from "./claim.ts";
import { holdsLease, type Outcome, settleJob } from "./rules.ts";
import { findJobs } from "./store.ts";
import { JobWrites } from "./write.ts";

export type Settlement = {
  readonly claim: Claim;
  readonly outcome: Outcome;
  /** Small files of the outcome, stored in the same transaction. */
  readonly files: readonly StoredFile[];
};

/** The job belongs to another worker by now, or has ended: this worker's result counts for nothing. */
export class LostLease extends Error {
  override readonly name = "LostLease";
}

/** Commits each outcome whose worker still holds its lease; the others' entries are rejected with LostLease. */
export async function settleJobs(
  app: App,
  settlements: readonly Settlement[],
): Promise<PromiseSettledResult<void>[]> {
  const at = app.clock.now();
  const ids = settlements.map(({ claim: { job } }) => ({ accountId: job.account_id, jobId: job._id }));
  const results = await inTx(app.mongo, async (session) => {
    const jobs = await findJobs(app.mongo.db, ids, session);
    const accounts = await loadAccounts(app, [...new Set(ids.map(({ accountId }) => accountId))], session);
    const writes = new JobWrites();
    const decided = settlements.map(({ claim, outcome, files }) => {
      const job = jobs.get(claim.job._id);
      const account = accounts.get(claim.job.account_id);
      if (!job || !account || !holdsLease(job, claim, at)) return rejected(new LostLease(claim.job._id));
      writes.add(account, settleJob(account, job, outcome, at), files);
      return fulfilled(undefined);
    });
    await writes.commit(app, session);
    return decided;
  });
  app.signals.emit(
    "changed",
    ids.map(({ jobId }) => jobId),
  );
  app.signals.emit("claimable");
  app.signals.emit("deliverable");
  return results;
}
