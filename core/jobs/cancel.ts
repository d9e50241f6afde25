// Cancels a job at its owner's wish. A waiting job ends at once; for a running job, its worker is told and ends it.
import { AppError } from "../../proto/codes.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { inTx } from "../mongo/in-tx.ts";
import { type Cancelling, decideCancelling, noteWish } from "./cancel-rules.ts";
import { findOwnJob } from "./get.ts";
import { stoppingOf } from "./resource.ts";
import { releaseJob } from "./rules.ts";
import { tellStepsEnded } from "./steps.ts";
import { wakeParked } from "./store-calls.ts";
import { findJobs } from "./store-changes.ts";
import type { JobDoc } from "./store.ts";
import { JobWrites } from "./write.ts";

/** Asking again changes nothing. Errors: job_not_found, job_not_cancellable. */
export async function cancelJob(
  app: App,
  accountId: string,
  jobId: string,
  signal?: AbortSignal,
): Promise<void> {
  const at = app.clock.now();
  const work = async (session: ClientSession): Promise<{ cancelling: Cancelling; job: JobDoc }> => {
    const found = await findJobs(app.mongo.db, [{ accountId, jobId }], session);
    // One that is archived has ended, and that is what its owner is told.
    const job = found.get(jobId) ?? (await findOwnJob(app, accountId, jobId));
    const cancelling = decideCancelling(job, stoppingOf(app, job));
    const writes = new JobWrites();
    if (cancelling === "wish") {
      writes.change(noteWish(job, at));
      if (job.lease === null) await wakeParked(app.mongo.db, jobId, at, session);
    }
    if (cancelling === "release") {
      const loaded = (await loadAccounts(app, [accountId], session)).get(accountId);
      if (!loaded) throw new AppError("job_not_found");
      writes.step(releaseJob(loaded, job, { state: "cancelled" }, at));
    }
    await writes.commit(app, session);
    return { cancelling, job };
  };
  // Nothing is done for a caller who has gone.
  const beforeCommit = () => {
    if (signal?.aborted) throw new AppError("deadline_exceeded");
  };
  const { cancelling: done, job } = await inTx(app.mongo, work, { beforeCommit });
  if (done === "none") return;
  app.signals.emit("changed", [jobId]);
  if (done === "wish") {
    app.signals.emit("wished", jobId);
    app.signals.emit("callable");
    return;
  }
  app.signals.emit("claimable");
  app.signals.emit("deliverable");
  tellStepsEnded(app, [job]);
}
