// Calendar months, which differ in length. In UTC.

/** The same day and time so many months later, or the last day of a month that is too short. */
export function monthsLater(anchor: Date, months: number): Date {
  const later = new Date(anchor);
  // First to a day that every month has, so that none is skipped.
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return later;
}
