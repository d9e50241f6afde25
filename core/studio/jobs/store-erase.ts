// Removes the parts of jobs that end with their account.
import { erasing } from "../../base/documents/fields.ts";
import type { Db } from "../../base/mongo/client.ts";
import { JOB_FIELDS } from "./fields.ts";
import { idempotencyKeys, jobs } from "./store.ts";

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
