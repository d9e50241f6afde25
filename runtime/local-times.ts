// Days and times as mails write them, in the time zone of the person who reads them.

export type LocalTimes = {
  /** 23 December 2026 */
  day(at: Date): string;
  /** 23 December 2026 at 14:05 CET */
  time(at: Date): string;
};

/** An IANA name such as Europe/Berlin; UTC where none is known. */
export function localTimes(timeZone = "UTC"): LocalTimes {
  const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone });
  const timeFormat = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  });
  return { day: (at) => dayFormat.format(at), time: (at) => timeFormat.format(at) };
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}
