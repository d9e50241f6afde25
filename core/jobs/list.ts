// A page of an account's jobs.
import { z } from "zod";
import {
  jobStatesSchema,
  metadataFilterSchema,
  modelFilterSchema,
  promptSearchSchema,
  statesIn,
  wordsIn,
} from "../../proto/resources/job-filter.ts";
import { parseRequest } from "../../proto/resources/issues.ts";
import { type JobResource, modalitySchema } from "../../proto/resources/job.ts";
import { jobIdFilterSchema, MAX_PAGE, timeSchema } from "../../proto/resources/page.ts";
import type { App } from "../app.ts";
import { given, pageFields, type PageRequest, readCursor, toPage } from "../page.ts";
import { toJobs } from "./resource.ts";
import { findJobsLike, madeAt } from "./store-list.ts";

/** Of an account that has more, the next page goes on from there. */
const MAX_READ = 5_000;

/** Empty text is what was not asked for. */
export type JobQuery = PageRequest & {
  readonly accountId: string;
  /** One or several, with commas between. */
  readonly state?: string;
  readonly modality?: string;
  readonly model?: string;
  /** RFC 3339, of created_at: then or later, and before. */
  readonly since?: string;
  readonly until?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Words, all of which its prompt has. */
  readonly search?: string;
  /** Of these alone. */
  readonly job_ids?: readonly string[];
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
});

/**
 * Newest first. A page of jobs that are rare among those of the account may have fewer than `limit`, even none, and a cursor all the same:
 * it says where reading stopped, and `lookedBackTo` when the last job that was looked at was made. Errors: invalid_request naming the
 * parameters.
 */
export async function listJobs(
  app: App,
  { accountId, ...asked }: JobQuery,
  maxRead = MAX_READ,
): Promise<{ jobs: JobResource[]; nextCursor: string; lookedBackTo?: string }> {
  const query = parseRequest(querySchema, given(asked));
  const { state, modality, model, since, until, metadata, search, job_ids: jobIds = [] } = query;
  const { found, stoppedAt } = await findJobsLike(
    app.mongo.db,
    {
      accountId,
      beforeId: readCursor(query.cursor),
      states: state === undefined ? undefined : statesIn(state),
      modality,
      model,
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
      metadata,
      words: search === undefined ? undefined : wordsIn(search),
      jobIds: jobIds.length === 0 ? undefined : jobIds,
    },
    { limit: query.limit + 1, maxRead },
  );
  const { rows, nextCursor } = toPage(found, query.limit, ({ _id }) => _id, stoppedAt);
  return {
    jobs: await toJobs(app, rows),
    nextCursor,
    ...(stoppedAt !== undefined && { lookedBackTo: madeAt(stoppedAt).toISOString() }),
  };
}
