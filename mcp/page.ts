// Pages of a list tool: the arguments that every list takes, and how its cursor is handed on.
import { z } from "zod";

const MAX_PAGE = 100;
/** Fewer than REST answers by default: a model reads every one of them. */
const DEFAULT_PAGE = 10;
const MAX_CURSOR = 512;

export const pageArguments = {
  limit: z.number().int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
  cursor: z.string().max(MAX_CURSOR).optional().describe("next_cursor of the page before."),
};

export const nextCursorSchema = z.string().nullable();

/** The cursor as clients see it: core's is empty on the last page. */
export function toNextCursor(cursor: string): string | null {
  return cursor === "" ? null : cursor;
}

/** What the text says below a page, so that a model which sees nothing else can go on. */
export function describeNext(tool: string, cursor: string): string[] {
  return cursor === "" ? [] : [`More: call ${tool} again with the same filters and cursor ${cursor}`];
}
