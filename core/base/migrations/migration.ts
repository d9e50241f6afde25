// Defines migrations and the walk through a collection that most of them use. CONTRIBUTING.md explains how to write one.
import type { ClientSession, Db } from "../mongo/client.ts";

/** One batch of a migration. */
export type MigrationBatch = {
  readonly db: Db;
  /** All reads and writes use it, so the batch is committed as a whole or not at all. */
  readonly session: ClientSession;
  /** The result of the previous batch; null for the first. */
  readonly after: string | null;
  /** The maximum number of documents. It decreases after conflicts with running processes. */
  readonly limit: number;
};

/** One change of the shape of stored data, safe beside running processes of the release before. */
export type Migration = {
  /** The schema version of the data afterwards: one more than that of the previous migration. */
  readonly version: number;
  /** A description of one line for the operator. */
  readonly what: string;
  /**
   * Changes the next documents and returns where the following batch continues; null if nothing is left. It may run again on documents that
   * it has already changed, and must then change nothing.
   */
  readonly batch: (batch: MigrationBatch) => Promise<string | null>;
};

/**
 * Walks through the next documents of a collection in the order of their ids, changes those that match `filter`, and returns the last id.
 */
export async function updateNext(
  { db, session, after, limit }: MigrationBatch,
  collection: string,
  filter: Record<string, unknown>,
  update: Record<string, unknown>[],
): Promise<string | null> {
  const documents = db.collection<{ _id: string }>(collection);
  const ids = await documents
    .find(after === null ? {} : { _id: { $gt: after } }, { session, projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  const last = ids.at(-1);
  if (!last) return null;
  await documents.updateMany({ ...filter, _id: { $in: ids.map(({ _id }) => _id) } }, update, { session });
  return last._id;
}
