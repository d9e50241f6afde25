// Readable times with the exact time on hover. The server writes UTC; browser/times.js, which all pages of signed-in persons load, converts
// them to the reader's time zone and keeps relative times up to date.
import { relativeWords } from "../browser/relative-words.js";
import { date, dateTime } from "./format.ts";
import { type Children, type Markup, html } from "./markup.js";

/** For example 3 minutes ago or in 5 days; the date if that is weeks away. */
export function timeAgo(rfc3339: string, now: Date): Markup {
  const words = relativeWords(Date.parse(rfc3339), now.getTime());
  return words === undefined ? dateOf(rfc3339) : titled(rfc3339, "ago", words);
}

/** For example 12 Jan 2026, 08:05 UTC; with scripts, in the reader's time zone. */
export function timeOf(rfc3339: string): Markup {
  return titled(rfc3339, "exact", dateTime(rfc3339));
}

/** For example 12 January 2026; with scripts, the day in the reader's time zone. */
export function dateOf(rfc3339: string): Markup {
  return titled(rfc3339, "date", date(rfc3339));
}

/** A time with text of the caller. */
export function timeAs(rfc3339: string, words: Children): Markup {
  return titled(rfc3339, "title", words);
}

/** `shows` says what the script may write into the element. */
function titled(rfc3339: string, shows: "ago" | "date" | "exact" | "title", words: Children): Markup {
  return html`<time datetime=${rfc3339} title=${dateTime(rfc3339)} data-time=${shows}>${words}</time>`;
}
