// Shows times in the reader's time zone and keeps relative times up to date. The server writes all times in UTC, which stay as titles.
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
// Times that other modules insert into the page.
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
    // Only changed text is written, so that nothing is announced or deselected without need.
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
