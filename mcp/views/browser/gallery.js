// The view of get_job and connect_generate: a job's progress, then what it made.
import { announce, element, reasonOf, viewElement } from "./elements.js";
import { connectHost } from "./host.js";
import { drawJob, followJob, hasEnded, jobIdOf } from "./job.js";

const view = viewElement();
/** @type {string | undefined} */
let prompt;
let following = new AbortController();

const host = await connectHost("atelier-gallery", {
  input: (args) => {
    prompt = typeof args["prompt"] === "string" ? args["prompt"] : undefined;
  },
  result: (result) => void begin(result),
  cancelled: () => say("The call was cancelled."),
  end: () => following.abort(),
});

/** @param {import("./host.js").Result} result */
async function begin(result) {
  following.abort();
  following = new AbortController();
  const jobId = jobIdOf(result);
  if (result.failed || jobId === undefined) {
    say(result.text || "There is nothing to show.");
    return;
  }
  const isWhole = hasEnded(result) && result.images.size > 0;
  if (isWhole || !host.callsTools) {
    show(result);
    return;
  }
  // A job that has ended is asked for once more, because the model did not ask for its pictures.
  if (!hasEnded(result)) show(result);
  try {
    await followJob(host, jobId, show, following.signal);
  } catch (error) {
    show(result);
    view.append(element("p", { class: "notice", role: "alert" }, reasonOf(error)));
  }
}

/** @param {import("./host.js").Result} result */
function show(result) {
  view.replaceChildren(drawJob(result, host, prompt));
}

/** @param {string} words */
function say(words) {
  view.replaceChildren(element("p", { class: "notice" }, words));
  announce(words);
}
