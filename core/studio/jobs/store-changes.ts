// Reads by id and writes of transactions on jobs, and the Idempotency-Keys of the jobs.
import { inOneBatch } from "../../base/mongo/by-id.ts";
import type { Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import { type EventDoc, type IdempotencyDoc, idempotencyKeys, type JobDoc, jobs } from "./store.ts";

/** Jobs by id, inside the transaction if there is one. */
export async function findJobs(
  db: Db,
  ids: readonly { accountId: string; jobId: string }[],
  { session }: ReadContext = {},
): Promise<Map<string, JobDoc>> {
  if (ids.length === 0) return new Map();
  const found = await jobs(db)
    .find(
      {
        account_id: { $in: [...new Set(ids.map(({ accountId }) => accountId))] },
        _id: { $in: ids.map(({ jobId }) => jobId) },
      },
      // By _id: the account index would be scanned completely.
      { ...inOneBatch(ids.length), hint: "_id_", ...(session && { session }) },
    )
    .toArray();
  return new Map(found.map((job) => [job._id, job]));
}

/** The results of earlier requests with these keys, by id. */
export async function findIdempotencyKeys(
  db: Db,
  wanted: readonly { readonly id: string; readonly accountId: string }[],
  { session }: ReadContext = {},
): Promise<Map<string, IdempotencyDoc>> {
  if (wanted.length === 0) return new Map();
  const found = await idempotencyKeys(db)
    .find(
      {
        // The accounts select the shards.
        account_id: { $in: [...new Set(wanted.map(({ accountId }) => accountId))] },
        _id: { $in: wanted.map(({ id }) => id) },
      },
      { ...inOneBatch(wanted.length), ...(session && { session }) },
    )
    .toArray();
  return new Map(found.map((doc) => [doc._id, doc]));
}

export async function insertIdempotencyKeys(
  db: Db,
  docs: readonly IdempotencyDoc[],
  { session }: TxContext,
): Promise<void> {
  if (docs.length > 0) await idempotencyKeys(db).insertMany([...docs], { session, ordered: false });
}

export async function insertJobs(db: Db, docs: readonly JobDoc[], { session }: TxContext): Promise<void> {
  if (docs.length > 0) await jobs(db).insertMany(docs as JobDoc[], { session, ordered: false });
}

/** The condition of a change: the job is as it was read, or it runs under this worker's lease. */
export type JobGuard =
  | { readonly epoch: number; readonly version: number }
  | { readonly epoch: number; readonly worker: string };

/** Fields that a write sets; events are appended. */
export type JobChange = {
  readonly job: Pick<
    JobDoc,
    "_id" | "account_id" | "workflow_id" | "callback_url" | "counted_on" | "events_on" | "trace"
  >;
  readonly guard: JobGuard;
  readonly set: Partial<
    Pick<
      JobDoc,
      | "state"
      | "started_at"
      | "ended_at"
      | "cancel_requested_at"
      | "epoch"
      | "lease"
      | "rescues"
      | "call"
      | "waited_ms"
      | "params"
      | "inputs"
      | "queue_deadline"
      | "outputs"
      | "error"
      | "refunded_at"
      | "delivered"
      | "charged"
    >
  >;
  readonly events: readonly EventDoc[];
};

/** A job is not in the state that a change expects. The transaction must not commit. */
export class StaleJob extends Error {
  override readonly name = "StaleJob";
}

/** Throws StaleJob if one of them is not as its guard says. */
export async function updateJobs(
  db: Db,
  changes: readonly JobChange[],
  { session }: TxContext,
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

/** One statement for all changes of one kind, with values for each job: half the cost of separate statements. */
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
    // Without it every update would try its query plans against each other.
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

/** Non-empty groups of items with the same key, in the order of the first occurrence of each key. */
function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** Marks these outputs in the job as deleted. */
export async function saveOutputsDeleted(
  db: Db,
  { accountId, jobId, outputIds }: { accountId: string; jobId: string; outputIds: readonly string[] },
  at: Date,
  { session }: TxContext,
): Promise<void> {
  await jobs(db).updateOne(
    { _id: jobId, account_id: accountId },
    { $set: { "outputs.$[one].deleted_at": at } },
    { arrayFilters: [{ "one.output_id": { $in: [...outputIds] } }], session, hint: "_id_" },
  );
}
