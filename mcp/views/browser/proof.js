// The view of list_ledger: the entries that were found, and the proof of the whole ledger. Every entry is fetched and its hash computed
// here, so that no one need be believed.
import { createLedgerCheck } from "../../../proto/resources/ledger-check.js";
import { announce, element, reasonOf, shownNumber, viewElement } from "./elements.js";
import { connectHost, isObject } from "./host.js";

/** @typedef {Record<string, unknown>} Json */
/** @typedef {import("../../../proto/resources/ledger-check.js").Entry} Entry */
/** @typedef {import("../../../proto/resources/ledger-check.js").Head} Head */

const SHOWN_HASH = 12;
const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

const view = viewElement();
const outcome = element("p", { class: "outcome" });
const verify = element("button", { type: "button", onclick: () => void prove() }, "Verify the whole ledger");
const progress = element("progress", { "aria-label": "Entries checked", max: 1, value: 0, hidden: true });
let busy = false;
let over = false;

const host = await connectHost("atelier-ledger", {
  result: (result) => begin(result),
  cancelled: () => view.replaceChildren(element("p", { class: "notice" }, "The call was cancelled.")),
  end: () => {
    over = true;
  },
});

/** @param {import("./host.js").Result} result */
function begin({ structured, text, failed }) {
  const listed = structured["entries"];
  if (failed || !Array.isArray(listed)) {
    view.replaceChildren(element("p", { class: "notice" }, text || "There is nothing to show."));
    return;
  }
  const entries = listed.filter(isObject);
  const proof = host.callsTools
    ? [element("div", { class: "proof" }, verify, progress, outcome)]
    : [
        element(
          "p",
          { class: "about" },
          "This assistant lets no view call tools, so the chain cannot be checked here.",
        ),
      ];
  view.replaceChildren(...proof, entries.length > 0 ? table(entries) : element("p", {}, "No entry fits."));
}

/** @param {readonly Json[]} entries */
function table(entries) {
  const columns = ["Entry", "When", "Kind", "Change", "Held", "Balance"];
  const rows = entries.map(({ seq, created_at: at, kind, amount, hold, balance_after: balance }) => {
    const when = new Date(String(at));
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, shown(seq)),
      element("td", {}, Number.isNaN(when.getTime()) ? "" : TIME.format(when)),
      element("td", {}, String(kind)),
      element("td", {}, signed(amount)),
      element("td", {}, signed(hold)),
      element("td", {}, shown(balance)),
    );
  });
  // It may be wider than the view, and those without a mouse scroll it too.
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Entries" },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name))),
      ),
      element("tbody", {}, ...rows),
    ),
  );
}

async function prove() {
  if (busy) return;
  busy = true;
  verify.setAttribute("disabled", "");
  progress.hidden = false;
  say("running", "Fetching the ledger…");
  try {
    if (!isSecureContext) throw new Error("this window cannot compute hashes.");
    const { head, fault } = await checkAll();
    if (fault) say("broken", `Entry ${shownNumber(fault.seq)} does not hold. ${fault.why}`);
    else say("holds", holdsWords(head));
  } catch (error) {
    say("broken", `The check could not be finished: ${reasonOf(error)}`);
  } finally {
    busy = false;
    progress.hidden = true;
    verify.removeAttribute("disabled");
  }
}

/** Throws what the tool says when it cannot go on. */
async function checkAll() {
  let page = await read(undefined);
  const { head } = page;
  if (!head) throw new Error("the ledger's end is not known.");
  const check = createLedgerCheck(head);
  for (;;) {
    for (const entry of page.entries) await check.add(entry);
    const done = head.ledger_seq - check.left();
    progress.setAttribute("value", String(head.ledger_seq === 0 ? 1 : done / head.ledger_seq));
    if (page.cursor === null) return { head, fault: check.finish() };
    if (over) throw new Error("the view was closed.");
    say("running", `Checked ${shownNumber(done)} of ${shownNumber(head.ledger_seq)} entries…`);
    page = await read(page.cursor);
  }
}

/** @param {string | undefined} cursor */
async function read(cursor) {
  const { structured, text, failed } = await host.call(
    "prove_ledger",
    cursor === undefined ? {} : { cursor },
  );
  const { head, entries, next_cursor: next } = structured;
  if (failed || !Array.isArray(entries)) throw new Error(text || "there was no answer.");
  return {
    // Only the first page has it: what was written since is no part of the check.
    head: isObject(head) ? /** @type {Head} */ (/** @type {unknown} */ (head)) : undefined,
    entries: /** @type {Entry[]} */ (/** @type {unknown} */ (entries.filter(isObject))),
    cursor: typeof next === "string" ? next : null,
  };
}

/** @param {Head} head */
function holdsWords({ ledger_seq: count, ledger_hash: hash, balance, held }) {
  if (count === 0) return "The ledger is empty, and so it holds.";
  const entries = count === 1 ? "The one entry holds" : `All ${shownNumber(count)} entries hold`;
  return `${entries}: hashes, order and sums. Balance ${shownNumber(balance)}, held ${shownNumber(held)}. The newest hash begins ${hash.slice(0, SHOWN_HASH)}.`;
}

/**
 * @param {"running" | "holds" | "broken"} state
 * @param {string} words
 */
function say(state, words) {
  outcome.className = `outcome ${state}`;
  outcome.textContent = words;
  if (state !== "running") announce(words);
}

/** @param {unknown} count */
function shown(count) {
  return typeof count === "number" ? shownNumber(count) : "";
}

/** @param {unknown} count */
function signed(count) {
  return typeof count === "number" && count > 0 ? `+${shownNumber(count)}` : shown(count);
}
