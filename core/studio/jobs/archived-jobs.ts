// Reads archived jobs with the queries of the live ones.
import type { Some } from "../../base/mongo/read-some.ts";
import type { App } from "../../kernel/app.ts";
import { readAbout, readAboutAnyJob, segmentsBefore } from "../../kernel/archive/find-segments.ts";
import { readSegment } from "../../kernel/archive/read-segment.ts";
import { type ArchivedJob, fitsJobFilter, joinJob } from "./archive-rules.ts";
import type { JobFilter } from "./store-list.ts";

/** The most segments that are read for one page; a longer search continues with the next page. */
const MAX_SEGMENTS = 20;

export async function findArchivedJob(
  app: App,
  accountId: string,
  jobId: string,
): Promise<ArchivedJob | undefined> {
  const rows = await readAbout(app, { accountId, kind: "jobs" }, [jobId]);
  return rows.map(joinJob).find(({ _id }) => _id === jobId);
}

/** Those of them that are archived. */
export async function findArchivedJobs(
  app: App,
  accountId: string,
  jobIds: readonly string[],
): Promise<ArchivedJob[]> {
  const wanted = new Set(jobIds);
  const rows = await readAbout(app, { accountId, kind: "jobs" }, jobIds);
  return rows.map(joinJob).filter(({ _id }) => wanted.has(_id));
}

/** A job of any account. It searches the records of all accounts. */
export async function findAnyArchivedJob(app: App, jobId: string): Promise<ArchivedJob | undefined> {
  const rows = await readAboutAnyJob(app, jobId);
  return rows.map(joinJob).find(({ _id }) => _id === jobId);
}

/** Newest first, like findJobsLike. */
export async function listArchivedJobs(
  app: App,
  filter: JobFilter,
  limit: number,
): Promise<Some<ArchivedJob>> {
  const { accountId, jobIds, since, until } = filter;
  if (jobIds) return { found: (await findThese(app, accountId, jobIds)).slice(0, limit) };
  const found: ArchivedJob[] = [];
  const stoppedAt = await eachArchivedJob(
    app,
    accountId,
    filter.beforeId,
    (job) => {
      if (fitsJobFilter(job, filter)) found.push(job);
      return found.length < limit;
    },
    { since, until },
  );
  return { found, stoppedAt };

  async function findThese(app: App, accountId: string, ids: readonly string[]): Promise<ArchivedJob[]> {
    return (await findArchivedJobs(app, accountId, ids))
      .filter((job) => fitsJobFilter(job, filter))
      .sort((a, b) => (a._id < b._id ? 1 : -1));
  }
}

/**
 * Passes jobs before this one to `see`, the newest first, until it returns false. Returns the id of the last job that was read, if reading
 * stopped before the end.
 */
export async function eachArchivedJob(
  app: App,
  accountId: string,
  beforeId: string | undefined,
  see: (job: ArchivedJob) => boolean,
  times: { since?: Date | undefined; until?: Date | undefined } = {},
): Promise<string | undefined> {
  const range = { accountId, kind: "jobs" as const, before: beforeId, ...times };
  const segments = await segmentsBefore(app, range, MAX_SEGMENTS + 1);
  let last: string | undefined;
  for (const segment of segments.slice(0, MAX_SEGMENTS)) {
    for (const job of (await readSegment(app, segment)).map(joinJob).reverse()) {
      if (beforeId !== undefined && job._id >= beforeId) continue;
      if (!see(job)) return undefined;
      last = job._id;
    }
  }
  return segments.length > MAX_SEGMENTS ? last : undefined;
}
