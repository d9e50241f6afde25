// Pages of an account's jobs, and the jobs of all accounts that an operator selects.
import { z } from "zod";
import { parseRequest } from "../../../proto/resources/issues.ts";
import {
  jobStatesSchema,
  metadataFilterSchema,
  modelFilterSchema,
  promptSearchSchema,
  statesIn,
  wordsIn,
} from "../../../proto/resources/job-filter.ts";
import { type JobResource, modalitySchema } from "../../../proto/resources/job.ts";
import { jobIdFilterSchema, MAX_PAGE, timeSchema } from "../../../proto/resources/page.ts";
import type { Some } from "../../base/mongo/read-some.ts";
import type { App } from "../../kernel/app.ts";
import { withArchived } from "../../kernel/archive/history.ts";
import { given, pageFields, type PageRequest, readCursor, toPage } from "../../kernel/page.ts";
import { type ArchivedJob, fitsJobFilter } from "./archive-rules.ts";
import { ARCHIVED_JOBS, findArchivedJobs } from "./archived-jobs.ts";
import { toJobs } from "./resource.ts";
import { findEnded, findJobsLike, type JobFilter, LIVE, madeAt, type NewlyEnded } from "./store-list.ts";
import { type FailedJob, findFailedLately } from "./store-reads.ts";
import { type JobSelection, type SelectedJob, streamSelected } from "./store-select.ts";
import type { JobDoc } from "./store.ts";

/** For an account that has more, the next page continues there. */
const MAX_READ = 5_000;

/** An empty text stands for a filter that was not given. */
export type JobQuery = PageRequest & {
  readonly accountId: string;
  /** One or several states, with commas between them. */
  readonly state?: string;
  readonly modality?: string;
  readonly model?: string;
  /** Limits of created_at in RFC 3339, `since` included and `until` excluded. */
  readonly since?: string;
  readonly until?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Words that the prompt must all contain. */
  readonly search?: string;
  /** Only these jobs. */
  readonly job_ids?: readonly string[];
  /** Only favourites that still have a file. */
  readonly starred?: boolean;
};

const querySchema = z.object({
  ...pageFields,
  state: jobStatesSchema.optional(),
  modality: modalitySchema.optional(),
  model: modelFilterSchema.optional(),
  since: timeSchema.optional(),
  until: timeSchema.optional(),
  metadata: metadataFilterSchema.optional(),
  search: promptSearchSchema.optional(),
  job_ids: z.array(jobIdFilterSchema).max(MAX_PAGE).optional(),
  starred: z.boolean().optional(),
});

/**
 * Newest first. If such jobs are rare in the account, a page may have fewer than `limit` of them, even none, and still a cursor: it marks
 * where reading stopped, and `lookedBackTo` says when the last job read was made. `starred` has the ids of those that are favourites. Errors:
 * invalid_request naming the parameters.
 */
export async function listJobs(
  app: App,
  { accountId, ...asked }: JobQuery,
  maxRead = MAX_READ,
): Promise<{
  jobs: JobResource[];
  starred: ReadonlySet<string>;
  nextCursor: string;
  lookedBackTo?: string;
}> {
  const query = parseRequest(querySchema, given(asked));
  const { state, modality, model, since, until, metadata, search, job_ids: jobIds = [] } = query;
  const { found, stoppedAt } = await findWholeHistory(
    app,
    {
      accountId,
      beforeId: query.cursor?.startsWith("job_") ? query.cursor : readCursor(query.cursor, "job_"),
      states: state === undefined ? undefined : statesIn(state),
      modality,
      model,
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
      metadata,
      words: search === undefined ? undefined : wordsIn(search),
      jobIds: jobIds.length === 0 ? undefined : jobIds,
      starredAt: query.starred ? app.clock.now() : undefined,
    },
    { limit: query.limit + 1, maxRead },
  );
  const { rows, nextCursor } = toPage(found, query.limit, ({ _id }) => _id, stoppedAt);
  return {
    jobs: await toJobs(app, rows),
    starred: new Set(rows.filter((row) => row.starred).map(({ _id }) => _id)),
    nextCursor,
    ...(stoppedAt !== undefined && { lookedBackTo: madeAt(stoppedAt).toISOString() }),
  };
}

/** The jobs that completed or failed last, of those that did after `since`. */
export async function listEnded(
  app: App,
  accountId: string,
  page: { since: Date; limit: number },
): Promise<NewlyEnded[]> {
  return findEnded(app.mongo.db, accountId, page);
}

/** Live jobs first, then archived ones: jobs only ever move from the former to the latter, the oldest first. */
async function findWholeHistory(
  app: App,
  filter: JobFilter,
  bounds: { limit: number; maxRead: number },
): Promise<Some<JobDoc | ArchivedJob>> {
  const live = await findJobsLike(app.mongo.db, filter, bounds);
  // No archived job has a file.
  const mayBeArchived = !filter.starredAt && filter.states?.every((state) => LIVE.includes(state)) !== true;
  if (!mayBeArchived || live.stoppedAt !== undefined || live.found.length >= bounds.limit) return live;
  const older = { ...filter, beforeId: live.found.at(-1)?._id ?? filter.beforeId };
  const { accountId, beforeId: before, jobIds, since, until } = older;
  const fits = (job: JobDoc | ArchivedJob) => fitsJobFilter(job, older);
  if (jobIds) {
    const archived = (await findArchivedJobs(app, accountId, jobIds)).filter(fits);
    return { found: [...live.found, ...archived.sort((a, b) => (a._id < b._id ? 1 : -1))] };
  }
  const rows = { ...ARCHIVED_JOBS, accountId, before, since, until, fits };
  return withArchived<JobDoc | ArchivedJob, string>(app, live, rows, bounds.limit);
}

const AMONG = 1_000;

/** In no particular order, up to `limit`. */
export function selectJobs(
  { mongo }: Pick<App, "mongo">,
  selection: JobSelection,
  limit: number,
): AsyncIterable<SelectedJob> {
  return streamSelected(mongo.db, selection, limit);
}

export async function failedLately(app: Pick<App, "mongo">, limit: number): Promise<FailedJob[]> {
  return findFailedLately(app.mongo.db, { among: AMONG, limit });
}
