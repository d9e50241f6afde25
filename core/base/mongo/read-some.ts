// Pages of rows that may be rare among very many: however few fit, one page reads a bounded number of documents.
import type { Document } from "mongodb";
import type { Collection } from "./client.ts";

export type Some<Doc> = {
  /** In the order of descending ids. */
  readonly found: Doc[];
  /** The id of the last one that was read, where reading stopped before all were through. */
  readonly stoppedAt?: string | undefined;
};

export type SomeOptions = {
  /** An index that `within` names the first fields of, with the id after them. */
  readonly hint: string;
  readonly limit: number;
  /** Documents to read at most. */
  readonly maxRead: number;
};

/** `within` is the part of the index to read, `fits` what its documents have to say themselves. */
export async function readSome<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  within: Document,
  fits: Document,
  { hint, limit, maxRead }: SomeOptions,
): Promise<Some<Doc>> {
  const found = await collection
    .aggregate<Doc>(
      [{ $match: within }, { $sort: { _id: -1 } }, { $limit: maxRead }, { $match: fits }, { $limit: limit }],
      { hint },
    )
    .toArray();
  if (found.length >= limit) return { found };
  // In the index alone.
  const [last, next] = await collection
    .find(within as never, { hint, projection: { _id: 1 } })
    .sort({ _id: -1 })
    .skip(maxRead - 1)
    .limit(2)
    .toArray();
  return { found, stoppedAt: next && (last?._id as string | undefined) };
}
