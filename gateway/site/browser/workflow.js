// The page of a running workflow: fetches it every other second and replaces the parts that have changed. Its steps have events of several
// jobs, and the end of the workflow is an event of none of them.
import { fetchPage } from "./fetch-page.js";
import { find } from "./find.js";
import { swap } from "./swap.js";

const LOOK_AGAIN_MS = 1_500;

if (isLive()) lookSoon();

/** A hidden page needs no refresh. */
function lookSoon() {
  if (document.hidden) document.addEventListener("visibilitychange", lookSoon, { once: true });
  else setTimeout(() => void look(), LOOK_AGAIN_MS);
}

async function look() {
  const page = await fetchPage(location.pathname);
  if (page) swap(page.querySelectorAll("#workflow-head, #workflow-lines, #workflow-facts, .graph__step"));
  if (isLive()) lookSoon();
  // What was charged and refunded.
  else document.dispatchEvent(new Event("atelier:credits"));
}

function isLive() {
  return find("#workflow-head", HTMLElement).dataset["live"] !== undefined;
}
