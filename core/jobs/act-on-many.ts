// Cancels or refunds jobs of any accounts at an operator's wish, in the transaction of whoever asks.
import { loadAccounts } from "../accounts/load.ts";
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { type WhyLeft, whyLeft } from "./act-rules.ts";
import { decideCancelling, noteWish } from "./cancel-rules.ts";
import { stoppingOf } from "./resource.ts";
import { giveBackJob, releaseJob } from "./rules.ts";
import { tellStepsEnded } from "./steps.ts";
import { wakeParked } from "./store-calls.ts";
import { findJobs } from "./store-changes.ts";
import type { JobDoc } from "./store.ts";
import { JobWrites } from "./write.ts";

export type JobId = { readonly id: string; readonly accountId: string };

/** What became of one job: the act with the credits that it moves, or why it was left alone. */
export type JobVerdict =
  | { readonly id: string; readonly done: true; readonly credits: number; readonly detail: string }
  | { readonly id: string; readonly done: false; readonly why: WhyLeft };

type Told = { readonly changed: string[]; readonly wished: string[]; readonly released: JobDoc[] };

/**
 * Writes all of them, or nothing. Each is judged by what it is in this transaction, so that doing it twice changes nothing. `announce` is to
 * be called once it is committed.
 */
export async function actOnJobs(
  app: App,
  act: "cancel" | "refund",
  { wanted, at, session }: { wanted: readonly JobId[]; at: Date; session: ClientSession },
): Promise<{ verdicts: JobVerdict[]; announce: () => void }> {
  const ids = wanted.map(({ id, accountId }) => ({ jobId: id, accountId }));
  const jobs = await findJobs(app.mongo.db, ids, session);
  const accounts = await loadAccounts(app, [...new Set(ids.map(({ accountId }) => accountId))], session);
  const writes = new JobWrites();
  const told: Told = { changed: [], wished: [], released: [] };
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
    if (act === "refund") writes.step(giveBackJob(writes.latest(loaded), job, at));
    else if (decideCancelling(job, stoppingOf(app, job)) === "release") {
      writes.step(releaseJob(writes.latest(loaded), job, { state: "cancelled" }, at));
      told.released.push(job);
    } else await wish(app, writes, { job, at, session }, told);
    told.changed.push(id);
    verdicts.push({ id, done: true, credits: job.credits, detail: `${job.credits} credits of ${accountId}` });
  }
  await writes.commit(app, session);
  return { verdicts, announce: () => announce(app, told) };
}

/** A running job is ended by whoever runs it. */
async function wish(
  app: App,
  writes: JobWrites,
  { job, at, session }: { job: JobDoc; at: Date; session: ClientSession },
  { wished }: Told,
): Promise<void> {
  writes.change(noteWish(job, at));
  if (job.lease === null) await wakeParked(app.mongo.db, job._id, at, session);
  wished.push(job._id);
}

function announce(app: App, { changed, wished, released }: Told): void {
  const { signals } = app;
  if (changed.length === 0) return;
  signals.emit("changed", changed);
  for (const jobId of wished) signals.emit("wished", jobId);
  signals.emit("callable");
  signals.emit("claimable");
  signals.emit("deliverable");
  tellStepsEnded(app, released);
}
