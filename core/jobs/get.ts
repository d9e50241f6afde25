// Reads jobs. Another account's job looks exactly like one that does not exist.
import { AppError } from "../../proto/codes.ts";
import { JOB_STATES, MODALITIES } from "../../proto/resources/job.ts";
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import type { App } from "../app.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { describeJobs } from "./message.ts";
import { isEnded } from "./rules.ts";
import { findJob, type JobDoc, type JobFilter, listJobDocs } from "./store.ts";
import type { JobWatcher } from "./watch.ts";

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;

/** Errors: job_not_found. */
export async function findOwnJob(app: App, accountId: string, jobId: string): Promise<JobDoc> {
  const job = await findJob(app.mongo.db, accountId, jobId);
  if (!job) throw new AppError("job_not_found");
  return job;
}

/** The job, at once or as soon as it has ended, at the latest after `waitSeconds`. */
export async function getJob(
  app: App,
  watcher: JobWatcher,
  { accountId, jobId, waitSeconds }: { accountId: string; jobId: string; waitSeconds: number },
  signal: AbortSignal,
): Promise<Job> {
  let job = await findOwnJob(app, accountId, jobId);
  const untilMs = Date.now() + waitSeconds * 1000;
  while (!isEnded(job.state) && Date.now() < untilMs) {
    if (!(await watcher.changed(jobId, job.version, untilMs - Date.now(), signal))) break;
    job = await findOwnJob(app, accountId, jobId);
  }
  return describeJob(app, job);
}

export async function describeJob(app: App, doc: JobDoc): Promise<Job> {
  const [job] = await describeJobs(app, [doc]);
  if (!job) throw new Error("describeJobs answers as many as it is given");
  return job;
}

export type JobQuery = { accountId: string; limit: number; cursor: string; state: string; modality: string };

/** A page of the account's jobs, newest first. Errors: invalid_request naming the parameter. */
export async function listJobs(app: App, query: JobQuery): Promise<{ jobs: Job[]; nextCursor: string }> {
  const limit = query.limit === 0 ? DEFAULT_PAGE : query.limit;
  if (limit < 1 || limit > MAX_PAGE) throw invalid("limit", `must be from 1 to ${MAX_PAGE}`);
  requireOneOf("state", query.state, JOB_STATES);
  requireOneOf("modality", query.modality, MODALITIES);
  const filter: JobFilter = { accountId: query.accountId, state: query.state, modality: query.modality };
  if (query.cursor) {
    filter.beforeId = decodeCursor(query.cursor);
    if (!filter.beforeId) throw invalid("cursor", "is not one that an earlier page gave");
  }
  const found = await listJobDocs(app.mongo.db, filter, limit + 1);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    jobs: await describeJobs(app, page),
    nextCursor: found.length > limit && last ? encodeCursor(last._id) : "",
  };
}

function requireOneOf(path: string, value: string, allowed: readonly string[]): void {
  if (value && !allowed.includes(value)) throw invalid(path, `must be one of ${allowed.join(", ")}`);
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid_request", { message: `${path} ${message}.`, issues: [{ path, message }] });
}
