// File fields: a chosen, dropped or pasted file is uploaded immediately and previewed, and the form then names the upload. Without this
// script the form carries the file.
import { find } from "./find.js";

const UPLOADS = "/account/api/uploads";
/** The longer side of a preview, in CSS pixels. */
const PREVIEW_SIDE = 160;
const NUMBER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

const token = document.querySelector("meta[name=csrf-token]")?.getAttribute("content") ?? "";
const form = find("form.generate__form", HTMLFormElement);
/** Uploads in progress. */
const underWay = new Set();

/** @type {NodeListOf<HTMLElement>} */
const fields = document.querySelectorAll(".input-field");
const inputs = [...fields].map(prepare);

// A paste anywhere on the page goes to the first empty field.
document.addEventListener("paste", (event) => {
  const file = event.clipboardData?.files[0];
  if (!file) return;
  event.preventDefault();
  (inputs.find(({ isEmpty }) => isEmpty()) ?? inputs[0])?.take(file);
});

// A press during an upload takes effect when the upload is complete.
form.addEventListener(
  "submit",
  (event) => {
    if (underWay.size === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void Promise.all(underWay).then(() => form.requestSubmit());
  },
  { capture: true },
);

/** @param {HTMLElement} field */
function prepare(field) {
  const chosen = within(field, ".input-field__chosen", HTMLElement);
  const error = within(field, ".field__error", HTMLElement);
  const chooser = within(field, "input[type=file]", HTMLInputElement);
  const address = within(field, `input[name="param.${field.dataset["input"]}"]`, HTMLInputElement);
  /** @type {NodeListOf<HTMLInputElement>} */
  const picks = field.querySelectorAll("input[type=radio]");
  let last = 0;

  listen(field, take);
  for (const pick of picks)
    pick.addEventListener("change", () => {
      last += 1;
      chooser.value = "";
      address.value = "";
      complain("");
      if (pick.value === "") return chosen.replaceChildren();
      const picture = pick.parentElement?.querySelector("img")?.cloneNode();
      show(`Chosen: ${pick.parentElement?.textContent?.trim()}`, picture);
    });
  address.addEventListener("input", () => {
    last += 1;
    unpick();
    chooser.value = "";
    complain("");
    if (address.value === "") chosen.replaceChildren();
    else show(`Chosen: ${address.value}`);
  });

  const isEmpty = () =>
    address.value === "" && [...picks].every(({ checked, value }) => !checked || value === "");
  return { take, isEmpty };

  /** @param {File} file */
  function take(file) {
    const sending = send(file).finally(() => underWay.delete(sending));
    underWay.add(sending);
  }

  /** @param {File} file */
  async function send(file) {
    last += 1;
    const mine = last;
    // The form names the upload instead of sending the file again.
    chooser.value = "";
    address.value = "";
    unpick();
    complain("");
    const preview = await draw(file);
    if (mine !== last) return;
    show(`Sending ${file.name}…`, preview);
    const answer = await upload(file);
    if (mine !== last) return;
    if ("refusal" in answer) {
      chosen.replaceChildren();
      complain(answer.refusal);
      return;
    }
    address.value = answer.upload_id;
    show(`Chosen: ${file.name}, ${inWords(answer)}`, preview);
  }

  function unpick() {
    for (const pick of picks) pick.checked = pick.value === "";
  }

  /** @param {string} words */
  function complain(words) {
    error.textContent = words;
    error.hidden = words === "";
    if (words === "") chooser.removeAttribute("aria-invalid");
    else chooser.setAttribute("aria-invalid", "true");
  }

  /**
   * @param {string} words
   * @param {Node} [picture]
   */
  function show(words, picture) {
    const text = document.createElement("span");
    text.textContent = words;
    chosen.replaceChildren(...(picture ? [picture] : []), text);
  }
}

/**
 * Files that are chosen in the field or dropped on it.
 * @param {HTMLElement} field
 * @param {(file: File) => void} take
 */
function listen(field, take) {
  const zone = within(field, ".input-field__zone", HTMLElement);
  const chooser = within(field, "input[type=file]", HTMLInputElement);
  within(field, ".input-field__drop", HTMLElement).hidden = false;
  chooser.addEventListener("change", () => {
    const file = chooser.files?.[0];
    if (file) take(file);
  });
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("input-field__zone--over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("input-field__zone--over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("input-field__zone--over");
    const file = event.dataTransfer?.files[0];
    if (file) take(file);
  });
}

/**
 * What the browser can draw of it, small; nothing of what is no picture.
 * @param {File} file
 */
async function draw(file) {
  if (!file.type.startsWith("image/")) return undefined;
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, PREVIEW_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.className = "pick__picture";
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return canvas;
  } catch {
    return undefined;
  }
}

/**
 * @typedef {{ upload_id: string, mime_type: string, bytes: number, width: number | null, height: number | null }} Upload
 * @param {File} file
 * @returns {Promise<Upload | { refusal: string }>}
 */
async function upload(file) {
  try {
    const response = await fetch(UPLOADS, {
      method: "POST",
      headers: { "x-csrf-token": token, "content-type": "application/octet-stream" },
      body: file,
    });
    const answer = await response.json();
    if (response.ok) return answer.result;
    return { refusal: `${answer.message} ${answer.hint ?? ""}`.trim() };
  } catch {
    return { refusal: "The file could not be sent. Check the connection and choose it again." };
  }
}

/** @param {Upload} upload */
function inWords({ mime_type, width, height, bytes }) {
  const size = width !== null && height !== null ? [`${width} × ${height}`] : [];
  const weight = bytes < 1e6 ? `${NUMBER.format(bytes / 1e3)} kB` : `${NUMBER.format(bytes / 1e6)} MB`;
  return [mime_type.split("/")[1]?.toUpperCase(), ...size, weight].join(", ");
}

/**
 * @template {Element} T
 * @param {Element} field
 * @param {string} selector
 * @param {new () => T} type
 */
function within(field, selector, type) {
  const found = field.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the field has no ${selector}`);
  return found;
}
