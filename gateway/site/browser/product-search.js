// Search as one types on /products: asks for the same page with the new words and puts its results in the place of these. The form works
// without it. What was looked at before is one step back: a search that is being typed is one entry of the history, a choice is another.
import { find } from "./find.js";

/** Pauses in typing that are shorter do not ask. */
const PAUSE_MS = 180;

const form = find("form.product-search", HTMLFormElement);
const results = find("#results", HTMLElement);
let asked = new AbortController();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

form.addEventListener("input", ({ target }) => {
  const isChosen = target instanceof HTMLSelectElement;
  clearTimeout(timer);
  timer = setTimeout(
    () => void showResults(addressOfForm(), isChosen ? "chosen" : "typed"),
    isChosen ? 0 : PAUSE_MS,
  );
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  void showResults(addressOfForm(), "chosen");
});
addEventListener("popstate", () => {
  clearTimeout(timer);
  void showResults(location.href, "went back");
});

/**
 * @param {string} address
 * @param {"typed" | "chosen" | "went back"} how
 */
async function showResults(address, how) {
  asked.abort();
  asked = new AbortController();
  results.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(address, { signal: asked.signal, headers: { accept: "text/html" } });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    show(page);
    if (how === "went back") fillForm(page);
    else remember(address, how);
    results.removeAttribute("aria-busy");
  } catch (error) {
    // Newer words are on their way.
    if (error instanceof DOMException && error.name === "AbortError") return;
    results.removeAttribute("aria-busy");
    say("These results could not be loaded. Press Search to try again.");
  }
}

/**
 * @param {string} address
 * @param {"typed" | "chosen"} how
 */
function remember(address, how) {
  if (new URL(address, location.href).href === location.href) return;
  const isSameSearch = how === "typed" && history.state?.how === "typed";
  if (isSameSearch) history.replaceState({ how }, "", address);
  else history.pushState({ how }, "", address);
}

/** Without what says nothing, so that the address is one that can be shared. */
function addressOfForm() {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const isDefault = value === "" || (name === "sort" && value === "featured");
    if (typeof value === "string" && !isDefault) fields.append(name, value);
  }
  const query = fields.toString();
  return query === "" ? form.action : `${form.action}?${query}`;
}

/** @param {string} text */
function say(text) {
  const count = document.querySelector("#result-count");
  if (count) count.textContent = text;
}

/** @param {Document} page */
function show(page) {
  const fresh = page.querySelector("#results");
  if (!fresh) throw new Error("the response has no results");
  // The count stays the element that it is: only a change of its text is read out.
  const count = document.querySelector("#result-count");
  const freshCount = fresh.querySelector("#result-count");
  if (count && freshCount) {
    count.textContent = freshCount.textContent;
    freshCount.replaceWith(count);
  }
  results.replaceChildren(...fresh.childNodes);
  document.title = page.title;
}

/** @param {Document} page */
function fillForm(page) {
  const fields = new FormData(page.querySelector("form.product-search") ?? undefined);
  for (const name of ["search", "sort"]) {
    const field = form.elements.namedItem(name);
    const value = fields.get(name);
    if (
      (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) &&
      typeof value === "string"
    )
      field.value = value;
  }
}
