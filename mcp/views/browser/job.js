// A job in a view: its state, its progress, and its files. It is followed until it has ended.
import { announce, counted, element, inWords } from "./elements.js";
import { isObject } from "./host.js";

/** @typedef {import("./host.js").Host} Host */
/** @typedef {import("./host.js").Result} Result */
/** @typedef {import("./host.js").Json} Json */
/** @typedef {{ url: string, mimeType: string, link: import("./host.js").Link | undefined, isThere: boolean, image: string | undefined }} File */

const ENDED = ["completed", "failed", "cancelled"];
/** How long one question waits: short at first, so that progress is seen. */
const WAIT_SECONDS = [2, 2, 3, 3, 5, 5, 10];
const MAX_FAILURES = 4;
const RETRY_MS = 3_000;

/** @param {Result} result */
export function hasEnded({ structured }) {
  return ENDED.includes(String(structured["state"]));
}

/** @param {Result} result */
export function jobIdOf({ structured }) {
  const id = structured["job_id"];
  return typeof id === "string" ? id : undefined;
}

/**
 * Asks for the job until it has ended, or `signal` says that no one looks any more. Rejects when it cannot be had several times in a row.
 * @param {Host} host
 * @param {string} jobId
 * @param {(result: Result) => void} show
 * @param {AbortSignal} signal
 */
export async function followJob(host, jobId, show, signal) {
  let failures = 0;
  for (let look = 0; !signal.aborted; look++) {
    try {
      const wait_seconds = WAIT_SECONDS[Math.min(look, WAIT_SECONDS.length - 1)];
      const result = await host.call("get_job", { job_id: jobId, wait_seconds, preview: true });
      if (signal.aborted) return;
      if (result.failed) throw new Error(result.text);
      failures = 0;
      show(result);
      if (hasEnded(result)) return;
    } catch (error) {
      failures += 1;
      if (failures === MAX_FAILURES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/**
 * @param {Result} result
 * @param {Host} host
 * @param {string} [prompt] What was asked for, where that is known.
 * @returns {HTMLElement}
 */
export function drawJob(result, host, prompt) {
  const { structured } = result;
  const state = String(structured["state"]);
  announce(`The job is ${state}.`);
  const slug = structured["model_slug"];
  const model = typeof slug === "string" ? slug : "";
  const head = element(
    "p",
    { class: "head" },
    element("strong", { class: `state ${state}` }, inWords(state)),
    element("span", {}, model),
    element("span", {}, creditWords(structured)),
  );
  const files = filesOf(result);
  return element(
    "section",
    { class: "job", "aria-label": "Job" },
    ...(prompt === undefined ? [] : [element("p", { class: "prompt" }, prompt)]),
    head,
    ...(hasEnded(result) ? [] : [drawProgress(result)]),
    ...drawFailure(structured),
    ...(files.length > 0
      ? [
          element(
            "ul",
            { class: files.length > 1 ? "files" : "files single" },
            ...files.map((file, index) =>
              drawFile(file, nameOf(file, index, files.length, model, prompt), host),
            ),
          ),
        ]
      : []),
  );
}

/** An Idempotency-Key. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** @param {Json} job */
function creditWords({ credits_charged: charged, credits_reserved: reserved }) {
  if (typeof charged === "number") return `${counted(charged, "credit")} charged`;
  return typeof reserved === "number" ? `${counted(reserved, "credit")} reserved` : "";
}

/** @param {Result} result */
function drawProgress({ structured, meta }) {
  const { progress } = meta;
  const seconds = structured["estimated_seconds"];
  const words = typeof progress === "number" ? `${Math.round(progress * 100)}% done` : "Waiting for news";
  const estimate =
    typeof seconds === "number" ? `, about ${counted(Math.ceil(seconds), "second")} in all` : "";
  return element(
    "div",
    { class: "progress" },
    element("progress", {
      "aria-label": "Progress of the job",
      max: 1,
      value: typeof progress === "number" ? progress : undefined,
    }),
    element("span", {}, words + estimate),
  );
}

/**
 * @param {Json} job
 * @returns {HTMLElement[]}
 */
function drawFailure({ error, credits_charged: charged }) {
  if (!isObject(error) || typeof error["message"] !== "string") return [];
  const back = charged === 0 ? " Its credits were refunded." : "";
  return [element("p", { class: "notice" }, error["message"] + back)];
}

/**
 * @param {Result} result
 * @returns {File[]}
 */
function filesOf({ structured, images, links }) {
  const outputs = Array.isArray(structured["outputs"]) ? structured["outputs"].filter(isObject) : [];
  return outputs.flatMap(({ url, mime_type: mimeType, expires_at: expiresAt }) => {
    if (typeof url !== "string" || typeof mimeType !== "string" || !/^https?:\/\//.test(url)) return [];
    const link = links.get(url);
    const isThere = link !== undefined && Date.parse(String(expiresAt)) > Date.now();
    return [{ url, mimeType, link, isThere, image: link && images.get(link.name) }];
  });
}

/**
 * What is shown, for those who do not see it.
 * @param {File} file
 * @param {number} index
 * @param {number} count
 * @param {string} model
 * @param {string | undefined} prompt
 */
function nameOf({ mimeType }, index, count, model, prompt) {
  const kind = inWords(mimeType.split("/")[0] ?? "file");
  const which = count > 1 ? `${kind} ${index + 1} of ${count}` : kind;
  return prompt === undefined ? `${which}, made by ${model}` : `${which}, made from: ${prompt}`;
}

/**
 * @param {File} file
 * @param {string} name
 * @param {Host} host
 */
function drawFile({ url, mimeType, link, isThere, image }, name, host) {
  if (!isThere) return element("li", { class: "gone" }, `${name}: not kept any more.`);
  const media = drawMedia(url, mimeType, image, name);
  const open = host.opensLinks
    ? element(
        "button",
        { type: "button", onclick: () => host.open(url), "aria-label": `Open ${name}` },
        "Open",
      )
    : element("a", { href: url, target: "_blank", rel: "noreferrer", "aria-label": `Open ${name}` }, "Open");
  const { download } = host;
  const save = () => download?.(url, link?.name ?? name, mimeType);
  const buttons = download
    ? [
        element("button", { type: "button", onclick: save, "aria-label": `Download ${name}` }, "Download"),
        open,
      ]
    : [open];
  const words = link?.bytes === undefined ? mimeType : `${mimeType}, ${sizeInWords(link.bytes)}`;
  return element(
    "li",
    {},
    element("figure", {}, media, element("figcaption", {}, element("span", {}, words), ...buttons)),
  );
}

/** @param {number} bytes */
function sizeInWords(bytes) {
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}

/**
 * @param {string} url
 * @param {string} mimeType
 * @param {string | undefined} image
 * @param {string} name
 */
function drawMedia(url, mimeType, image, name) {
  const controls = { controls: true, preload: "none", src: url, "aria-label": name };
  if (mimeType.startsWith("video/"))
    return element("video", { ...controls, poster: image, playsinline: true });
  if (mimeType.startsWith("audio/")) return element("audio", controls);
  if (!mimeType.startsWith("image/")) return element("p", {}, name);
  // A host may allow less than was declared: the text stays.
  const onerror = (/** @type {Event} */ { target }) => {
    if (target instanceof Element)
      target.replaceWith(element("p", { class: "gone" }, `${name}: open it to see it.`));
  };
  return element("img", { src: image ?? url, alt: name, onerror });
}
