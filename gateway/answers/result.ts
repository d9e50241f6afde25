// The shape of every success: `{ok: true, result}`; a list is `{data, next_cursor}`, whether it has pages or not. In the OpenAPI
// document each has a name, so that clients made from it do too.
import { z } from "zod";

const answers = new Map<z.ZodType, z.ZodType>();
const lists = new Map<z.ZodType, z.ZodType>();

/** Job -> JobAnswer. */
export function resultOf(result: z.ZodType): z.ZodType {
  return remember(answers, result, () =>
    z.object({ ok: z.literal(true), result }).meta({ id: `${nameOf(result)}Answer` }),
  );
}

/** Job -> JobList, in a JobListAnswer. */
export function listOf(item: z.ZodType): z.ZodType {
  const list = remember(lists, item, () =>
    z
      .object({
        data: z.array(item),
        next_cursor: z.string().nullable().describe("Ask for the next page with it; null on the last page."),
      })
      .meta({ id: `${nameOf(item)}List` }),
  );
  return resultOf(list);
}

/** One schema for each name, however many operations answer with it. */
function remember(known: Map<z.ZodType, z.ZodType>, of: z.ZodType, make: () => z.ZodType): z.ZodType {
  const made = known.get(of) ?? make();
  known.set(of, made);
  return made;
}

function nameOf(schema: z.ZodType): string {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error("what an operation answers has no name");
  return id;
}

export function toResult<T>(result: T): { ok: true; result: T } {
  return { ok: true, result };
}

/** `nextCursor` is empty on the last page. */
export function toList<T>(
  data: T[],
  nextCursor = "",
): { ok: true; result: { data: T[]; next_cursor: string | null } } {
  return toResult({ data, next_cursor: nextCursor === "" ? null : nextCursor });
}
