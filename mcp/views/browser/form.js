// The view of list_models: a form of a model's params with its price, which is updated with each change. An order costs the shown price at
// most.
import { announce, counted, element, inWords, reasonOf, viewElement } from "./elements.js";
import { connectHost, isObject } from "./host.js";
import { drawJob, followJob, jobIdOf, newKey } from "./job.js";
import { labelled, option, paramsOf, valueOf } from "./params.js";

/** @typedef {Record<string, unknown>} Json */

/** After the last change. */
const PAUSE_MS = 400;

const view = viewElement();
const model = element("select", { id: "model", onchange: () => void choose() });
const prompt = element("textarea", { id: "prompt", rows: 3, required: true, oninput: () => changed() });
const params = element("div", { class: "params", oninput: () => changed(), onchange: () => changed() });
const price = element("p", { class: "price" });
const order = element(
  "button",
  { type: "button", class: "order", disabled: true, onclick: () => void send() },
  "Generate",
);
const made = element("div");
/** @type {Json[]} */
let models = [];
/** @type {import("./params.js").Param[]} */
let fields = [];
/** @type {string[]} */
let names = [];
/** The price of what the form says; undefined while it is not known. @type {number | undefined} */
let credits;
/** Of the order that the form says: one that is repeated, because no answer came, makes nothing twice. */
let idempotencyKey = newKey();
let revision = 0;
/** The request that the price belongs to, or will. */
let said = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let busy = false;
let following = new AbortController();

const host = await connectHost("atelier-form", {
  result: (result) => begin(result),
  cancelled: () => view.replaceChildren(element("p", { class: "notice" }, "The call was cancelled.")),
  end: () => {
    clearTimeout(timer);
    following.abort();
  },
});

/** @param {import("./host.js").Result} result */
function begin({ structured, text, failed }) {
  const listed = structured["models"];
  models = Array.isArray(listed)
    ? listed.filter((one) => isObject(one) && typeof one["model_slug"] === "string")
    : [];
  if (failed || models.length === 0 || !host.callsTools) {
    const words =
      failed || models.length === 0
        ? text
        : `${text}\n\nThis assistant lets no form call tools: ask it in words.`;
    view.replaceChildren(element("p", { class: "notice" }, words || "There is no model to choose."));
    return;
  }
  const kinds = [...new Set(models.map(({ modality }) => String(modality)))];
  const groups = kinds.map((kind) => {
    const group = element("optgroup", { label: inWords(kind) });
    const options = models.map((one, index) =>
      one["modality"] === kind ? [option(String(index), String(one["name"] ?? one["model_slug"]))] : [],
    );
    group.append(...options.flat());
    return group;
  });
  model.replaceChildren(...groups);
  // No form element: hosts may allow frames to send none, and then its submit is never heard of.
  const form = element(
    "div",
    { class: "form" },
    labelled("model", "Model", undefined, model),
    labelled("prompt", "Prompt", undefined, prompt),
    params,
    element("div", { class: "order-row" }, price, order),
  );
  view.replaceChildren(form, made);
  void choose();
}

function chosen() {
  return models[Number(valueOf(model))] ?? {};
}

/** The list has no schemas of params; that of a model comes when the model is first chosen. */
async function choose() {
  const one = chosen();
  const slug = one["model_slug"];
  if (!("params_schema" in one)) {
    // Neither a price on its way nor the fields shown so far are about this model.
    revision += 1;
    clearTimeout(timer);
    [names, fields, said] = [[], [], ""];
    params.replaceChildren();
    setPrice(undefined, "");
    try {
      const { structured, text, failed } = await host.call("list_models", { model: slug });
      const found = Array.isArray(structured["models"]) ? structured["models"][0] : undefined;
      if (failed || !isObject(found)) throw new Error(text);
      one["params_schema"] = found["params_schema"];
    } catch (error) {
      if (chosen() === one) setPrice(undefined, reasonOf(error));
      return;
    }
    if (chosen() !== one) return;
  }
  draw(one);
}

