// Finds the one element of a page that a module works on.

/**
 * Throws when the page has none of this type: the module and its page do not belong together.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 */
export function find(selector, type) {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}
