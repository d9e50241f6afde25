// Pages of lists: how many rows, after which, and the cursor of the next page. Cursors are opaque to clients, so that what they point at
// may change.
import { AppError } from "../proto/codes.ts";

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;
const MARKER = "c1:";

/** As a client sends it: `limit` 0 means 50; `cursor` is empty for the first page. */
export type PageRequest = { readonly limit: number; readonly cursor: string };

export type Page<Row> = { rows: Row[]; nextCursor: string };

/** `after` is the position of the last row of the page before. Throws invalid_request naming the parameter. */
export function readPage({ limit, cursor }: PageRequest): { limit: number; after: string | undefined } {
  if (limit < 0 || limit > MAX_PAGE) throw invalidParameter("limit", `must be from 1 to ${MAX_PAGE}`);
  return { limit: limit === 0 ? DEFAULT_PAGE : limit, after: cursor === "" ? undefined : readCursor(cursor) };
}

/** The page of what was found when one row more than `limit` was asked for: that one tells whether there is a next page. */
export function toPage<Row>(
  found: readonly Row[],
  limit: number,
  positionOf: (row: Row) => string,
): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > limit && last ? encodeCursor(positionOf(last)) : "" };
}

export function invalidParameter(path: string, message: string): AppError {
  return new AppError("invalid_request", { message: `${path} ${message}.`, issues: [{ path, message }] });
}

export function invalidCursor(): AppError {
  return invalidParameter("cursor", "is not one that an earlier page gave");
}

function encodeCursor(position: string): string {
  return Buffer.from(MARKER + position).toString("base64url");
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (!text.startsWith(MARKER) || text === MARKER) throw invalidCursor();
  return text.slice(MARKER.length);
}
