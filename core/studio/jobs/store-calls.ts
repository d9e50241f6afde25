// Calls of providers, in their jobs, and the rows of suspended jobs.
import { inserting } from "../../base/mongo/by-id.ts";
import type { Db } from "../../base/mongo/client.ts";
import type { ReadContext, SnapshotContext, TxContext } from "../../base/mongo/in-tx.ts";
import { type CallDoc, type JobDoc, jobs, suspended, type SuspendedDoc } from "./store.ts";

/** Records which provider a running job goes to, before that provider is called. Returns false if the worker has lost the job. */
export async function saveCall(
  db: Db,
  held: { job: Pick<JobDoc, "_id" | "account_id">; worker: string; epoch: number },
  call: CallDoc,
): Promise<boolean> {
  const { job, worker, epoch } = held;
  const { matchedCount } = await jobs(db).updateOne(
    { _id: job._id, account_id: job.account_id, state: "running", epoch, "lease.worker": worker },
    { $set: { call } },
    { hint: "_id_" },
  );
  return matchedCount === 1;
}

/**
 * Records that the provider has announced a call's end, and the call's handle if that was not known. Returns false if no such call is in
 * flight.
 */
export async function saveTold(
  db: Db,
  jobId: string,
  { at, handle }: { at: Date; handle: string | undefined },
): Promise<boolean> {
  const { matchedCount } = await jobs(db).updateOne(
    { _id: jobId, state: "running", "call.provider": { $exists: true } },
    [
      {
        $set: {
          "call.told_at": at,
          ...(handle !== undefined && { "call.handle": { $ifNull: ["$call.handle", { $literal: handle }] } }),
        },
      },
    ],
    { hint: "_id_" },
  );
  return matchedCount === 1;
}

export const insertSuspended = inserting(suspended);

/** Returns the row before the change. */
export async function deleteSuspended(
  db: Db,
  jobId: string,
  { session }: TxContext,
): Promise<SuspendedDoc | null> {
  return suspended(db).findOneAndDelete({ _id: jobId }, { session });
}

/** The rows that are due first, up to `limit`, except those of the given providers. */
export async function findNextSuspended(
  db: Db,
  { without, limit }: { without: readonly string[]; limit: number },
): Promise<Pick<SuspendedDoc, "_id" | "provider" | "poll_at">[]> {
  return suspended(db)
    .find(without.length > 0 ? { provider: { $nin: [...without] } } : {}, { hint: "poll_at" })
    .project<Pick<SuspendedDoc, "_id" | "provider" | "poll_at">>({ provider: 1, poll_at: 1 })
    .sort({ poll_at: 1 })
    .limit(limit)
    .toArray();
}

/** Takes those that are still due, with their jobs. `owner` must be new with each call. */
export async function takeSuspended(
  db: Db,
  ids: readonly string[],
  { owner, now, until }: { owner: string; now: Date; until: Date },
): Promise<{ row: SuspendedDoc; job: JobDoc }[]> {
  if (ids.length === 0) return [];
  await suspended(db).updateMany(
    { _id: { $in: [...ids] }, poll_at: { $lte: now } },
    { $set: { poll_at: until, taken_by: owner } },
    { hint: "_id_" },
  );
  const rows = await suspended(db)
    .find({ _id: { $in: [...ids] }, taken_by: owner }, { hint: "_id_" })
    .toArray();
  const found = await jobs(db)
    .find({ _id: { $in: rows.map(({ _id }) => _id) }, state: "running", lease: null }, { hint: "_id_" })
    .toArray();
  const byId = new Map(found.map((job) => [job._id, job]));
  return rows.flatMap((row) => {
    const job = byId.get(row._id);
    return job ? [{ row, job }] : [];
  });
}

/** Writes when to poll the row next, unless an immediate poll was requested or another worker has taken it since. */
export async function postponeSuspended(
  db: Db,
  { _id, taken_by }: SuspendedDoc,
  { pollAt, waitMs }: { pollAt: Date; waitMs: number },
): Promise<void> {
  await suspended(db).updateOne(
    { _id, taken_by },
    { $set: { poll_at: pollAt, wait_ms: waitMs } },
    { hint: "_id_" },
  );
}

/** Records that the provider has received the cancellation request. */
export async function noteAskedToStop(db: Db, jobId: string, at: Date): Promise<void> {
  await suspended(db).updateOne({ _id: jobId }, { $set: { asked_to_stop_at: at } }, { hint: "_id_" });
}

/** Makes the rows of these jobs due now, even if a worker is polling one. Returns how many of them are suspended. */
export async function wakeSuspended(
  db: Db,
  jobIds: readonly string[],
  now: Date,
  { session }: ReadContext = {},
): Promise<number> {
  const { matchedCount } = await suspended(db).updateMany(
    { _id: { $in: [...jobIds] } },
    { $set: { poll_at: now, taken_by: null } },
    { hint: "_id_", ...(session && { session }) },
  );
  return matchedCount;
}

/** Which of these jobs have a row. */
export async function findSuspended(
  db: Db,
  jobIds: readonly string[],
  { session }: SnapshotContext,
): Promise<Set<string>> {
  const found = await suspended(db)
    .find({ _id: { $in: [...jobIds] } }, { session, projection: { _id: 1 }, hint: "_id_" })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}
