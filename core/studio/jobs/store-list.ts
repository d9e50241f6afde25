// The jobs of an account, filtered and in pages, and the star to filter by. However few of the jobs match, one page reads a bounded number of
// documents.
import { decodeTime } from "ulid";
import type { Modality } from "../../../proto/resources/job.ts";
import { withoutPrefix } from "../../../runtime/clock.ts";
import type { Db } from "../../base/mongo/client.ts";
import { asItStands } from "../../base/mongo/due.ts";
import { readSome, type Some } from "../../base/mongo/read-some.ts";
import { idAt } from "./store-archive.ts";
import { type JobDoc, jobs } from "./store.ts";

export type JobFilter = {
  readonly accountId: string;
  readonly beforeId?: string | undefined;
  /** The states as clients name them. */
  readonly states?: readonly string[] | undefined;
  readonly modality?: Modality | undefined;
  readonly model?: string | undefined;
  /** Bounds of `created_at`: `since` is included, `until` is not. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Words that the prompt must all contain, in upper or lower case. */
  readonly words?: readonly string[] | undefined;
  readonly jobIds?: readonly string[] | undefined;
  /** Only favourites that have a file at this time. */
  readonly starredAt?: Date | undefined;
};

export const LIVE: readonly string[] = ["reserved", "running", "cancelling"];
/**
 * An id contains its creation time, by the clock of its process, which may have been set back since the job's time was taken; by this much
 * at most.
 */
const CLOCK_SLACK_MS = 60 * 60 * 1000;
/** Nearly every job ends within this time of its request: the queue has a limit of 24 hours. */
const MAX_LIFE_MS = 3 * 24 * 60 * 60 * 1000;
const MAX_READ_OF_ENDED = 100;
/** In characters. */
const SHORT_PROMPT = 200;

/** At most `limit` jobs. Of the jobs that neither wait nor run, at most `maxRead` are read. */
export async function findJobsLike(
  db: Db,
  filter: JobFilter,
  { limit, maxRead }: { limit: number; maxRead: number },
): Promise<Some<JobDoc>> {
  const { states, jobIds } = filter;
  const within = withinOf(filter);
  const fits = fitsOf(filter);
  if (jobIds) {
    const these = { $and: [within, { _id: { $in: [...jobIds] } }], ...fits };
    return { found: await jobs(db).find(these, { hint: "_id_" }).sort({ _id: -1 }).limit(limit).toArray() };
  }
  // Waiting and running jobs have an index of their own, and a plan limits their number.
  const isLive = states !== undefined && states.every((state) => LIVE.includes(state));
  if (isLive || Object.keys(fits).length === 0) {
    const found = await jobs(db)
      .find({ ...within, ...fits }, { hint: isLive ? "live" : "account_newest" })
      .sort({ _id: -1 })
      .limit(limit)
      .toArray();
    return { found };
  }
  return readSome(jobs(db), within, fits, { hint: "account_newest", limit, maxRead });
}

/** A job that completed or failed; its prompt is cut short. */
export type NewlyEnded = Pick<JobDoc, "_id" | "modality" | "state" | "prompt"> & { readonly ended_at: Date };

/** The jobs that ended last after `since`, among the newest ones that the account has requested since or shortly before. */
export async function findEnded(
  db: Db,
  accountId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<NewlyEnded[]> {
  const within = withinOf({ accountId, since: new Date(since.getTime() - MAX_LIFE_MS) });
  return jobs(db)
    .aggregate<NewlyEnded>(
      [
        { $match: within },
        { $sort: { _id: -1 } },
        { $limit: MAX_READ_OF_ENDED },
        { $match: { state: { $in: ["completed", "failed"] }, ended_at: { $gt: since } } },
        { $sort: { ended_at: -1 } },
        { $limit: limit },
        {
          $project: {
            modality: 1,
            state: 1,
            ended_at: 1,
            prompt: { $substrCP: ["$prompt", 0, SHORT_PROMPT] },
          },
        },
      ],
      { hint: "account_newest" },
    )
    .toArray();
}

/** Marks the job as a favourite, or not; an archived one is not here. */
export async function saveStarred(
  db: Db,
  { accountId, jobId }: { accountId: string; jobId: string },
  starred: boolean,
): Promise<void> {
  const change = starred ? { $set: { starred: true as const } } : { $unset: { starred: "" as const } };
  await jobs(db).updateOne({ _id: jobId, account_id: accountId }, change, { hint: "_id_" });
}

/** The part of the index to read. */
function withinOf({ accountId, ...bounds }: JobFilter) {
  const range = idRange(bounds);
  return { account_id: accountId, ...(Object.keys(range).length > 0 && { _id: range }) };
}

/** The ids of jobs that were created within these times. */
export function idRange({ beforeId, since, until }: Pick<JobFilter, "beforeId" | "since" | "until">): {
  $lt?: string;
  $gte?: string;
} {
  const untilId = until && idAt("job", new Date(until.getTime() + CLOCK_SLACK_MS));
  const below = [beforeId, untilId].filter((id) => id !== undefined).sort()[0];
  return {
    ...(below !== undefined && { $lt: below }),
    ...(since && { $gte: idAt("job", new Date(since.getTime() - CLOCK_SLACK_MS)) }),
  };
}

/** When a job was created, according to its id. */
export function madeAt(jobId: string): Date {
  return new Date(decodeTime(withoutPrefix(jobId)));
}

/** The conditions on the documents themselves. */
function fitsOf({ states, modality, model, since, until, metadata = {}, words = [], starredAt }: JobFilter) {
  const created = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
  // By expression, because a name in metadata may contain dots and dollar signs.
  const pairs = Object.entries(metadata).map(([key, value]) => ({
    $eq: [{ $getField: { field: { $literal: key }, input: "$metadata" } }, { $literal: value }],
  }));
  return {
    ...(states && inStates(states)),
    ...(modality && { modality }),
    ...(model !== undefined && { model_slug: model }),
    ...(Object.keys(created).length > 0 && { created_at: created }),
    ...(pairs.length > 0 && { $expr: { $and: pairs } }),
    ...(words.length > 0 && {
      $and: words.map((word) => ({ prompt: { $regex: asItStands(word), $options: "i" } })),
    }),
    ...(starredAt && {
      starred: true as const,
      outputs: { $elemMatch: { deleted_at: { $exists: false }, expires_at: { $gt: starredAt } } },
    }),
  };
}

/** A running job that is being cancelled is stored as running, and shown as cancelling. */
function inStates(states: readonly string[]) {
  const stored = new Set(states.map((state) => (state === "cancelling" ? "running" : state)));
  const [running, cancelling] = [states.includes("running"), states.includes("cancelling")];
  const state = { $in: [...stored] as JobDoc["state"][] };
  if (running === cancelling) return { state };
  return {
    state,
    $or: [{ state: { $ne: "running" as const } }, { cancel_requested_at: { $exists: cancelling } }],
  };
}
