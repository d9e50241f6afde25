// Job documents. Named queries only; no decisions.
import type { Source } from "../../proto/caller.ts";
import {
  generateRequestSchema,
  type JobEventResource,
  type JobRequest,
  type JobResource,
  type Modality,
} from "../../proto/resources/job.ts";
import type { Portion } from "../credits/grant-rules.ts";
import type { ClientSession, Collection, Db } from "../mongo/client.ts";
import { groupBy } from "../mongo/group-by.ts";
import type { CollectionSpec } from "../mongo/indexes.ts";
import type { OutputDoc } from "../outputs/store.ts";

export type JobState = JobResource["state"];

/** An event's number is its place in the array, from 1; the ledger entry of a money event follows from the job's id. */
export type EventDoc = {
  type: JobEventResource["type"];
  /** State of the job after the transaction that wrote this event. */
  state: JobState;
  at: Date;
  detail?: Record<string, unknown>;
};

export type JobErrorDoc = { code: string; message: string };

type Filled = {
  params: Record<string, unknown>;
  metadata: Record<string, string>;
  callback_url: string | null;
};

/** A request as its job keeps it: whole. A field that came later is absent from jobs that were made before. */
export type Asked = Omit<JobRequest, keyof Filled> & Filled;

/**
 * One job with its whole history, so that state and events change in one write.
 *
 * Updates: claim, heartbeat, progress, settle, cancel, expiry, rescue; its words and files go with its account. Deletion: never.
 * Guarantees: `version` is the number of events; every write of a worker names `epoch`, which grows with each claim and rescue, so
 * a worker that lost its lease writes nothing.
 */
export type JobDoc = Asked & {
  _id: string;
  account_id: string;
  key_id: string | null;
  source: Source;
  provider: string;
  provider_model: string;
  provider_options: Record<string, unknown>;
  /** Price of the whole job. */
  credits: number;
  /** Which grants that expire its credits were held from; absent where all of them were of those that last. */
  held_from?: readonly Portion[];
  estimated_seconds: number;
  run_timeout_ms: number;
  state: JobState;
  version: number;
  events: EventDoc[];
  created_at: Date;
  /** A job that still waits then fails with queue_timeout. */
  queue_deadline: Date;
  started_at: Date | null;
  ended_at: Date | null;
  epoch: number;
  lease: { worker: string; until: Date } | null;
  /** How often another worker had to take it over. */
  rescues: number;
  outputs: OutputDoc[];
  error: JobErrorDoc | null;
};

/**
 * Which job an account's Idempotency-Key made. Apart from the jobs, because MongoDB reads the description of every index of a
 * collection for each document that it updates in a transaction.
 *
 * Updates: never. Deletion: with its account.
 * Guarantees: one job for each key of an account, by the id.
 */
export type IdempotencyDoc = {
  /** Account, space, key. */
  _id: string;
  account_id: string;
  job_id: string;
  /** Of the request that made it: the key may repeat that one, and no other. */
  request_sha256: string;
};

/** As much of a job as tells what it cost. */
export type JobCost = Pick<JobDoc, "model_slug" | "credits" | "state" | "created_at" | "started_at">;

export const JOB_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "jobs",
    indexes: [
      {
        name: "account_newest",
        key: { account_id: 1, _id: -1 },
        why: "the job list of an account; what its newest jobs cost",
      },
      {
        // One index for all three, because each index on what changes with the state costs every step of every job.
        name: "live",
        key: { state: 1, account_id: 1, _id: 1, "lease.until": 1, queue_deadline: 1 },
        options: { partialFilterExpression: { state: { $in: ["reserved", "running"] } } },
        why: "the oldest waiting jobs of accounts and the place in a queue; running jobs whose lease has ended; waiting jobs whose time is over",
      },
    ],
  },
  { name: "idempotency_keys", indexes: [] },
];

const COUNT_BOUND_MS = 2_000;

export function jobs(db: Db): Collection<JobDoc> {
  return db.collection("jobs");
}

function idempotencyKeys(db: Db): Collection<IdempotencyDoc> {
  return db.collection("idempotency_keys");
}

