// Pages of documents, newest first: ids grow with time.
import type { Filter } from "mongodb";
import type { Collection } from "./client.ts";

export type NewestQuery = { accountId: string; beforeId: string | undefined };

/** Filters by account and state; without a value, all are included. */
export type NewestOfAny<Doc = object> = {
  accountId?: string | undefined;
  state?: string | undefined;
  beforeId?: string | undefined;
  /** What else is true of the documents. */
  where?: Filter<Doc>;
};

export async function findNewest<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  { accountId, state, beforeId, where }: NewestOfAny<Doc>,
  limit: number,
): Promise<Doc[]> {
  const filter: object = {
    ...where,
    ...(accountId !== undefined && { account_id: accountId }),
    ...(state !== undefined && { state }),
    ...(beforeId && { _id: { $lt: beforeId } }),
  };
  return collection
    .find<Doc>(filter as Filter<Doc>)
    .sort({ _id: -1 })
    .limit(limit)
    .toArray();
}
