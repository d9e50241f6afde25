// A page of what an account has, newest first: ids grow with time.
import type { Collection } from "./client.ts";

export type NewestQuery = { accountId: string; beforeId: string | undefined };

export async function findNewest<Doc extends { _id: string; account_id: string }>(
  collection: Collection<Doc>,
  { accountId, beforeId }: NewestQuery,
  limit: number,
): Promise<Doc[]> {
  const filter = { account_id: accountId, ...(beforeId && { _id: { $lt: beforeId } }) };
  return (collection as unknown as Collection<{ _id: string; account_id: string }>)
    .find<Doc>(filter)
    .sort({ _id: -1 })
    .limit(limit)
    .toArray();
}
