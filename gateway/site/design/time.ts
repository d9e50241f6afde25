// Times as people read them, with the exact one on hover. They are written in UTC; browser/times.js, which every page of a person's own
// loads, turns them into the reader's time zone and keeps "3 minutes ago" true.
import { relativeWords } from "../browser/relative-words.js";
import { date, dateTime } from "./format.ts";
import { type Children, type Markup, html } from "./markup.js";

/** 3 minutes ago, in 5 days; the date where that is weeks away. */
export function timeAgo(rfc3339: string, now: Date): Markup {
  const words = relativeWords(Date.parse(rfc3339), now.getTime());
  return words === undefined ? dateOf(rfc3339) : titled(rfc3339, "ago", words);
}

/** 12 Jan 2026, 08:05 UTC; in a browser that runs scripts the reader's own time. */
export function timeOf(rfc3339: string): Markup {
  return titled(rfc3339, "exact", dateTime(rfc3339));
}

/** 12 January 2026; in a browser that runs scripts the day at the reader's place. */
export function dateOf(rfc3339: string): Markup {
  return titled(rfc3339, "date", date(rfc3339));
}

/** Words of one's own for a moment. */
export function timeAs(rfc3339: string, words: Children): Markup {
  return titled(rfc3339, "title", words);
}

/** `shows` says what the script may write into it. */
function titled(rfc3339: string, shows: "ago" | "date" | "exact" | "title", words: Children): Markup {
  return html`<time datetime=${rfc3339} title=${dateTime(rfc3339)} data-time=${shows}>${words}</time>`;
}
