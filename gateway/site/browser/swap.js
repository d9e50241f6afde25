// Puts newer parts of a page in the place of those that it shows. The server made both; what has not changed stays as it is, and so does an
// element that is read out when its text changes.

/**
 * Each part of `fresh` takes the place of the one with the same id. One that the page does not have is passed over.
 * @param {Iterable<Element>} fresh
 */
export function swap(fresh) {
  for (const part of fresh) {
    const current = part.id === "" ? null : document.getElementById(part.id);
    if (current instanceof HTMLElement && part instanceof HTMLElement) replace(current, part);
  }
}

/**
 * @param {HTMLElement} current
 * @param {HTMLElement} fresh
 */
function replace(current, fresh) {
  const isSame = current.innerHTML === fresh.innerHTML;
  for (const name of new Set([...Object.keys(current.dataset), ...Object.keys(fresh.dataset)])) {
    const value = fresh.dataset[name];
    if (value === undefined) delete current.dataset[name];
    else current.dataset[name] = value;
  }
  current.hidden = fresh.hidden;
  if (isSame) return;
  const focused = document.activeElement?.id;
  keepSpoken(current, fresh);
  current.replaceChildren(...fresh.childNodes);
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}

/**
 * @param {HTMLElement} current
 * @param {HTMLElement} fresh
 */
function keepSpoken(current, fresh) {
  for (const line of current.querySelectorAll("[role=status][id]")) {
    const newer = fresh.querySelector(`[id="${line.id}"]`);
    if (!newer) continue;
    if (line.textContent !== newer.textContent) line.textContent = newer.textContent;
    newer.replaceWith(line);
  }
}
