// Calendar months of different lengths, in UTC.

/** Returns the same day and time this many months later, or the last day of a shorter month. */
export function monthsLater(anchor: Date, months: number): Date {
  const later = new Date(anchor);
  // It first goes to a day that every month has, so that no month is skipped.
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return later;
}
