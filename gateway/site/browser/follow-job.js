// Follows the events of a job: each event is a reason to fetch the newest state of the page.

/** The delay before a failed request is repeated. */
const RETRY_MS = 2_000;
/** The event types of the stream; EventSource passes on only types that have a listener. */
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
 * called once at a time; changes during a call are in the next. The function that is answered ends it.
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
    // EventSource reconnects after an error. A closed stream has nothing left to report, or not to this browser.
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
