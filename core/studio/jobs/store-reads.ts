// Reads jobs for their owners and watchers, the links of their files, and what the audit reads of them.
import { shareRead } from "../../base/mongo/batched-read.ts";
import { findingById } from "../../base/mongo/by-id.ts";
import type { Db } from "../../base/mongo/client.ts";
import type { SnapshotContext } from "../../base/mongo/in-tx.ts";
import { type IdempotencyDoc, idempotencyKeys, type JobDoc, jobs } from "./store.ts";

const COUNT_BOUND_MS = 2_000;

const readTogether = shareRead<JobDoc>(
  async (db, ids) => new Map((await readJobs(db, ids)).map((job) => [job._id, job])),
);

/** Read together with the jobs that others of this process read at the same time. */
export async function findJob(db: Db, accountId: string, jobId: string): Promise<JobDoc | undefined> {
  const job = (await readTogether(db, [jobId])).get(jobId);
  return job?.account_id === accountId ? job : undefined;
}

/** The ids of the account's newest jobs, read from the index alone. */
export async function findJobIds(
  db: Db,
  { accountId, beforeId }: { accountId: string; beforeId: string | undefined },
  limit: number,
): Promise<string[]> {
  const found = await jobs(db)
    .find(
      { account_id: accountId, ...(beforeId !== undefined && { _id: { $lt: beforeId } }) },
      { projection: { _id: 1 }, hint: "account_newest" },
    )
    .sort({ _id: -1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}

/** A job of any account. */
export const findJobById = findingById(jobs);

/** Jobs of any accounts, by id. */
export async function readJobs(db: Db, jobIds: readonly string[]): Promise<JobDoc[]> {
  return jobs(db)
    .find({ _id: { $in: [...jobIds] } }, { hint: "_id_" })
    .toArray();
}

/** The version of each of these jobs. */
export async function findVersions(db: Db, jobIds: readonly string[]): Promise<Map<string, number>> {
  const found = await jobs(db)
    .find({ _id: { $in: [...jobIds] } }, { projection: { version: 1 }, hint: "_id_" })
    .toArray();
  return new Map(found.map(({ _id, version }) => [_id, version]));
}

/** The part of a job with its cost. */
export type JobCost = Pick<
  JobDoc,
  "model_slug" | "credits" | "state" | "created_at" | "started_at" | "refunded_at" | "charged"
>;

/** The same part, with the key that asked for the job. */
export type JobCostOfKey = JobCost & Pick<JobDoc, "key_id">;

/** The cost and time of the account's newest jobs. */
export async function listCosts(db: Db, accountId: string, limit: number): Promise<JobCostOfKey[]> {
  return jobs(db)
    .find(
      { account_id: accountId },
      {
        projection: {
          _id: 0,
          model_slug: 1,
          credits: 1,
          state: 1,
          created_at: 1,
          started_at: 1,
          refunded_at: 1,
          charged: 1,
          key_id: 1,
        },
        hint: "account_newest",
        maxTimeMS: COUNT_BOUND_MS,
      },
    )
    .sort({ _id: -1 })
    .limit(limit)
    .toArray();
}

export type FailedJob = Pick<JobDoc, "_id" | "account_id" | "model_slug" | "error" | "ended_at">;

/** The newest failed jobs among a number of the newest jobs of all accounts; there is no index for this. */
export async function findFailedLately(
  db: Db,
  { among, limit }: { among: number; limit: number },
): Promise<FailedJob[]> {
  return jobs(db)
    .aggregate<FailedJob>([
      { $sort: { _id: -1 } },
      { $limit: among },
      { $match: { state: "failed" } },
      { $limit: limit },
      { $project: { account_id: 1, model_slug: 1, error: 1, ended_at: 1 } },
    ])
    .toArray();
}

/** All jobs of an account by id, without users' texts. */
export function streamJobs(db: Db, accountId: string, { session }: SnapshotContext): AsyncIterable<JobDoc> {
  return jobs(db)
    .find(
      { account_id: accountId },
      { session, projection: { prompt: 0, params: 0, metadata: 0, outputs: 0 }, hint: "account_newest" },
    )
    .sort({ _id: 1 })
    .batchSize(1000);
}

/** The Idempotency-Keys of an account, a range of their ids. */
export function streamIdempotencyKeys(
  db: Db,
  accountId: string,
  { session }: SnapshotContext,
): AsyncIterable<IdempotencyDoc> {
  return idempotencyKeys(db)
    .find({ _id: { $gte: `${accountId} `, $lt: `${accountId}!` } }, { session })
    .sort({ _id: 1 })
    .batchSize(1000);
}

/** The accounts that these jobs belong to, by job id. */
export async function findOwners(
  db: Db,
  jobIds: readonly string[],
  { session }: SnapshotContext,
): Promise<Map<string, string>> {
  const found = await jobs(db)
    .find({ _id: { $in: [...jobIds] } }, { session, projection: { account_id: 1 }, hint: "_id_" })
    .toArray();
  return new Map(found.map(({ _id, account_id }) => [_id, account_id]));
}

/** Which of these files are inputs of waiting or running jobs of the account. */
export async function findGivenFiles(
  db: Db,
  accountId: string,
  fileIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const live = await jobs(db)
    .find(
      {
        state: { $in: ["reserved", "running"] },
        account_id: accountId,
        "inputs.file_id": { $in: [...fileIds] },
      },
      { projection: { inputs: 1 }, hint: "live" },
    )
    .toArray();
  return new Set(live.flatMap(({ inputs = [] }) => inputs.map(({ file_id }) => file_id)));
}

export type FileOrigin = Pick<JobDoc, "prompt" | "outputs">;

/** The part of a job from which its files' names are made. */
export async function findFileOrigin(db: Db, accountId: string, jobId: string): Promise<FileOrigin | null> {
  return jobs(db).findOne(
    { _id: jobId, account_id: accountId },
    { projection: { _id: 0, prompt: 1, outputs: 1 } },
  );
}
