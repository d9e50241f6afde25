// Cancels jobs at their owners' request; requests that arrive at the same time share one transaction. A waiting job ends immediately; for a
// running one, its worker is told and ends it.
import { AppError } from "../../../proto/codes.ts";
import { countTries } from "../../base/mongo/count-tries.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import {
  type Batch,
  createGroupCommit,
  type Deadline,
  fulfilled,
  rejected,
} from "../../base/mongo/group-commit.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { loadAccounts, type LoadedAccount, type LoadedAccounts } from "../../identity/accounts/load.ts";
import type { App } from "../../kernel/app.ts";
import { findArchivedJob } from "./archived-jobs.ts";
import { decideCancelling } from "./cancel-rules.ts";
import { stoppingOf } from "./resource.ts";
import { changedJob, releaseJob } from "./rules.ts";
import { tellStepsEnded } from "./steps.ts";
import { findJobs } from "./store-changes.ts";
import type { JobDoc } from "./store.ts";
import { JobWrites } from "./write.ts";

export type CancelRequest = { readonly accountId: string; readonly jobId: string };

/** `not_live`: the account has no such job that could still be cancelled; it may be archived. */
type Cancelled = "cancelled" | "not_live";

/** What to announce after the commit. */
export type CancelOutcome = {
  readonly changed: string[];
  readonly cancelRequested: string[];
  readonly released: JobDoc[];
};

/**
 * Decides every request separately, in order, and commits all of them together. A repeat changes nothing. A refusal is its entry's
 * AppError: job_not_cancellable, or deadline_exceeded if no one waits for it any more.
 */
export async function cancelJobs(
  app: App,
  requests: readonly CancelRequest[],
  { isWanted, maxConflicts }: Batch,
): Promise<PromiseSettledResult<Cancelled>[]> {
  const work = async (tx: TxContext) => {
    const jobs = await findJobs(app.mongo.db, requests, tx);
    const accounts = await loadWaiting(app, [...jobs.values()], tx);
    const writes = new JobWrites(tx);
    const told: CancelOutcome = { changed: [], cancelRequested: [], released: [] };
    const decide = ({ accountId, jobId }: CancelRequest): PromiseSettledResult<Cancelled> => {
      const job = jobs.get(jobId);
      // Others of this batch may have asked for jobs of other accounts.
      if (job?.account_id !== accountId) return fulfilled("not_live");
      try {
        // Later requests for the same job find it changed.
        jobs.set(jobId, cancelIn(app, { writes, told }, { job, loaded: accounts?.get(accountId) }));
        return fulfilled("cancelled");
      } catch (error) {
        if (error instanceof AppError) return rejected(error);
        throw error;
      }
    };
    const results = requests.map((request, i) =>
      isWanted(i) ? decide(request) : rejected(new AppError("deadline_exceeded")),
    );
    await writes.commit(app);
    return { results, told };
  };
  // Nothing is done for callers who have gone.
  const beforeCommit = () => {
    if (!requests.some((_, i) => isWanted(i))) throw new AppError("deadline_exceeded");
  };
  const onTries = countTries(app.metrics, "cancel");
  const { results, told } = await inTx(app, work, { maxConflicts, beforeCommit, onTries });
  announce(app, told);
  return results;
}

/** The accounts of waiting jobs, whose credits come back. */
async function loadWaiting(
  app: App,
  jobs: readonly JobDoc[],
  tx: TxContext,
): Promise<LoadedAccounts | undefined> {
  const waiting = jobs.filter(({ state }) => state === "reserved");
  if (waiting.length === 0) return undefined;
  return loadAccounts(app, [...new Set(waiting.map(({ account_id }) => account_id))], tx);
}

type One = { readonly job: JobDoc; readonly loaded: LoadedAccount | undefined };

/** Adds the effects of cancelling the job, and returns the job as it is then. Throws job_not_cancellable. */
export function cancelIn(
  app: App,
  { writes, told }: { writes: JobWrites; told: CancelOutcome },
  { job, loaded }: One,
): JobDoc {
  switch (decideCancelling(job, stoppingOf(app, job))) {
    case "none":
      return job;
    case "request": {
      told.changed.push(job._id);
      told.cancelRequested.push(job._id);
      return changedJob(job, writes.requestCancel(job));
    }
    case "release": {
      if (!loaded) throw new Error(`account ${job.account_id} of job ${job._id} does not exist`);
      const step = releaseJob(loaded, job, { state: "cancelled" }, writes.now);
      writes.step(step);
      told.changed.push(job._id);
      told.released.push(job);
      return changedJob(job, step.change);
    }
  }
}

/** Tells this process what was committed. */
export function announce(app: App, { changed, cancelRequested, released }: CancelOutcome): void {
  const { signals } = app;
  if (changed.length === 0) return;
  signals.emit("changed", changed);
  for (const jobId of cancelRequested) signals.emit("cancel-requested", jobId);
  if (cancelRequested.length > 0) signals.emit("callable");
  if (released.length === 0) return;
  signals.emit("claimable");
  signals.emit("deliverable");
  tellStepsEnded(app, released);
}

const MAX_BATCH = 256;
/** Cancels that arrive together are mostly one customer's, and so write one account. */
const MIN_BATCH = 16;

/** A repeat changes nothing. Errors: job_not_found, job_not_cancellable. */
export type CancelJob = (request: CancelRequest, deadline?: Deadline) => Promise<void>;

export function createCancelQueue(app: App, maxBatch = MAX_BATCH): CancelJob {
  const cancel = createGroupCommit<CancelRequest, Cancelled>({
    maxBatch,
    minBatch: MIN_BATCH,
    commit: (requests, batch) => cancelJobs(app, requests, batch),
    isHopeless: isDatabaseAway,
    contention: app.mongo.contention,
  });
  return async (request, deadline) => {
    if ((await cancel(request, deadline)) === "not_live") await cancelArchived(app, request);
  };
}

/** An archived job has ended, which is reported to its owner. It is read outside the batch, because the whole batch would wait for it. */
async function cancelArchived(app: App, { accountId, jobId }: CancelRequest): Promise<void> {
  const job = await findArchivedJob(app, accountId, jobId);
  if (!job) throw new AppError("job_not_found");
  decideCancelling(job, undefined);
}
