// The shape of every success: `{ok: true, result}`; a list is `{data, next_cursor}`, whether it has pages or not.
import { z } from "zod";

export function resultOf<T extends z.ZodType>(result: T) {
  return z.object({ ok: z.literal(true), result });
}

export function pageOf<T extends z.ZodType>(item: T) {
  return resultOf(
    z.object({
      data: z.array(item),
      next_cursor: z.string().nullable().describe("Ask for the next page with it; null on the last page."),
    }),
  );
}

export function toResult<T>(result: T): { ok: true; result: T } {
  return { ok: true, result };
}

/** `nextCursor` is empty on the last page. */
export function toPage<T>(
  data: T[],
  nextCursor = "",
): { ok: true; result: { data: T[]; next_cursor: string | null } } {
  return toResult({ data, next_cursor: nextCursor === "" ? null : nextCursor });
}
