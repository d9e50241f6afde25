// A job's page while the job lives: whenever one of its events arrives, the page's own #job takes the place of the one that is shown. So what
// an event looks like is written once, on the server.

const KEPT = `generate ${document.querySelector("meta[name=csrf-token]")?.getAttribute("content")}`;
/** Event types of the stream; EventSource hands out no others. */
const TYPES = [
  "debited",
  "running",
  "progress",
  "retrying",
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
}

/**
 * One request at a time; what happens meanwhile is in the next.
 * @param {EventSource} source
 */
async function refresh(source) {
  again = busy;
  if (busy) return;
  busy = true;
  try {
    const response = await fetch(location.pathname, { headers: { accept: "text/html" } });
    // Signed out, or away: the next event asks again, and a person who loads the page hears why.
    if (response.ok && !response.redirected) show(await response.text());
  } finally {
    busy = false;
  }
  if (shown().dataset["events"] === undefined) source.close();
  else if (again) await refresh(source);
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
  const job = document.querySelector("#job");
  if (!(job instanceof HTMLElement)) throw new Error("the page has no #job");
  return job;
}