export async function findJob(db: Db, accountId: string, jobId: string): Promise<JobDoc | null> {
  return jobs(db).findOne({ _id: jobId, account_id: accountId });
}

/** Whosever it is. */
export async function findJobById(db: Db, jobId: string): Promise<JobDoc | null> {
  return jobs(db).findOne({ _id: jobId });
}

/** Jobs by id inside a transaction. */
export async function findJobs(
  db: Db,
  ids: readonly { accountId: string; jobId: string }[],
  session: ClientSession,
): Promise<Map<string, JobDoc>> {
  if (ids.length === 0) return new Map();
  const found = await jobs(db)
    .find(
      {
        account_id: { $in: [...new Set(ids.map(({ accountId }) => accountId))] },
        _id: { $in: ids.map(({ jobId }) => jobId) },
      },
      // By _id: the account index would be walked whole.
      { session, hint: "_id_" },
    )
    .toArray();
  return new Map(found.map((job) => [job._id, job]));
}

/** What these keys made earlier, by id. */
export async function findIdempotencyKeys(
  db: Db,
  ids: readonly string[],
  session: ClientSession,
): Promise<Map<string, IdempotencyDoc>> {
  if (ids.length === 0) return new Map();
  const found = await idempotencyKeys(db)
    .find({ _id: { $in: [...ids] } }, { session })
    .toArray();
  return new Map(found.map((doc) => [doc._id, doc]));
}

export async function insertIdempotencyKeys(
  db: Db,
  docs: readonly IdempotencyDoc[],
  session: ClientSession,
): Promise<void> {
  if (docs.length > 0) await idempotencyKeys(db).insertMany([...docs], { session, ordered: false });
}

export async function insertJobs(db: Db, docs: readonly JobDoc[], session: ClientSession): Promise<void> {
  if (docs.length > 0) await jobs(db).insertMany(docs as JobDoc[], { session, ordered: false });
}

/** What must still be true of a job for a change to be written: it is as it was read, or runs under this worker's lease. */
export type JobGuard =
  | { readonly epoch: number; readonly version: number }
  | { readonly epoch: number; readonly worker: string };

/** Fields that a write sets; events are appended. */
export type JobChange = {
  readonly job: Pick<JobDoc, "_id" | "account_id" | "callback_url">;
  readonly guard: JobGuard;
  readonly set: Partial<
    Pick<JobDoc, "state" | "started_at" | "ended_at" | "epoch" | "lease" | "rescues" | "outputs" | "error">
  >;
  readonly events: readonly EventDoc[];
};

/** A job is not as a change expects it. The transaction must not commit. */
export class StaleJob extends Error {
  override readonly name = "StaleJob";
}

/** Throws StaleJob when one of them is not as its guard says. */
export async function updateJobs(
  db: Db,
  changes: readonly JobChange[],
  session: ClientSession,
): Promise<void> {
  if (changes.length === 0) return;
  const groups = groupBy(changes, ({ guard, set }) => JSON.stringify([guard, Object.keys(set).sort()]));
  const { matchedCount } = await jobs(db).bulkWrite(
    groups.map((group) => ({ updateMany: updateTogether(group) })),
    { session, ordered: false },
  );
  if (matchedCount !== changes.length) {
    throw new StaleJob(`${changes.length - matchedCount} of ${changes.length} jobs are not as they were`);
  }
}

/** One statement for all changes of one kind, each job getting its own values: half the cost of a statement for each. */
function updateTogether(group: readonly [JobChange, ...JobChange[]]) {
  const ids = group.map(({ job }) => job._id);
  const place = { $indexOfArray: [{ $literal: ids }, "$_id"] };
  const own = (value: (change: JobChange) => unknown) => {
    const values = group.map(value);
    const alike = values.every((one) => one === values[0]);
    return alike ? { $literal: values[0] } : { $arrayElemAt: [{ $literal: values }, place] };
  };
  const fields = Object.keys(group[0].set) as (keyof JobChange["set"])[];
  return {
    filter: {
      _id: { $in: ids },
      account_id: { $in: group.map(({ job }) => job.account_id) },
      ...asItMustBe(group[0].guard),
    },
    // Without it every update would try its plans against each other.
    hint: "_id_",
    update: [
      {
        $set: {
          ...Object.fromEntries(fields.map((field) => [field, own(({ set }) => set[field])])),
          version: { $add: ["$version", own(({ events }) => events.length)] },
          events: { $concatArrays: ["$events", own(({ events }) => events)] },
        },
      },
    ],
  };
}

