// Pages of a list tool: the arguments that every list takes, and the cursor of the next page.
import { z } from "zod";
import { pageCursorSchema, pageLimitSchema } from "../../proto/resources/page.ts";

/** Fewer than REST answers by default, because a model reads every one of them. */
const DEFAULT_PAGE = 10;

export const pageArguments = {
  limit: pageLimitSchema.default(DEFAULT_PAGE),
  cursor: pageCursorSchema.optional().describe("From next_cursor."),
};

export const nextCursorSchema = z.string().nullable();

/** The cursor as clients see it. Core's cursor is empty on the last page. */
export function toNextCursor(cursor: string): string | null {
  return cursor === "" ? null : cursor;
}

/** The text below a page that tells a model how to get the next one, since the model may see nothing else. */
export function nextLines(tool: string, cursor: string): string[] {
  return cursor === "" ? [] : [`More: call ${tool} again with the same filters and cursor ${cursor}`];
}