/** @param {Json} shown */
function draw({ params_schema: schema, max_prompt_length: longest, description }) {
  const made = paramsOf(schema);
  names = [...made.keys()];
  fields = [...made.values()];
  params.replaceChildren(
    ...(typeof description === "string" ? [element("p", { class: "about" }, description)] : []),
    ...fields.map(({ field }) => field),
  );
  if (typeof longest === "number") prompt.setAttribute("maxlength", String(longest));
  changed();
}

/** The tool arguments from the form. */
function request() {
  const { modality, model_slug } = chosen();
  const values = fields.map(({ read }, index) => [names[index] ?? "", read()]);
  const given = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  return { modality, model_slug, prompt: valueOf(prompt), params: given };
}

function changed() {
  // A field reports a change once more when it loses the focus, which is when the button is being pressed.
  const now = JSON.stringify(request());
  if (now === said) return;
  said = now;
  revision += 1;
  idempotencyKey = newKey();
  setPrice(undefined, "");
  clearTimeout(timer);
  timer = setTimeout(() => void estimate(revision), PAUSE_MS);
}

/** @param {number} asked */
async function estimate(asked) {
  const wanted = request();
  // The price does not depend on the prompt, which may still be empty.
  const isEmpty = wanted.prompt.trim() === "";
  try {
    const { structured, text, failed } = await host.call("estimate_generation", {
      ...wanted,
      prompt: isEmpty ? "…" : wanted.prompt,
    });
    if (asked !== revision) return;
    const cost = structured["credits"];
    const { credits_available: available, affordable } = structured;
    if (failed || typeof cost !== "number") setPrice(undefined, text);
    else {
      const has = typeof available === "number" ? `, of ${counted(available, "credit")} available` : "";
      const isPossible = affordable !== false && !isEmpty;
      setPrice(isPossible ? cost : undefined, `It costs ${counted(cost, "credit")}${has}.`);
    }
  } catch (error) {
    if (asked === revision) setPrice(undefined, reasonOf(error));
  }
}

/**
 * @param {number | undefined} cost
 * @param {string} words
 */
function setPrice(cost, words) {
  credits = cost;
  price.textContent = words;
  if (words !== "") announce(words);
  order.textContent = cost === undefined ? "Generate" : `Generate for ${counted(cost, "credit")}`;
  order.toggleAttribute("disabled", cost === undefined || busy);
}

async function send() {
  if (credits === undefined || busy) return;
  const ordered = {
    ...request(),
    ...(credits > 0 && { max_credits: credits }),
    idempotency_key: idempotencyKey,
  };
  setBusy(true);
  try {
    const result = await host.call("connect_generate", ordered);
    const jobId = jobIdOf(result);
    if (result.failed || jobId === undefined) tell(result.text);
    else {
      idempotencyKey = newKey();
      host.tell(`The user ordered job ${jobId} in the form: ${ordered.prompt}`);
      await follow(result, jobId, ordered.prompt);
    }
  } catch (error) {
    tell(`${reasonOf(error)} Press again: the same order makes nothing twice.`);
  } finally {
    setBusy(false);
  }
}

/**
 * @param {import("./host.js").Result} accepted
 * @param {string} jobId
 * @param {string} words
 */
async function follow(accepted, jobId, words) {
  following.abort();
  following = new AbortController();
  const show = (/** @type {import("./host.js").Result} */ result) =>
    made.replaceChildren(drawJob(result, host, words));
  show(accepted);
  try {
    await followJob(host, jobId, show, following.signal);
  } catch (error) {
    made.append(element("p", { class: "notice" }, reasonOf(error)));
  }
}

/** @param {boolean} is */
function setBusy(is) {
  busy = is;
  order.toggleAttribute("disabled", is || credits === undefined);
}

/** @param {string} words */
function tell(words) {
  made.replaceChildren(element("p", { class: "notice" }, words));
  announce(words);
}
