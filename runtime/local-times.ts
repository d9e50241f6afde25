// Formats days and times for mails in the reader's time zone.

export type LocalTimes = {
  /** For example 23 December 2026. */
  day(at: Date): string;
  /** For example 23 December 2026 at 14:05 CET. */
  time(at: Date): string;
};

/** An IANA name such as Europe/Berlin, or UTC if none is known. */
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
