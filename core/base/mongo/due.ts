// Parts of filters: a field that contains when something is due, or null, so that partial indexes hold only what waits; text as it is.

const LONG_AGO = new Date(0);

/** Something is due at some time, written as the partial index on the field requires. */
export const WAITS = { $gt: LONG_AGO };

/** It is due by now, written so that the partial index serves it. */
export function dueBy(now: Date): { $gt: Date; $lte: Date } {
  return { ...WAITS, $lte: now };
}

export function asItStands(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
