// A workflow's page while it is under way: looks every other second how it stands, and puts the parts that have changed in the place of those
// that are shown. Its steps' events come from several jobs, and the last news from none of them.
import { fetchPage } from "./fetch-page.js";
import { find } from "./find.js";
import { swap } from "./swap.js";

const LOOK_AGAIN_MS = 1_500;

if (isLive()) lookSoon();

/** Where no one sees it there is nothing to show. */
function lookSoon() {
  if (document.hidden) document.addEventListener("visibilitychange", lookSoon, { once: true });
  else setTimeout(() => void look(), LOOK_AGAIN_MS);
}

async function look() {
  const page = await fetchPage(location.pathname);
  if (page) swap(page.querySelectorAll("#workflow-head, #workflow-lines, #workflow-facts, .graph__step"));
  if (isLive()) lookSoon();
  // What was charged and what came back.
  else document.dispatchEvent(new Event("atelier:credits"));
}

function isLive() {
  return find("#workflow-head", HTMLElement).dataset["live"] !== undefined;
}
