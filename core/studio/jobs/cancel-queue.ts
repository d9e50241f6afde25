// The queue of jobs to cancel: requests that arrive at the same time are cancelled in one transaction.
import { AppError } from "../../../proto/codes.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import { createGroupCommit, type Deadline } from "../../base/mongo/group-commit.ts";
import type { App } from "../../kernel/app.ts";
import { findArchivedJob } from "./archived-jobs.ts";
import { decideCancelling } from "./cancel-rules.ts";
import { type Cancelled, cancelJobs, type CancelRequest } from "./cancel.ts";

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
