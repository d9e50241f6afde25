// A job's page while the job lives: whenever one of its events arrives, the page's own #job takes the place of the one that is shown. So what
// an event looks like is written once, on the server.
import { find } from "./find.js";

const KEPT = `generate ${document.querySelector("meta[name=csrf-token]")?.getAttribute("content")}`;
/** After which a page that could not be had is asked for again. */
const RETRY_MS = 2_000;
/** Event types of the stream; EventSource hands out no others. */
const TYPES = [
  "debited",
  "running",
  "progress",
  "retrying",
  "cancelling",
  "completed",
  "failed",
  "cancelled",
  "released",
  "refunded",
];

// The job is made, so what was kept of its prompt has done its duty.
sessionStorage.removeItem(KEPT);

let busy = false;
let again = false;
const address = shown().dataset["events"];
if (address !== undefined) watch(address);

/** @param {string} events */
function watch(events) {
  const source = new EventSource(events);
  for (const type of TYPES) source.addEventListener(type, () => void refresh(source));
  source.addEventListener("error", () => {
    // Otherwise it comes back by itself. Closed for good means: nothing is left to be told, or not to this browser.
    if (source.readyState === EventSource.CLOSED) void refresh(source);
  });
}

/**
 * One request at a time; what happens meanwhile is in the next.
 * @param {EventSource} source
 */
async function refresh(source) {
  again = busy;
  if (busy) return;
  busy = true;
  const html = await fetchPage();
  busy = false;
  if (html === undefined) return void setTimeout(() => void refresh(source), RETRY_MS);
  show(html);
  if (shown().dataset["events"] === undefined) source.close();
  else if (again) await refresh(source);
}

/** The page as it is now; undefined when it cannot be had for the moment. */
async function fetchPage() {
  try {
    const response = await fetch(location.pathname, { headers: { accept: "text/html" } });
    // To sign in again: the person is led there, and back.
    if (response.redirected) location.reload();
    return response.ok && !response.redirected ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} html */
function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("#job");
  if (!(fresh instanceof HTMLElement)) throw new Error("the answer has no job");
  const current = shown();
  // The standing stays the element that it is: only a change of its text is read out.
  const standing = current.querySelector("#job-standing");
  const freshStanding = fresh.querySelector("#job-standing");
  if (standing && freshStanding && standing.textContent !== freshStanding.textContent)
    standing.textContent = freshStanding.textContent;
  if (standing) freshStanding?.replaceWith(standing);
  const focused = document.activeElement?.id;
  current.replaceChildren(...fresh.childNodes);
  const { events } = fresh.dataset;
  if (events === undefined) delete current.dataset["events"];
  if (focused) document.getElementById(focused)?.focus();
}

function shown() {
  return find("#job", HTMLElement);
}
