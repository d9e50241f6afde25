// Reads jobs. Another account's job looks exactly like one that does not exist.
import { AppError } from "../../../proto/codes.ts";
import { createPermits, type Permits } from "../../../runtime/permits.ts";
import type { App } from "../../kernel/app.ts";
import type { ArchivedJob } from "./archive-rules.ts";
import { findAnyArchivedJob, findArchivedJob } from "./archived-jobs.ts";
import { isEnded } from "./rules.ts";
import { findJob, findJobById, readJobs } from "./store-reads.ts";
import type { JobDoc } from "./store.ts";
import { createJobWatcher, type JobWatcher } from "./watch.ts";

/** Live or archived. Errors: job_not_found. */
export async function findOwnJob(app: App, accountId: string, jobId: string): Promise<JobDoc | ArchivedJob> {
  const job =
    (await findJob(app.mongo.db, accountId, jobId)) ?? (await findArchivedJob(app, accountId, jobId));
  if (!job) throw new AppError("job_not_found");
  return job;
}

/** What every wait and every stream of this process shares: the listeners for changes, and how many there may be. */
export type Watching = {
  readonly watcher: JobWatcher;
  readonly open: Permits<"job" | "account" | "process">;
};

export function createWatching(app: App): Watching {
  const { rateLimits, openPerJob, openPerAccount, openPerProcess } = app.config;
  const refusals = app.metrics.counter(
    "open_refusals_total",
    "Event streams and waits refused because too many were open.",
    ["of"],
  );
  const most = (count: number) => (rateLimits ? count : Number.POSITIVE_INFINITY);
  const open = createPermits(
    {
      job: { most: most(openPerJob), words: "event streams and waits open for this job" },
      account: { most: most(openPerAccount), words: "event streams and waits open for this account" },
      process: { most: most(openPerProcess), words: "event streams and waits open here" },
    },
    (of) => refusals.inc({ of }),
  );
  return { watcher: createJobWatcher(app), open };
}

/** For operators: a job of any account. Errors: job_not_found. */
export async function findAnyJob(app: App, jobId: string): Promise<JobDoc | ArchivedJob> {
  const job = (await findJobById(app.mongo.db, jobId)) ?? (await findAnyArchivedJob(app, jobId));
  if (!job)
    throw new AppError("job_not_found", {
      message: "No account has a job with this id.",
      hint: "Check the job_id for typing errors.",
    });
  return job;
}

/** Returns the job immediately, or as soon as it has ended, at the latest after `waitSeconds`. Errors: job_not_found, rate_limited. */
export async function getJob(
  app: App,
  { watcher, open }: Watching,
  { accountId, jobId, waitSeconds }: { accountId: string; jobId: string; waitSeconds: number },
  signal: AbortSignal,
): Promise<JobDoc | ArchivedJob> {
  let job = await findOwnJob(app, accountId, jobId);
  if (waitSeconds === 0 || isEnded(job.state)) return job;
  const leave = open.take({ job: jobId, account: accountId, process: "" });
  try {
    const untilMs = performance.now() + waitSeconds * 1000;
    while (!isEnded(job.state)) {
      const changed = await watcher.changed(jobId, job.version, untilMs - performance.now(), signal);
      if (!changed) break;
      job = changed;
    }
  } finally {
    leave();
  }
  return job;
}

/** For operators: jobs of any accounts, by id. */
export async function findAnyJobs(
  { mongo }: Pick<App, "mongo">,
  jobIds: readonly string[],
): Promise<Map<string, JobDoc>> {
  const found = await readJobs(mongo.db, jobIds);
  return new Map(found.map((job) => [job._id, job]));
}
