// How long something takes, as one would say it to a person.
/** 42 -> "42 seconds", 90 -> "2 minutes": rounded up, so that whoever waits that long has waited long enough. */
export function waitInWords(seconds: number): string {
  const [count, unit] = seconds < 90 ? [Math.ceil(seconds), "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
