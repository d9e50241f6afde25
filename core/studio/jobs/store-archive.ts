// Removes jobs, workflows and Idempotency-Keys from the live collections for the archive, and what ends with an account.
import type { Filter } from "mongodb";
import { encodeTime } from "ulid";
import { erasing } from "../../base/documents/fields.ts";
import type { Collection, Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import { JOB_FIELDS } from "./fields.ts";
import { idempotencyKeys, jobs } from "./store.ts";

const KEYS_PER_BATCH = 1_000;

/** Before all ids with this prefix that are made from then on. */
export function idAt(prefix: "job" | "wfl", at: Date): string {
  return `${prefix}_${encodeTime(Math.max(0, at.getTime()))}`;
}

/** Jobs or workflows of an account, from its oldest on. */
type OldRows = {
  readonly accountId: string;
  /** Empty for the first. */
  readonly afterId: string;
  /** Only those with smaller ids. */
  readonly belowId: string;
};

/** The oldest first. */
export async function findOld<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  { accountId, afterId, belowId }: OldRows,
  limit: number,
  { session }: ReadContext = {},
): Promise<Doc[]> {
  const filter: object = { account_id: accountId, _id: { $gt: afterId, $lt: belowId } };
  return collection
    .find<Doc>(filter as Filter<Doc>, { hint: "account_newest", ...(session && { session }) })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
}

/** Whether there are this many, read from the index alone. */
export async function hasOldJobs(
  db: Db,
  { accountId, afterId, belowId }: OldRows,
  count: number,
): Promise<boolean> {
  const found = await jobs(db)
    .find(
      { account_id: accountId, _id: { $gt: afterId, $lt: belowId } },
      { hint: "account_newest", projection: { _id: 1 } },
    )
    .sort({ _id: 1 })
    .skip(count - 1)
    .limit(1)
    .toArray();
  return found.length > 0;
}

/** They are in a segment from now on. */
export async function deleteArchived<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  accountId: string,
  ids: readonly string[],
  { session }: TxContext,
): Promise<void> {
  const filter: object = { _id: { $in: [...ids] }, account_id: accountId };
  await collection.deleteMany(filter as Filter<Doc>, { session, hint: "_id_" });
}

/** Removes the keys of jobs that were created before. Their ids contain no time, so all keys of the account are read. */
export async function deleteOldKeys(db: Db, accountId: string, before: Date): Promise<void> {
  const firstKept = idAt("job", before);
  let old: string[] = [];
  const flush = async () => {
    if (old.length > 0) await idempotencyKeys(db).deleteMany({ _id: { $in: old }, account_id: accountId });
    old = [];
  };
  const own = idempotencyKeys(db)
    .find({ _id: { $gte: `${accountId} `, $lt: `${accountId}!` } }, { projection: { job_id: 1 } })
    .batchSize(KEYS_PER_BATCH);
  for await (const { _id, job_id } of own) {
    if (job_id < firstKept) old.push(_id);
    if (old.length === KEYS_PER_BATCH) await flush();
  }
  await flush();
}

/** From now on the end of these jobs is not announced, except by a worker that already holds one of them. */
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

/** Reduces ended jobs to their counted fields. */
export async function eraseJobs(db: Db, accountId: string, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return;
  await jobs(db).updateMany(
    { _id: { $in: [...jobIds] }, account_id: accountId, state: { $nin: ["reserved", "running"] } },
    erasing(JOB_FIELDS),
    { hint: "_id_" },
  );
}
