// The view of get_job and connect_generate: a job's progress, then what it made.
import { announce, counted, element, reasonOf, viewElement } from "./elements.js";
import { connectHost, isObject } from "./host.js";
import { drawJob, followJob, hasEnded, jobIdOf, newKey } from "./job.js";

const view = viewElement();
/** The arguments of connect_generate, if the view stands beside a call of it. @type {import("./host.js").Json} */
let asked = {};
let following = new AbortController();

const host = await connectHost("atelier-gallery", {
  input: (args) => {
    asked = args;
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
  const prompt = typeof asked["prompt"] === "string" ? asked["prompt"] : undefined;
  view.replaceChildren(drawJob(result, host, prompt), ...varyButton(result, prompt));
}

/**
 * A button that orders the same once more with another seed, at no higher price. Pressed twice, it still makes one job.
 * @param {import("./host.js").Result} result
 * @param {string | undefined} prompt
 */
function varyButton({ structured }, prompt) {
  const { state, credits_reserved: price } = structured;
  if (state !== "completed" || prompt === undefined || typeof price !== "number" || !host.callsTools)
    return [];
  const { wait_seconds: _, preview: __, ...request } = asked;
  const { seed: ___, ...params } = isObject(request["params"]) ? request["params"] : {};
  const limit = price > 0 && { max_credits: price };
  const order = { ...request, params, ...limit, idempotency_key: newKey() };
  const vary = async () => {
    try {
      const made = await host.call("connect_generate", order);
      if (made.failed) throw new Error(made.text);
      host.tell(`The user ordered a variation, job ${jobIdOf(made)}: ${prompt}`);
      await begin(made);
    } catch (error) {
      view.append(element("p", { class: "notice", role: "alert" }, reasonOf(error)));
    }
  };
  const words = `Vary for ${counted(price, "credit")}`;
  return [
    element("p", { class: "vary" }, element("button", { type: "button", onclick: () => void vary() }, words)),
  ];
}

/** @param {string} words */
function say(words) {
  view.replaceChildren(element("p", { class: "notice" }, words));
  announce(words);
}
