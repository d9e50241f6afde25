// What a migration is, and the walk that most of them are made of. How to write one: CONTRIBUTING.md.
import type { ClientSession, Db } from "../mongo/client.ts";

/** One part of a migration's work. */
export type MigrationBatch = {
  readonly db: Db;
  /** All reads and writes go through it: the batch counts as a whole or not at all. */
  readonly session: ClientSession;
  /** What the batch before answered; null at the first. */
  readonly after: string | null;
  /** Documents at most. Fewer after a conflict with processes that are running. */
  readonly limit: number;
};

/** One change of the shape of stored data, safe beside running processes of the release before. */
export type Migration = {
  /** The schema version that the data have afterwards: one more than the migration before. */
  readonly version: number;
  /** What changes, in a line for the operator. */
  readonly what: string;
  /**
   * Changes the next documents and answers where the following batch goes on; null if nothing is left. It may run again on what it has
   * already changed, and must then change nothing.
   */
  readonly batch: (batch: MigrationBatch) => Promise<string | null>;
};

/**
 * Goes through the next documents of a collection in the order of their ids, changes those that `filter` still finds, and answers the last
 * id that it looked at.
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
