// Ends running jobs: outputs or error, refund, slot, final event and callback row, in one transaction for a whole batch.
import { loadAccounts } from "../accounts/load.ts";
import type { App } from "../app.ts";
import { fulfilled, rejected } from "../mongo/group-commit.ts";
import { inTx } from "../mongo/in-tx.ts";
import type { OutputDoc, StoredFile } from "../outputs/store.ts";
import type { Claim } from "./intake.ts";
import { completeJob, failJob } from "./rules.ts";
import { type JobErrorDoc, StaleJob } from "./store.ts";
import { JobWrites } from "./write.ts";

export type Outcome =
  | { readonly kind: "completed"; readonly outputs: readonly OutputDoc[] }
  | { readonly kind: "failed"; readonly error: JobErrorDoc };

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

/**
 * Commits all of them, or nothing. Nothing is read first: every write names its lease, and where one is lost the batch is refused
 * with StaleJob, so that group commit finds it by halving. Alone, it is rejected with LostLease.
 */
export async function settleJobs(
  app: App,
  settlements: readonly Settlement[],
): Promise<PromiseSettledResult<void>[]> {
  const at = app.clock.now();
  const refunded = settlements
    .filter(({ outcome }) => outcome.kind === "failed")
    .map(({ claim: { job } }) => job.account_id);
  let inLine = 0;
  try {
    inLine = await inTx(app.mongo, async (session) => {
      const accounts =
        refunded.length > 0 ? await loadAccounts(app, [...new Set(refunded)], session) : new Map();
      const writes = new JobWrites();
      for (const { claim, outcome, files } of settlements) {
        const { job } = claim;
        if (outcome.kind === "completed") writes.change(completeJob(job, claim, outcome.outputs, at));
        else {
          const account = accounts.get(job.account_id);
          if (!account) throw new Error(`account ${job.account_id} of job ${job._id} is not there`);
          writes.step(account, failJob(account, job, claim, outcome.error, at));
        }
        writes.end(job, files);
      }
      return writes.commit(app, session);
    });
  } catch (error) {
    const [only] = settlements;
    if (error instanceof StaleJob && only && settlements.length === 1)
      return [rejected(new LostLease(only.claim.job._id))];
    throw error;
  }
  app.signals.emit(
    "changed",
    settlements.map(({ claim: { job } }) => job._id),
  );
  if (inLine > 0) app.signals.emit("claimable");
  app.signals.emit("deliverable");
  return settlements.map(() => fulfilled(undefined));
}
