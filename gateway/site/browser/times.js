// Times of a page in the reader's own time zone, and "3 minutes ago" as time goes by. The server has written all of them in UTC before.
import { relativeWords } from "./relative-words.js";

const REFRESH_MS = 20_000;
const LOCAL = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const LOCAL_EXACT = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});

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
    time.title = LOCAL_EXACT.format(at);
  }
}

/**
 * @param {HTMLTimeElement} time
 * @param {Date} at
 */
function wordsOf(time, at) {
  if (time.dataset["time"] === "ago") return relativeWords(at.getTime(), Date.now());
  return time.dataset["time"] === "exact" ? LOCAL.format(at) : undefined;
}
