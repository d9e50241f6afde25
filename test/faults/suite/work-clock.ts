// A clock for the archive in a test of workers: recently ended data are old for it.
import type { App } from "../../../core/kernel/app.ts";
import type { Sizes } from "../../../core/operations/retention/archive-old.ts";

export const ARCHIVE_DAYS = 100;
const AHEAD_MS = (ARCHIVE_DAYS + 1) * 24 * 3_600_000;

/** Small enough for a few jobs to fill some segments. */
export const SMALL: Sizes = { least: { jobs: 1, entries: 1 }, most: { jobs: 3, entries: 4 } };

export function archiving(app: App): App {
  return { ...app, clock: { now: () => new Date(app.clock.now().getTime() + AHEAD_MS) } };
}
