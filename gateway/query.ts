// Query parameters: strings of the address as numbers, times and choices. Unknown names are ignored, wrong values refused.
import { z } from "zod";

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const MAX_CURSOR = 512;
const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;

/** A whole number between the bounds. */
export function queryInteger(minimum: number, maximum: number) {
  return z.preprocess(toNumber, z.number().int().min(minimum).max(maximum));
}

/** A whole number from `minimum` on. */
export function queryWhole(minimum: number) {
  // int() itself refuses what is too large to be exact.
  return z.preprocess(toNumber, z.number().int().min(minimum));
}

/** A page of a list. */
export const pageQuery = {
  limit: queryInteger(1, MAX_PAGE).default(DEFAULT_PAGE).describe("How many to answer at most."),
  cursor: z.string().max(MAX_CURSOR).optional().describe("next_cursor of the page before."),
};

/** RFC 3339 with any offset, given on in UTC. A plus sign that was not encoded arrives as a space. */
export const queryTime = z.preprocess(
  (value) => (typeof value === "string" ? value.replace(" ", "+") : value),
  z.iso.datetime({ offset: true }).transform((value) => new Date(value).toISOString()),
);

function toNumber(value: unknown): unknown {
  return typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
}
