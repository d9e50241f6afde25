// What every list accepts, on every surface: the number of rows, the cursor, and times to filter by.
import { z } from "zod";

export const MAX_PAGE = 100;
export const DEFAULT_PAGE = 50;
const MAX_CURSOR = 512;

export const pageLimitSchema = z.number().int().min(1).max(MAX_PAGE);
export const pageCursorSchema = z.string().max(MAX_CURSOR);
/** RFC 3339 with any offset, passed on in UTC. */
export const timeSchema = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value).toISOString());
/** A job id as a filter. An id that no job has finds nothing. */
export const jobIdFilterSchema = z.string().max(64);

/** The longest wait for the end of a job. */
export const MAX_WAIT_SECONDS = 60;
export const MAX_EVENT_SEQ = 2 ** 31 - 1;
