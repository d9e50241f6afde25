// Times of a page in the reader's own time zone, and "3 minutes ago" as time goes by. The server has written all of them in UTC, which stays
// as their title.
import { relativeWords } from "./relative-words.js";

const REFRESH_MS = 20_000;
const LOCAL = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const LOCAL_DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

tell(document.querySelectorAll("time[data-time]"));
setInterval(() => tell(document.querySelectorAll("time[data-time=ago]")), REFRESH_MS);
// What other modules put into the page.
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes) {
      if (!(node instanceof Element)) continue;
      if (node.matches("time[data-time]")) tell([node]);
      tell(node.querySelectorAll("time[data-time]"));
    }
}).observe(document.body, { childList: true, subtree: true });

/** @param {Iterable<Element>} times */
function tell(times) {
  for (const time of times) {
    if (!(time instanceof HTMLTimeElement)) continue;
    const at = new Date(time.dateTime);
    const words = wordsOf(time, at);
    // Only what changes is written, so that nothing is read out or selected anew.
    if (words !== undefined && time.textContent !== words) time.textContent = words;
  }
}

/**
 * @param {HTMLTimeElement} time
 * @param {Date} at
 */
function wordsOf(time, at) {
  switch (time.dataset["time"]) {
    case "ago":
      return relativeWords(at.getTime(), Date.now());
    case "exact":
      return LOCAL.format(at);
    case "date":
      return LOCAL_DAY.format(at);
    default:
      return undefined;
  }
}
