// Pages of rows that may be rare among very many documents: one page reads a limited number of documents.
import type { Document } from "mongodb";
import type { Collection } from "./client.ts";

export type Some<Doc> = {
  /** In the order of descending ids. */
  readonly found: Doc[];
  /** The id of the last document that was read, if reading stopped before the end. */
  readonly stoppedAt?: string | undefined;
};

type SomeOptions = {
  /** An index whose first fields `within` names, followed by the id. */
  readonly hint: string;
  readonly limit: number;
  /** The maximum number of documents to read. */
  readonly maxRead: number;
};

/** `within` is the part of the index to read; `fits` filters its documents. */
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

/** Parts of `size` items in order; the last may have fewer, and none is empty. */
export async function* inParts<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let part: T[] = [];
  for await (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
