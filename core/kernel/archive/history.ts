// Reads rows of an account from its segments, the newest first, as the continuation of its live rows.
import type { App } from "../app.ts";
import { readSegment } from "./read-segment.ts";
import type { SegmentRow } from "./segment-file.ts";
import { type ArchivePosition, findSegmentsBefore, type SegmentRange } from "./store.ts";

/** The most segments that are read for one page; a longer search continues with the next page. */
const MAX_SEGMENTS = 20;

/** The archived rows of one kind, and how one is read. */
type ArchivedRows<Row, Position extends ArchivePosition> = SegmentRange & {
  readonly before?: Position | undefined;
  readonly join: (row: SegmentRow) => Row;
  readonly positionOf: (row: Row) => Position;
};

/** `stoppedAt` is the position of the last row that was read, if reading stopped before the end. */
type History<Row, Position> = { readonly found: Row[]; readonly stoppedAt?: Position | undefined };

/**
 * Passes archived rows to `see`, the newest first, until it returns false. Returns the position of the last row that was read, if reading
 * stopped before the end.
 */
export async function eachArchived<Row, Position extends ArchivePosition>(
  app: App,
  { join, positionOf, ...range }: ArchivedRows<Row, Position>,
  see: (row: Row) => boolean,
): Promise<Position | undefined> {
  const segments = await findSegmentsBefore(app.mongo.db, range, MAX_SEGMENTS + 1);
  let last: Position | undefined;
  for (const segment of segments.slice(0, MAX_SEGMENTS)) {
    for (const row of (await readSegment(app, segment)).map(join).reverse()) {
      const position = positionOf(row);
      if (range.before !== undefined && position >= range.before) continue;
      if (!see(row)) return undefined;
      last = position;
    }
  }
  return segments.length > MAX_SEGMENTS ? last : undefined;
}

/**
 * Fills a page of live rows up with archived ones that fit. Rows only ever move from the former to the latter, the oldest first, so none is
 * missed or shown twice.
 */
export async function withArchived<Row, Position extends ArchivePosition>(
  app: App,
  live: History<Row, Position>,
  { fits, ...rows }: ArchivedRows<Row, Position> & { readonly fits: (row: Row) => boolean },
  limit: number,
): Promise<History<Row, Position>> {
  if (live.stoppedAt !== undefined || live.found.length >= limit) return live;
  const found = [...live.found];
  const oldest = found.at(-1);
  const before = oldest === undefined ? rows.before : rows.positionOf(oldest);
  const stoppedAt = await eachArchived(app, { ...rows, before }, (row) => {
    if (fits(row)) found.push(row);
    return found.length < limit;
  });
  return { found, stoppedAt };
}
