// How jobs are filtered in a list, on every surface.
import { z } from "zod";
import { JOB_STATES, MAX_METADATA_PAIRS, metadataKeySchema, metadataValueSchema } from "./job.ts";

const STATES: readonly string[] = JOB_STATES;
const STATE = `(${JOB_STATES.join("|")})`;
const MAX_SLUG = 100;

/** Arrives as text with commas, or as a list of states. */
export const jobStatesSchema = z.preprocess(
  (value) => (Array.isArray(value) ? value.join(",") : value),
  z
    .string()
    .refine((value) => statesIn(value).every((state) => STATES.includes(state)), {
      error: `must be one of ${JOB_STATES.join(", ")}`,
    })
    .meta({ pattern: `^${STATE}(,${STATE})*$` }),
);

export function statesIn(text: string): string[] {
  return text.split(",").map((state) => state.trim());
}

const MAX_SEARCH = 200;
const MAX_WORDS = 10;

/** Words that a prompt must all contain, in any case. */
export const promptSearchSchema = z
  .string()
  .max(MAX_SEARCH)
  .refine((value) => !value.includes("\u0000"), { error: "contains a NUL character" })
  .refine((value) => wordsIn(value).length <= MAX_WORDS, { error: `must be at most ${MAX_WORDS} words` });

export function wordsIn(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== "");
}

/** A model that does not exist finds nothing. */
export const modelFilterSchema = z.string().max(MAX_SLUG);

/** A job matches if it has all of these pairs. */
export const metadataFilterSchema = z
  .record(metadataKeySchema, metadataValueSchema)
  .refine((pairs) => Object.keys(pairs).length <= MAX_METADATA_PAIRS, {
    error: `must have at most ${MAX_METADATA_PAIRS} pairs`,
  });
