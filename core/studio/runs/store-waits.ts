// Suspended jobs that wait until a provider may be called, and whether jobs with a permit still run.
import type { Db } from "../../base/mongo/client.ts";
import { jobs, suspended } from "../jobs/store.ts";

const MAX_LATE = 1_000;
const COUNT_BOUND_MS = 2_000;

/** The providers that jobs wait for. */
export async function findAwaited(db: Db): Promise<string[]> {
  return suspended(db).distinct("waits.provider", { "waits.provider": { $exists: true } });
}

/** Whether any job waits for a permit of this provider. */
export async function anyWaitingForPermit(db: Db, provider: string): Promise<boolean> {
  const found = await suspended(db).findOne(
    { "waits.provider": provider, "waits.why": "room" },
    { projection: { _id: 1 }, hint: "waits" },
  );
  return found !== null;
}

/** The jobs that may be admitted to this provider by now, except for some of its models; the longest-waiting first. */
export async function findWaiters(
  db: Db,
  provider: string,
  { except, limit, now }: { except: readonly string[]; limit: number; now: Date },
): Promise<{ job: string; model: string }[]> {
  const found = await suspended(db)
    .find(
      {
        "waits.provider": provider,
        "waits.until": { $not: { $gt: now } },
        ...(except.length > 0 && { "waits.model": { $nin: [...except] } }),
      },
      { projection: { "waits.model": 1 }, hint: "waits" },
    )
    .sort({ "waits.since": 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id, waits }) => ({ job: _id, model: waits?.model ?? "" }));
}

export async function countWaiters(db: Db): Promise<{ provider: string; jobs: number }[]> {
  const found = await suspended(db)
    .aggregate<{ _id: string; jobs: number }>([
      { $match: { "waits.provider": { $exists: true } } },
      { $group: { _id: "$waits.provider", jobs: { $sum: 1 } } },
    ])
    .toArray();
  return found.map(({ _id, jobs: count }) => ({ provider: _id, jobs: count }));
}

/** For how many models of providers jobs wait because calls of them fail. */
export async function countFailing(db: Db): Promise<number> {
  const found = await suspended(db)
    .aggregate([
      { $match: { "waits.provider": { $exists: true }, "waits.why": "failing" } },
      { $group: { _id: { provider: "$waits.provider", model: "$waits.model" } } },
    ])
    .toArray();
  return found.length;
}

/** Ends the wait of these jobs and makes them due now. How long each job's time did not run is stored with it. */
export async function wakeWaiters(db: Db, ids: readonly string[], now: Date): Promise<void> {
  const suspendedMs = {
    $cond: [{ $eq: ["$waits.why", "failing"] }, 0, { $max: [0, { $subtract: [now, "$waits.since"] }] }],
  };
  await suspended(db).updateMany(
    { _id: { $in: [...ids] }, waits: { $exists: true } },
    [{ $set: { poll_at: now, taken_by: null, waited_ms: suspendedMs } }, { $unset: "waits" }],
    { hint: "_id_" },
  );
}

/** Which of these jobs have not ended. */
export async function findRunningIds(db: Db, ids: readonly string[]): Promise<string[]> {
  const found = await jobs(db)
    .find({ _id: { $in: [...ids] }, state: "running" }, { projection: { _id: 1 }, hint: "_id_" })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Running jobs that were to end before this time according to their models, up to 1,000; without those that wait until they may call. */
export async function countOverTime(db: Db, before: Date): Promise<number> {
  const allowed = { $add: ["$started_at", "$run_timeout_ms", { $ifNull: ["$waited_ms", 0] }] };
  const [found] = await jobs(db)
    .aggregate<{ late: number }>(
      [
        { $match: { state: "running", $expr: { $lt: [allowed, before] } } },
        { $limit: MAX_LATE },
        { $lookup: { from: "provider_calls", localField: "_id", foreignField: "_id", as: "suspended" } },
        { $match: { "suspended.waits": { $exists: false } } },
        { $count: "late" },
      ],
      { hint: "live", maxTimeMS: COUNT_BOUND_MS },
    )
    .toArray();
  return found?.late ?? 0;
}
