// Reads one moment of the whole database: the contents of every collection at that time as the bytes that the server sends, however long
// reading takes.
import type { Document, Timestamp } from "mongodb";
import type { Db, Mongo } from "./client.ts";
import { isSnapshotGone } from "./errors.ts";

/** A moment in the database's own time. The server keeps its contents for some minutes. */
export type SnapshotTime = Timestamp;

/** Batches are large, because a collection is read whole. The server limits each to 16 MB. */
const READ_BATCH = 5_000;
const SNAPSHOT_TOO_OLD = 239;

/** The newest moment that a majority has: it contains everything that was confirmed to clients. `collection` must exist. */
export async function newestSnapshotTime({ db }: Mongo, collection: string): Promise<SnapshotTime> {
  const probe = { find: collection, limit: 1, singleBatch: true, readConcern: { level: "snapshot" } };
  const { cursor } = (await db.command(probe)) as { cursor: { atClusterTime: Timestamp } };
  return cursor.atClusterTime;
}

export function dateOf(moment: SnapshotTime): Date {
  return new Date(moment.getHighBits() * 1000);
}

/** Every document of the collection at that moment, in no particular order. A yielded value is valid until the next is requested. */
export function readRaw(db: Db, collection: string, moment: SnapshotTime): AsyncIterable<Uint8Array> {
  return find(db, { find: collection }, moment, {
    raw: true,
  }) as AsyncIterable<unknown> as AsyncIterable<Uint8Array>;
}

/** The documents that match `filter`, as objects. */
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

/** True if reading took longer than the server keeps a moment. If it is lost for another reason, a newer moment works. */
export function isTooOld(error: unknown): boolean {
  return isSnapshotGone(error) && (error as { code?: unknown }).code === SNAPSHOT_TOO_OLD;
}
