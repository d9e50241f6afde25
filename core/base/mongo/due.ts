// Conditions on a field that says when something is due, and is null where nothing is: partial indexes then hold only what waits.

const LONG_AGO = new Date(0);

/** Something is to be done some day, written as the partial index on the field needs it. */
export const WAITS = { $gt: LONG_AGO };

/** It is to be done by now, written so that the partial index serves it. */
export function dueBy(now: Date): { $gt: Date; $lte: Date } {
  return { ...WAITS, $lte: now };
}
