// Cancels or refunds jobs of any accounts at an operator's request, in the caller's transaction.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { loadAccounts } from "../../identity/accounts/load.ts";
import type { App } from "../../kernel/app.ts";
import { type WhyLeft, whyLeft } from "./act-rules.ts";
import { announce, cancelIn, type CancelOutcome } from "./cancel.ts";
import { stoppingOf } from "./resource.ts";
import { returnJob } from "./rules.ts";
import { findJobs } from "./store-changes.ts";
import { JobWrites } from "./write.ts";

export type JobId = { readonly id: string; readonly accountId: string };

/** The outcome for one job: the action with the credits that it moves, or the reason why it was skipped. */
export type JobVerdict =
  | { readonly id: string; readonly done: true; readonly credits: number; readonly detail: string }
  | { readonly id: string; readonly done: false; readonly why: WhyLeft };

/**
 * Writes all of them, or nothing. Each is decided by its state in this transaction, so a repeat changes nothing. Call `announce` after the
 * commit.
 */
export async function actOnJobs(
  app: App,
  act: "cancel" | "refund",
  wanted: readonly JobId[],
  tx: TxContext,
): Promise<{ verdicts: JobVerdict[]; announce: () => void }> {
  const ids = wanted.map(({ id, accountId }) => ({ jobId: id, accountId }));
  const jobs = await findJobs(app.mongo.db, ids, tx);
  const accounts = await loadAccounts(app, [...new Set(ids.map(({ accountId }) => accountId))], tx);
  const writes = new JobWrites(tx);
  const told: CancelOutcome = { changed: [], cancelRequested: [], released: [] };
  const verdicts: JobVerdict[] = [];
  for (const { id, accountId } of wanted) {
    const [job, loaded] = [jobs.get(id), accounts.get(accountId)];
    const why =
      job && loaded
        ? whyLeft(act, job, { account: loaded.account.status, provider: stoppingOf(app, job) })
        : "gone";
    if (!job || !loaded || why) {
      verdicts.push({ id, done: false, why: why ?? "gone" });
      continue;
    }
    if (act === "cancel") cancelIn(app, { writes, told }, { job, loaded });
    else {
      writes.step(returnJob(loaded, job, tx.now));
      told.changed.push(id);
    }
    verdicts.push({ id, done: true, credits: job.credits, detail: `${job.credits} credits of ${accountId}` });
  }
  await writes.commit(app);
  return { verdicts, announce: () => announce(app, told) };
}
