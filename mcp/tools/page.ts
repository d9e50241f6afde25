// Pages of a list tool: the arguments that every list takes, and how its cursor is handed on.
import { z } from "zod";
import { pageCursorSchema, pageLimitSchema } from "../../proto/resources/page.ts";

/** Fewer than REST answers by default: a model reads every one of them. */
const DEFAULT_PAGE = 10;

export const pageArguments = {
  limit: pageLimitSchema.default(DEFAULT_PAGE),
  cursor: pageCursorSchema.optional().describe("next_cursor of the page before."),
};

export const nextCursorSchema = z.string().nullable();

/** The cursor as clients see it: core's is empty on the last page. */
export function toNextCursor(cursor: string): string | null {
  return cursor === "" ? null : cursor;
}

/** What the text says below a page, so that a model which sees nothing else can go on. */
export function nextLines(tool: string, cursor: string): string[] {
  return cursor === "" ? [] : [`More: call ${tool} again with the same filters and cursor ${cursor}`];
}
