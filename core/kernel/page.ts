// Pages of lists: the number of rows, the position, and the cursor of the next page. Cursors are opaque to clients, so that their content
// may change.
import { z } from "zod";
import { type AppError, invalidField } from "../../proto/codes.ts";
import { parseRequest } from "../../proto/resources/issues.ts";
import { DEFAULT_PAGE, pageCursorSchema, pageLimitSchema } from "../../proto/resources/page.ts";

const MARKER = "c1:";

/** The page that a client asks for: `limit` 0 means 50; `cursor` is empty for the first page. */
export type PageRequest = { readonly limit: number; readonly cursor: string };

export type Page<Row> = { rows: Row[]; nextCursor: string };

/** The arguments of a list; a list with filters adds them. */
export const pageFields = {
  limit: pageLimitSchema.default(DEFAULT_PAGE),
  cursor: pageCursorSchema.optional(),
};
const pageSchema = z.object(pageFields);

/** `after` is the position of the last row of the page before. Throws invalid_request naming the parameter. */
export function readPage({ limit, cursor }: PageRequest): { limit: number; after: string | undefined } {
  const page = parseRequest(pageSchema, given({ limit, cursor }));
  return { limit: page.limit, after: readCursor(page.cursor, "") };
}

/**
 * Returns the fields of a message that were given: in proto3, "" and 0 mean that a field was left out, and an empty map asks for nothing
 * anyway.
 */
export function given(message: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== "" && value !== 0));
}

/**
 * Returns the page of a result for which one row more than `limit` was read: that row tells whether there is a next page. So does
 * `stoppedAt`, the position of the last row that was examined, if there are others behind it.
 */
export function toPage<Row>(
  found: readonly Row[],
  limit: number,
  positionOf: (row: Row) => string,
  stoppedAt?: string,
): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const position = found.length > limit && last ? positionOf(last) : stoppedAt;
  return { rows, nextCursor: position === undefined ? "" : encodeCursor(position) };
}

/**
 * Returns a page of rows in the order of their ids. `find` reads at most `limit` of them, behind the id `after`. Throws invalid_request naming
 * the parameter.
 */
export async function pageById<Row extends { _id: string }>(
  request: PageRequest,
  find: (after: string | undefined, limit: number) => Promise<Row[]>,
): Promise<Page<Row>> {
  const { limit, after } = readPage(request);
  return toPage(await find(after, limit + 1), limit, ({ _id }) => _id);
}

/** Returns the same page with its rows in another form. */
export function mapPage<Row, Other>(
  { rows, nextCursor }: Page<Row>,
  toOther: (row: Row) => Other,
): Page<Other> {
  return { rows: rows.map(toOther), nextCursor };
}

export function invalidCursor(): AppError {
  return invalidField("cursor", "is not one that an earlier page gave");
}

function encodeCursor(position: string): string {
  return Buffer.from(MARKER + position).toString("base64url");
}

/** Returns the position in a cursor. Throws invalid_request, also for a cursor of another list, whose positions have another prefix. */
export function readCursor(cursor: string | undefined, prefix: string): string | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString();
  if (!text.startsWith(MARKER + prefix) || text === MARKER) throw invalidCursor();
  return text.slice(MARKER.length);
}
