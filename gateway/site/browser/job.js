// The page of a live job: when an event arrives, the newest #job of the same page replaces the one that is shown, so only the server
// renders events.
import { fetchPage } from "./fetch-page.js";
import { find } from "./find.js";
import { followJob } from "./follow-job.js";
import { swap } from "./swap.js";

const { events } = shown().dataset;
if (events !== undefined) followJob(events, refresh);

/** Whether more events follow; undefined if the page cannot be fetched at the moment. */
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
