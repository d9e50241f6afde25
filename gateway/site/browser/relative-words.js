// How long ago a moment is, in words: on the server when a page is made, and in the browser as time goes by.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = 45_000;
/** Beyond this a date says more. */
const FAR_MS = 14 * DAY_MS;
const WORDS = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });

/**
 * "3 minutes ago", "in 2 days"; undefined where it is too far away for that.
 * @param {number} atMs
 * @param {number} nowMs
 * @returns {string | undefined}
 */
export function relativeWords(atMs, nowMs) {
  const ms = atMs - nowMs;
  const far = Math.abs(ms);
  if (far < NOW_MS) return ms <= 0 ? "just now" : "in a moment";
  if (far < HOUR_MS) return WORDS.format(awayFromZero(ms / MINUTE_MS), "minute");
  if (far < DAY_MS) return WORDS.format(Math.trunc(ms / HOUR_MS), "hour");
  return far < FAR_MS ? WORDS.format(Math.trunc(ms / DAY_MS), "day") : undefined;
}

/**
 * Never "0 minutes".
 * @param {number} value
 */
function awayFromZero(value) {
  return Math.trunc(value) || Math.sign(value);
}