function asItMustBe(guard: JobGuard) {
  if ("version" in guard) return guard;
  return { epoch: guard.epoch, state: "running" as const, "lease.worker": guard.worker };
}

/** Ids of all waiting jobs of these accounts, oldest first in each. For accounts with short queues: all of it is read. */
export async function findWaitingIds(
  db: Db,
  accountIds: readonly string[],
  session: ClientSession,
): Promise<{ accountId: string; jobId: string }[]> {
  if (accountIds.length === 0) return [];
  const found = await jobs(db)
    .find(
      { state: "reserved", account_id: { $in: [...accountIds] } },
      { session, projection: { account_id: 1 }, hint: "live" },
    )
    .sort({ state: 1, account_id: 1, _id: 1 })
    .toArray();
  return found.map(({ _id, account_id }) => ({ accountId: account_id, jobId: _id }));
}

/** Ids of the oldest waiting jobs of one account. */
export async function findOldestWaitingIds(
  db: Db,
  accountId: string,
  limit: number,
  session: ClientSession,
): Promise<{ accountId: string; jobId: string }[]> {
  const found = await jobs(db)
    .find(
      { state: "reserved", account_id: accountId },
      { session, projection: { account_id: 1 }, hint: "live" },
    )
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => ({ accountId, jobId: _id }));
}

