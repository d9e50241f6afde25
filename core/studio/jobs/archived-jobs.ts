// Reads archived jobs by their ids.
import type { App } from "../../kernel/app.ts";
import { readAbout, readAboutAnyJob } from "../../kernel/archive/find-segments.ts";
import { type ArchivedJob, joinJob } from "./archive-rules.ts";
import type { JobDoc } from "./store.ts";

/** How jobs are read from segments. */
export const ARCHIVED_JOBS = {
  kind: "jobs",
  join: joinJob,
  positionOf: ({ _id }: JobDoc): string => _id,
} as const;

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
