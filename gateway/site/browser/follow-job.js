// The events of a job as they happen: each is a reason to ask for the page's newest state.

/** After which what could not be had is asked for again. */
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

/**
 * `refresh` shows the newest state and answers whether there is more to come; undefined where it could not be had for the moment. It is
 * called once at a time; what happens meanwhile is in the next. The function that is answered ends it.
 * @param {string} events Address of the stream.
 * @param {() => Promise<boolean | undefined>} refresh
 * @returns {() => void}
 */
export function followJob(events, refresh) {
  const source = new EventSource(events);
  let busy = false;
  let again = false;
  let ended = false;
  for (const type of TYPES) source.addEventListener(type, () => void look());
  source.addEventListener("error", () => {
    // Otherwise it comes back by itself. Closed for good means: nothing is left to be told, or not to this browser.
    if (source.readyState === EventSource.CLOSED) void look();
  });
  return end;

  function end() {
    ended = true;
    source.close();
  }

  async function look() {
    again = busy;
    if (busy || ended) return;
    busy = true;
    const isLive = await refresh();
    busy = false;
    if (ended) return;
    if (isLive === undefined) setTimeout(() => void look(), RETRY_MS);
    else if (isLive && again) await look();
    else if (!isLive) {
      end();
      document.dispatchEvent(new Event("atelier:credits"));
    }
  }
}