/** The used concurrency slots of these accounts, counted from the running jobs. Accounts without any are not in the answer. */
export async function countRunning(
  db: Db,
  accountIds: readonly string[],
  session: ClientSession,
): Promise<Map<string, number>> {
  // Index entries only, counted here: MongoDB compiles a plan for each $group, which costs more than the rest of a claim.
  const found = await jobs(db)
    .find(
      { state: "running", account_id: { $in: [...accountIds] } },
      { session, projection: { _id: 0, account_id: 1 }, hint: "live" },
    )
    .toArray();
  const counts = new Map<string, number>();
  for (const { account_id: id } of found) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** How many jobs are in this state, as far as `atMost`, and which of their deadlines comes first. Reads index entries only. */
export async function countLive(
  db: Db,
  state: "reserved" | "running",
  atMost: number,
): Promise<{ count: number; firstDeadline: Date | undefined }> {
  const [found] = await jobs(db)
    .aggregate<{ count: number; firstDeadline: Date }>(
      [
        { $match: { state } },
        { $limit: atMost },
        { $group: { _id: null, count: { $sum: 1 }, firstDeadline: { $min: "$queue_deadline" } } },
      ],
      { hint: "live", maxTimeMS: COUNT_BOUND_MS },
    )
    .toArray();
  return { count: found?.count ?? 0, firstDeadline: found?.firstDeadline };
}

/** Moves the lease of jobs that this worker still holds. Answers how many it holds. */
export async function extendLeases(
  db: Db,
  worker: string,
  jobIds: readonly string[],
  until: Date,
): Promise<number> {
  const { matchedCount } = await jobs(db).updateMany(
    // One that has ended is revived as long as nobody has taken the job over; who is about to loses a write conflict to this.
    { _id: { $in: [...jobIds] }, state: "running", "lease.worker": worker },
    { $set: { "lease.until": until } },
    { hint: "_id_" },
  );
  return matchedCount;
}

/** Which of these jobs the worker holds. */
export async function findHeld(db: Db, worker: string, jobIds: readonly string[]): Promise<Set<string>> {
  const held = await jobs(db)
    .find(
      { _id: { $in: [...jobIds] }, state: "running", "lease.worker": worker },
      { projection: { _id: 1 }, hint: "_id_" },
    )
    .toArray();
  return new Set(held.map(({ _id }) => _id));
}

/** Ends the leases of jobs that a stopping worker could not finish, so that another takes them over at once. */
export async function giveBackLeases(
  db: Db,
  worker: string,
  jobIds: readonly string[],
  now: Date,
): Promise<void> {
  await jobs(db).updateMany(
    { _id: { $in: [...jobIds] }, state: "running", "lease.worker": worker },
    { $set: { "lease.until": now } },
    { hint: "_id_" },
  );
}

export async function findEndedLeases(db: Db, now: Date, limit: number): Promise<JobDoc[]> {
  // Looks at the index entries of all running jobs, which are as many as the workers have places.
  return jobs(db)
    .find({ state: "running", "lease.until": { $lte: now } }, { hint: "live" })
    .limit(limit)
    .toArray();
}

export async function findOverdue(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ accountId: string; jobId: string }[]> {
  // Looks at the index entries of all waiting jobs; nobody waits for this.
  const found = await jobs(db)
    .find(
      { state: "reserved", queue_deadline: { $lte: now } },
      { projection: { account_id: 1 }, hint: "live" },
    )
    .limit(limit)
    .toArray();
  return found.map(({ _id, account_id }) => ({ accountId: account_id, jobId: _id }));
}

/** Appends one event to a running job of this version. Answers false when epoch or version are no longer the ones named. */
export async function appendEvent(
  db: Db,
  job: Pick<JobDoc, "_id" | "account_id" | "epoch">,
  version: number,
  event: EventDoc,
): Promise<boolean> {
  const { matchedCount } = await jobs(db).updateOne(
    { _id: job._id, account_id: job.account_id, state: "running", epoch: job.epoch, version },
    { $push: { events: event }, $set: { version: version + 1 } },
    { hint: "_id_" },
  );
  return matchedCount === 1;
}

/** Whether the job is running under this epoch and has come as far as this version. */
export async function isAt(
  db: Db,
  job: Pick<JobDoc, "_id" | "account_id" | "epoch" | "version">,
): Promise<boolean> {
  const { _id, account_id, epoch, version } = job;
  const found = await jobs(db).findOne(
    { _id, account_id, state: "running", epoch, version },
    { projection: { _id: 1 }, hint: "_id_" },
  );
  return found !== null;
}

/** Which of these jobs have ended under the epoch of their claim. */
export async function findEndedUnder(
  db: Db,
  claims: readonly { job: Pick<JobDoc, "_id">; epoch: number }[],
): Promise<Set<string>> {
  const epochs = new Map(claims.map(({ job, epoch }) => [job._id, epoch]));
  const found = await jobs(db)
    .find(
      { _id: { $in: [...epochs.keys()] }, state: { $in: ["completed", "failed"] } },
      { projection: { epoch: 1 }, hint: "_id_" },
    )
    .toArray();
  return new Set(found.filter(({ _id, epoch }) => epoch === epochs.get(_id)).map(({ _id }) => _id));
}

export type JobFilter = { accountId: string; beforeId?: string; state?: string; modality?: string };

/** Newest first. */
export async function listJobDocs(db: Db, filter: JobFilter, limit: number): Promise<JobDoc[]> {
  return jobs(db)
    .find(
      {
        account_id: filter.accountId,
        ...(filter.beforeId && { _id: { $lt: filter.beforeId } }),
        ...(filter.state && { state: filter.state as JobState }),
        ...(filter.modality && { modality: filter.modality as Modality }),
      },
      { hint: "account_newest" },
    )
    .sort({ _id: -1 })
    .limit(limit)
    .toArray();
}

/** What the account's newest jobs cost, and when. */
export async function listCosts(db: Db, accountId: string, limit: number): Promise<JobCost[]> {
  return jobs(db)
    .find(
      { account_id: accountId },
      {
        projection: { _id: 0, model_slug: 1, credits: 1, state: 1, created_at: 1, started_at: 1 },
        hint: "account_newest",
        maxTimeMS: COUNT_BOUND_MS,
      },
    )
    .sort({ _id: -1 })
    .limit(limit)
    .toArray();
}

/** Place in the account's queue: 1 is next. */
export async function queuePosition(db: Db, accountId: string, jobId: string): Promise<number> {
  return jobs(db).countDocuments(
    { state: "reserved", account_id: accountId, _id: { $lte: jobId } },
    { hint: "live" },
  );
}

/** The version of each of these jobs. */
export async function findVersions(db: Db, jobIds: readonly string[]): Promise<Map<string, number>> {
  const found = await jobs(db)
    .find({ _id: { $in: [...jobIds] } }, { projection: { version: 1 }, hint: "_id_" })
    .toArray();
  return new Map(found.map(({ _id, version }) => [_id, version]));
}

/** Jobs by id, whosesoever they are. */
export async function readJobs(db: Db, jobIds: readonly string[]): Promise<JobDoc[]> {
  return jobs(db)
    .find({ _id: { $in: [...jobIds] } }, { hint: "_id_" })
    .toArray();
}

/** The Idempotency-Keys of an account, a range of their ids. */
export function streamIdempotencyKeys(
  db: Db,
  accountId: string,
  session: ClientSession,
): AsyncIterable<IdempotencyDoc> {
  return idempotencyKeys(db)
    .find({ _id: { $gte: `${accountId} `, $lt: `${accountId}!` } }, { session })
    .sort({ _id: 1 })
    .batchSize(1000);
}

/** Whose these jobs are, by id. */
export async function findOwners(
  db: Db,
  jobIds: readonly string[],
  session: ClientSession,
): Promise<Map<string, string>> {
  const found = await jobs(db)
    .find({ _id: { $in: [...jobIds] } }, { session, projection: { account_id: 1 }, hint: "_id_" })
    .toArray();
  return new Map(found.map(({ _id, account_id }) => [_id, account_id]));
}

/** All jobs of an account, ordered by id; without what users wrote. */
export function streamJobs(db: Db, accountId: string, session: ClientSession): AsyncIterable<JobDoc> {
  return jobs(db)
    .find(
      { account_id: accountId },
      { session, projection: { prompt: 0, params: 0, metadata: 0, outputs: 0 }, hint: "account_newest" },
    )
    .sort({ _id: 1 })
    .batchSize(1000);
}

/** From now on no end of these jobs is announced, but by a worker that has one in its hands. */
export async function eraseCallbackUrls(db: Db, accountId: string): Promise<void> {
  await jobs(db).updateMany(
    { account_id: accountId, state: { $in: ["reserved", "running"] }, callback_url: { $ne: null } },
    { $set: { callback_url: null } },
    { hint: "live" },
  );
}

export async function deleteIdempotencyKeys(db: Db, accountId: string): Promise<void> {
  // Their ids begin with the account; `!` follows the space that ends it.
  await idempotencyKeys(db).deleteMany({
    _id: { $gte: `${accountId} `, $lt: `${accountId}!` },
    account_id: accountId,
  });
}

/** Of what was asked for, only which model it was is counted. */
const ERASED = {
  ...Object.fromEntries(
    Object.keys(generateRequestSchema.omit({ modality: true, model_slug: true }).shape).map((name) => [
      name,
      "$$REMOVE",
    ]),
  ),
  prompt: "",
  params: { $literal: {} },
  metadata: { $literal: {} },
  callback_url: null,
};

/** Removes from ended jobs what their owner wrote, what was made of it, and what providers said about it. */
export async function eraseJobs(db: Db, accountId: string, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return;
  await jobs(db).updateMany(
    { _id: { $in: [...jobIds] }, account_id: accountId, state: { $nin: ["reserved", "running"] } },
    [
      {
        $set: {
          ...ERASED,
          outputs: [],
          error: null,
          events: {
            $map: {
              input: "$events",
              as: "event",
              in: { type: "$$event.type", state: "$$event.state", at: "$$event.at" },
            },
          },
        },
      },
    ],
    { hint: "_id_" },
  );
}
