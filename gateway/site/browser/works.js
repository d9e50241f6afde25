// The list of jobs: jobs that end are replaced in place, and selected jobs are counted.
import { fetchPage } from "./fetch-page.js";
import { find } from "./find.js";

/** Browsers open six connections to a site, and the files of the page need some of them. */
const MAX_STREAMS = 3;
const RETRY_MS = 2_000;
/** The event types after which a job looks different in this list. */
const TYPES = ["running", "progress", "cancelling", "completed", "failed", "cancelled"];
const NUMBER = new Intl.NumberFormat("en-US");

const works = document.querySelector("#works");
/** @type {Map<string, EventSource>} */
const streams = new Map();
let busy = false;
let again = false;

// There are no selectable jobs on this page.
if (works) {
  countChosen();
  works.addEventListener("change", countChosen);
  const all = find("#works-all", HTMLButtonElement);
  all.hidden = false;
  all.addEventListener("click", chooseAll);
  watchSome();
}

function watchSome() {
  for (const [id, source] of streams) {
    if (document.getElementById(id)?.dataset["events"] !== undefined) continue;
    source.close();
    streams.delete(id);
  }
  // The oldest job first.
  for (const live of [...document.querySelectorAll("[data-events]")].reverse()) {
    if (streams.size >= MAX_STREAMS) return;
    if (live instanceof HTMLElement && !streams.has(live.id)) watch(live.id, live.dataset["events"] ?? "");
  }
}

/**
 * @param {string} id
 * @param {string} events
 */
function watch(id, events) {
  const source = new EventSource(events);
  streams.set(id, source);
  for (const type of TYPES) source.addEventListener(type, () => void refresh());
  source.addEventListener("error", () => {
    // EventSource reconnects after an error. A closed stream has nothing left to report.
    if (source.readyState === EventSource.CLOSED) void refresh();
  });
}

/** Sends one request at a time; changes in the meantime are in the next one. */
async function refresh() {
  again = busy;
  if (busy) return;
  busy = true;
  const fresh = await fetchPage(location.href);
  busy = false;
  if (fresh === undefined) return void setTimeout(() => void refresh(), RETRY_MS);
  show(fresh);
  watchSome();
  if (again) await refresh();
}

/**
 * Of the works that are shown, those that look different now. New ones come with the next visit: nothing moves under a hand.
 * @param {Document} page
 */
function show(page) {
  for (const fresh of page.querySelectorAll("[data-stamp]")) {
    const shown = document.getElementById(fresh.id);
    if (!(fresh instanceof HTMLElement) || !shown) continue;
    if (shown.dataset["stamp"] === fresh.dataset["stamp"]) continue;
    const [place, next] = [placeOf(shown), placeOf(fresh)];
    const [was, is] = [boxOf(place), boxOf(next)];
    if (was && is) is.checked = was.checked;
    const focused = place.contains(document.activeElement) ? document.activeElement : null;
    const selector = focused instanceof HTMLInputElement ? "input" : "a";
    place.replaceWith(next);
    if (focused) next.querySelector(selector)?.focus();
  }
}

/**
 * A job is a row of the table, or stands for itself.
 * @param {HTMLElement} marked
 */
function placeOf(marked) {
  return marked.closest("tr") ?? marked;
}

/** @param {Element} place */
function boxOf(place) {
  return place.querySelector("input");
}

function boxes() {
  return [...document.querySelectorAll("#works input[name=job]")].filter(
    (box) => box instanceof HTMLInputElement,
  );
}

function countChosen() {
  const chosen = boxes().filter((box) => box.checked).length;
  find("#works-chosen", HTMLElement).textContent =
    chosen === 0
      ? "Select works to download or delete their files together."
      : `${NUMBER.format(chosen)} selected`;
  find(".works-bar", HTMLElement).toggleAttribute("data-chosen", chosen > 0);
  for (const id of ["#works-download", "#works-delete"]) find(id, HTMLButtonElement).disabled = chosen === 0;
  find("#works-all", HTMLButtonElement).textContent =
    chosen === boxes().length ? "Select none" : "Select all";
}

function chooseAll() {
  const all = boxes();
  const toChoose = all.some((box) => !box.checked);
  for (const box of all) box.checked = toChoose;
  countChosen();
}
