// A job's page while the job lives: whenever one of its events arrives, the page's own #job takes the place of the one that is shown. So what
// an event looks like is written once, on the server.
import { find } from "./find.js";
import { followJob } from "./follow-job.js";
import { swap } from "./swap.js";

const { events } = shown().dataset;
if (events !== undefined) followJob(events, refresh);

/** Whether there is more to come; undefined when the page cannot be had for the moment. */
async function refresh() {
  const html = await fetchPage();
  if (html === undefined) return undefined;
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("#job");
  if (!fresh) throw new Error("the answer has no job");
  swap([fresh]);
  return shown().dataset["events"] !== undefined;
}

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

function shown() {
  return find("#job", HTMLElement);
}
