// Deletes files of a job for its owner. The job, its cost and the facts about the files stay.
import { AppError } from "../../../proto/codes.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { markDeleted, removeDeleted } from "../../kernel/outputs/delete.ts";
import type { OutputDoc } from "../../kernel/outputs/store.ts";
import { findOwnJob } from "./get.ts";
import { isEnded } from "./rules.ts";
import { findJobs } from "./store-changes.ts";
import { saveOutputsDeleted } from "./store-changes.ts";
import { findGivenFiles } from "./store-reads.ts";

export type Deletion = {
  readonly accountId: string;
  readonly jobId: string;
  /** Empty means all of them. */
  readonly outputIds: readonly string[];
};

/**
 * Safe to repeat. If a waiting or running job was given a file, its bytes are kept for that job alone, until it cannot run any more.
 * Errors: job_not_found, job_not_ended; not_found for what is not an output of the job.
 */
export async function deleteOutputs(app: App, { accountId, jobId, outputIds }: Deletion): Promise<void> {
  const { db } = app.mongo;
  const chosen = await inTx(app, async (tx) => {
    const found = await findJobs(db, [{ accountId, jobId }], tx);
    // The files of an archived job are long gone.
    const job = found.get(jobId) ?? (await findOwnJob(app, accountId, jobId));
    if (!isEnded(job.state)) throw notEnded();
    const outputs = choose(job.outputs, outputIds);
    const fresh = outputs.filter(({ deleted_at, expires_at }) => !deleted_at && expires_at > tx.now);
    if (fresh.length > 0) {
      await markDeleted(app, { accountId, jobId, outputs: fresh }, tx);
      const ids = fresh.map(({ output_id }) => output_id);
      await saveOutputsDeleted(db, { accountId, jobId, outputIds: ids }, tx.now, tx);
    }
    return outputs;
  });
  // This also runs if there was nothing to mark: the first time may have ended before this.
  await removeDeleted(app, chosen, (fileIds) => findGivenFiles(db, accountId, fileIds));
}

function choose(outputs: readonly OutputDoc[], ids: readonly string[]): readonly OutputDoc[] {
  if (ids.length === 0) return outputs;
  const chosen = outputs.filter(({ output_id }) => ids.includes(output_id));
  if (chosen.length < new Set(ids).size) throw new AppError("not_found");
  return chosen;
}

function notEnded(): AppError {
  return new AppError("job_not_ended", {
    message: "The job has not ended yet, so it has no files to delete.",
    hint: "Wait until it has ended, or cancel it.",
  });
}
