/**
 * The duration as text: 42 gives "42 seconds" and 90 gives "2 minutes". It rounds up, so that a client that waits that long has waited long
 * enough.
 */
export function waitInWords(seconds: number): string {
  const [count, unit] = seconds < 90 ? [Math.ceil(seconds), "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
