// Running jobs as their worker knows them: by its lease, and by the epoch of its claim.
import type { Db } from "../../base/mongo/client.ts";
import { type EventDoc, type JobDoc, jobs } from "../jobs/store.ts";

/** Extends the leases of jobs that this worker still holds. Returns how many it holds. */
export async function extendLeases(
  db: Db,
  worker: string,
  jobIds: readonly string[],
  until: Date,
): Promise<number> {
  const { matchedCount } = await jobs(db).updateMany(
    // A lease that has ended is extended as long as no worker has taken the job over; a worker that is about to do so loses a write
    // conflict to this.
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

/** Ends the leases of jobs that a stopping worker could not finish, so that another takes them over immediately. */
export async function releaseLeases(
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

/** Ends the leases of all workers but this one, which are known to be gone. */
export async function endOtherLeases(db: Db, worker: string, now: Date): Promise<void> {
  await jobs(db).updateMany(
    { state: "running", "lease.until": { $gt: now }, "lease.worker": { $ne: worker } },
    { $set: { "lease.until": now } },
    { hint: "live" },
  );
}

export async function findEndedLeases(db: Db, now: Date, limit: number): Promise<JobDoc[]> {
  // Reads the index entries of all running jobs: as many as the workers have slots, and the suspended ones.
  return jobs(db)
    .find({ state: "running", "lease.until": { $lte: now } }, { hint: "live" })
    .limit(limit)
    .toArray();
}

/** Appends one event to a running job of this version. Returns false if epoch or version have changed. */
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

/** The events after this version, while the job is running under this epoch. */
export async function eventsAfter(
  db: Db,
  job: Pick<JobDoc, "_id" | "account_id" | "epoch">,
  version: number,
): Promise<readonly EventDoc[] | undefined> {
  const { _id, account_id, epoch } = job;
  const found = await jobs(db).findOne(
    { _id, account_id, state: "running", epoch },
    { projection: { events: 1 }, hint: "_id_" },
  );
  return found?.events.slice(version);
}

/** Which of these jobs have a cancellation request. */
export async function findCancelRequested(
  db: Db,
  worker: string,
  jobIds: readonly string[],
): Promise<string[]> {
  const found = await jobs(db)
    .find(
      {
        _id: { $in: [...jobIds] },
        state: "running",
        "lease.worker": worker,
        cancel_requested_at: { $exists: true },
      },
      { projection: { _id: 1 }, hint: "_id_" },
    )
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Which of these jobs have ended under the epoch of their claim. */
export async function findEndedUnder(
  db: Db,
  claims: readonly { job: Pick<JobDoc, "_id">; epoch: number }[],
): Promise<Set<string>> {
  const epochs = new Map(claims.map(({ job, epoch }) => [job._id, epoch]));
  const found = await jobs(db)
    .find(
      { _id: { $in: [...epochs.keys()] }, state: { $in: ["completed", "failed", "cancelled"] } },
      { projection: { epoch: 1 }, hint: "_id_" },
    )
    .toArray();
  return new Set(found.filter(({ _id, epoch }) => epoch === epochs.get(_id)).map(({ _id }) => _id));
}
