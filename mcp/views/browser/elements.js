// Elements of a view. External data become text or one of a fixed set of attributes, never markup.

/**
 * @typedef {string | Node} Child
 * @typedef {string | number | boolean | undefined | ((event: Event) => void)} Value
 */

/**
 * A function is a listener: `onclick`. True is an attribute without a value; false and undefined are none.
 * @param {string} tag
 * @param {Record<string, Value>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice("on".length), value);
    else if (value !== undefined && value !== false)
      made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/** The element for the view in its page. */
export function viewElement() {
  const found = document.querySelector("#view");
  if (!(found instanceof HTMLElement)) throw new Error("the page has no #view");
  return found;
}

/**
 * Says to those who do not see it what has changed; once, however often it is said.
 * @param {string} words
 */
export function announce(words) {
  const status = document.querySelector("#status");
  if (status && status.textContent !== words) status.textContent = words;
}

const NUMBER = new Intl.NumberFormat("en-US");

/** @param {number} count */
export function shownNumber(count) {
  return NUMBER.format(count);
}

/**
 * "1 credit", "1,200 credits".
 * @param {number} count
 * @param {string} one
 */
export function counted(count, one) {
  return `${NUMBER.format(count)} ${one}${count === 1 ? "" : "s"}`;
}

/**
 * A duration or a name of the service as people read it: "duration_seconds" -> "Duration seconds".
 * @param {string} name
 */
export function inWords(name) {
  const words = name.replaceAll("_", " ").replaceAll("-", " ").trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** @param {unknown} error */
export function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}
