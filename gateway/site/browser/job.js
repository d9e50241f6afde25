// A job's page while the job lives: whenever one of its events arrives, the page's own #job takes the place of the one that is shown. So what
// an event looks like is written once, on the server.
import { fetchPage } from "./fetch-page.js";
import { find } from "./find.js";
import { followJob } from "./follow-job.js";
import { swap } from "./swap.js";

const { events } = shown().dataset;
if (events !== undefined) followJob(events, refresh);

/** Whether there is more to come; undefined when the page cannot be had for the moment. */
async function refresh() {
  const page = await fetchPage(location.pathname);
  if (!page) return undefined;
  const fresh = page.querySelector("#job");
  if (!fresh) throw new Error("the response has no job");
  swap([fresh]);
  return shown().dataset["events"] !== undefined;
}

function shown() {
  return find("#job", HTMLElement);
}
