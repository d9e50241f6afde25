// Pages of documents, newest first: ids grow with time.
import type { Collection } from "./client.ts";

export type NewestQuery = { accountId: string; beforeId: string | undefined };

/** Filters by account and state; without a value, all are included. */
export type NewestOfAny = {
  accountId?: string | undefined;
  state?: string | undefined;
  beforeId?: string | undefined;
};

export async function findNewest<Doc extends { _id: string; account_id: string }>(
  collection: Collection<Doc>,
  { accountId, state, beforeId }: NewestOfAny,
  limit: number,
): Promise<Doc[]> {
  const filter = {
    ...(accountId !== undefined && { account_id: accountId }),
    ...(state !== undefined && { state }),
    ...(beforeId && { _id: { $lt: beforeId } }),
  };
  return (collection as unknown as Collection<{ _id: string; account_id: string; state: string }>)
    .find<Doc>(filter)
    .sort({ _id: -1 })
    .limit(limit)
    .toArray();
}
