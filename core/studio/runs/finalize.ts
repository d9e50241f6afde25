// Ends running jobs: outputs or error, refund, slot, final event and delivery row, in one transaction for a whole batch.
import type { Span } from "../../../runtime/log/tracing.ts";
import { countTries } from "../../base/mongo/count-tries.ts";
import { type Batch, fulfilled, rejected } from "../../base/mongo/group-commit.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { loadAccounts } from "../../identity/accounts/load.ts";
import type { App } from "../../kernel/app.ts";
import type { StoredFile } from "../../kernel/outputs/store.ts";
import type { CallRecord } from "../costs/rules.ts";
import { type Claim, tellChanged } from "../jobs/local-dispatch.ts";
import {
  completeInPart,
  completeJob,
  costsLess,
  type JobResult,
  refundJob,
  type Unmade,
} from "../jobs/rules.ts";
import { tellStepsEnded } from "../jobs/steps.ts";
import { StaleJob } from "../jobs/store-changes.ts";
import type { JobErrorDoc } from "../jobs/store.ts";
import { JobWrites } from "../jobs/write.ts";
import { costsOf } from "./costs.ts";
import { findEndedUnder } from "./store-leases.ts";

export type RunOutcome =
  | ({ readonly kind: "completed" } & JobResult)
  | { readonly kind: "failed"; readonly error: JobErrorDoc }
  /** Cancelled in time, at its owner's request. */
  | { readonly kind: "cancelled" };

export type EndedRun = {
  readonly claim: Claim;
  readonly outcome: RunOutcome;
  /** Small files, stored in the same transaction. */
  readonly files: readonly StoredFile[];
  /** The calls to providers whose outcome is recorded with it. */
  readonly calls?: readonly CallRecord[];
  /** True if it was sent before and the response was lost: the job may already have ended with it. */
  readonly isRepeat?: boolean;
  /** If traces are on, the span in which it is finalized. */
  readonly span?: Span | undefined;
};

/** The job belongs to another worker by now, or has ended, so this worker's result is discarded. */
export class LostLease extends Error {
  override readonly name = "LostLease";
}

/**
 * Commits all of them, or nothing. Nothing is read first, except for repeats: every write names its lease. If one is lost, the batch is
 * refused with StaleJob, so that group commit finds that job by halving. Alone, the job is rejected with LostLease.
 */
export async function finalizeJobs(
  app: App,
  runs: readonly EndedRun[],
  { maxConflicts }: Pick<Batch, "maxConflicts"> = { maxConflicts: Number.POSITIVE_INFINITY },
): Promise<PromiseSettledResult<void>[]> {
  const ended = await findEndedBefore(app, runs);
  const left = runs.filter(({ claim }) => !ended.has(claim.job._id));
  const refused = left.length > 0 ? await commitRuns(app, left, maxConflicts) : undefined;
  tellChanged(
    app,
    runs.map(({ claim }) => claim),
  );
  app.signals.emit("deliverable");
  tellStepsEnded(
    app,
    runs.map(({ claim: { job } }) => job),
  );
  return runs.map((one) => (refused && one === left[0] ? rejected(refused) : fulfilled(undefined)));
}

/** Of jobs that may have ended already, the ids of those that did: under the epoch of a claim only its own run ends a job. */
async function findEndedBefore(app: App, runs: readonly EndedRun[]): Promise<Set<string>> {
  const claims = runs.flatMap(({ claim, isRepeat }) => (isRepeat ? [claim] : []));
  return claims.length === 0 ? new Set() : findEndedUnder(app.mongo.db, claims);
}

function unmadeBy(outcome: Exclude<RunOutcome, { kind: "completed" }>): Unmade {
  return outcome.kind === "failed" ? { state: "failed", error: outcome.error } : { state: "cancelled" };
}

/** Returns the LostLease of a job that is alone. */
async function commitRuns(
  app: App,
  runs: readonly EndedRun[],
  maxConflicts: number,
): Promise<LostLease | undefined> {
  const refunded = runs
    .filter(({ outcome, claim }) => outcome.kind !== "completed" || costsLess(claim.job, outcome))
    .map(({ claim: { job } }) => job.account_id);
  const costs = await costsOf(app, runs);
  const work = async (tx: TxContext): Promise<number> => {
    const accounts = refunded.length > 0 ? await loadAccounts(app, [...new Set(refunded)], tx) : undefined;
    const writes = new JobWrites(tx);
    writes.costs(costs(tx.now));
    for (const { claim, outcome, files } of runs) {
      const { job } = claim;
      if (outcome.kind === "completed" && !costsLess(job, outcome))
        writes.change(completeJob(job, claim, outcome, tx.now));
      else {
        const account = accounts?.get(job.account_id);
        if (!account) throw new Error(`account ${job.account_id} of job ${job._id} does not exist`);
        writes.step(
          outcome.kind === "completed"
            ? completeInPart(account, job, claim, outcome, tx.now)
            : refundJob(account, job, claim, unmadeBy(outcome), tx.now),
        );
      }
      writes.end(job, files);
    }
    return writes.commit(app);
  };
  try {
    const inLine = await inTx(app, work, { maxConflicts, onTries: countTries(app.metrics, "settle") });
    if (inLine > 0) app.signals.emit("claimable");
    return undefined;
  } catch (error) {
    const [only] = runs;
    if (error instanceof StaleJob && only && runs.length === 1) return new LostLease(only.claim.job._id);
    throw error;
  }
}
