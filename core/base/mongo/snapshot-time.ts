// One moment of the whole database: what every collection held then, as the bytes that the server sends, however long reading takes.
import type { Document, Timestamp } from "mongodb";
import type { Db, Mongo } from "./client.ts";
import { isSnapshotGone } from "./errors.ts";

/** The database's own time of a moment. The server keeps what was stored then for some minutes. */
export type SnapshotTime = Timestamp;

/** Long answers: a collection is read whole. The server ends one at 16 MB in any case. */
const READ_BATCH = 5_000;
const SNAPSHOT_TOO_OLD = 239;

/** The newest moment that a majority has: all that was ever confirmed to a client is in it. `collection` has to be there. */
export async function newestSnapshotTime({ db }: Mongo, collection: string): Promise<SnapshotTime> {
  const probe = { find: collection, limit: 1, singleBatch: true, readConcern: { level: "snapshot" } };
  const { cursor } = (await db.command(probe)) as { cursor: { atClusterTime: Timestamp } };
  return cursor.atClusterTime;
}

export function dateOf(moment: SnapshotTime): Date {
  return new Date(moment.getHighBits() * 1000);
}

/** Every document of the collection as it was at the moment, in no promised order. What it yields is valid until the next is asked for. */
export function readRaw(db: Db, collection: string, moment: SnapshotTime): AsyncIterable<Uint8Array> {
  return find(db, { find: collection }, moment, {
    raw: true,
  }) as AsyncIterable<unknown> as AsyncIterable<Uint8Array>;
}

/** Those that `filter` finds, as objects. */
export function readAt<T>(
  db: Db,
  collection: string,
  filter: Record<string, unknown>,
  moment: SnapshotTime,
): AsyncIterable<T> {
  return find(db, { find: collection, filter }, moment) as AsyncIterable<unknown> as AsyncIterable<T>;
}

function find(
  db: Db,
  command: Document,
  moment: SnapshotTime,
  options: { raw?: true } = {},
): AsyncIterable<Document> {
  const readConcern = { level: "snapshot", atClusterTime: moment };
  return db
    .runCursorCommand({ ...command, batchSize: READ_BATCH, readConcern }, options)
    .setBatchSize(READ_BATCH);
}

/** True if reading took longer than the server keeps a moment. Where it is gone for another reason, a newer one will do. */
export function isTooOld(error: unknown): boolean {
  return isSnapshotGone(error) && (error as { code?: unknown }).code === SNAPSHOT_TOO_OLD;
}
