// Jobs and Idempotency-Keys of whole accounts, as the audit compares them with the ledger.
import type { Db } from "../../base/mongo/client.ts";
import type { SnapshotContext } from "../../base/mongo/in-tx.ts";
import { type IdempotencyDoc, idempotencyKeys, type JobDoc, jobs } from "./store.ts";

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
