// Query parameters: strings of the address as numbers, times and choices. Unknown names are ignored, wrong values refused.
import { z } from "zod";
import { DEFAULT_PAGE, pageCursorSchema, pageLimitSchema, timeSchema } from "../../proto/resources/page.ts";

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A whole number between the limits. */
export function queryInteger(minimum: number, maximum: number) {
  return z.preprocess(toNumber, z.number().int().min(minimum).max(maximum));
}

/** A whole number of at least `minimum`. */
export function queryWhole(minimum: number) {
  // int() itself refuses what is too large to be exact.
  return z.preprocess(toNumber, z.number().int().min(minimum));
}

/** Cents as dollars: with at most two decimals, between the limits. */
export function queryNumber(minimum: number, maximum: number) {
  return z.preprocess(
    (value) => (value === "" ? undefined : toNumber(value)),
    z.number().min(minimum).max(maximum).multipleOf(0.01).optional(),
  );
}

/** A page of a list. */
export const pageQuery = {
  limit: z
    .preprocess(toNumber, pageLimitSchema)
    .default(DEFAULT_PAGE)
    .describe("How many to answer at most."),
  cursor: pageCursorSchema.optional().describe("next_cursor of the page before."),
};

/** RFC 3339 with any offset, passed on in UTC. A plus sign that was not encoded arrives as a space. */
export const queryTime = z.preprocess(
  (value) => (typeof value === "string" ? value.replace(" ", "+") : value),
  timeSchema,
);

/**
 * Parameters such as `metadata[order]=7`, by the name in the brackets. A parameter that is sent twice is a list, which its schema refuses.
 */
export function inBrackets(query: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([key, value]) =>
      key.startsWith(`${name}[`) && key.endsWith("]") ? [[key.slice(name.length + 1, -1), value]] : [],
    ),
  );
}

function toNumber(value: unknown): unknown {
  return typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
}
