// "Verify your ledger" on /credits: fetches the whole ledger page by page and reports the result. The last verified entry is stored in this
// browser and must still exist at the next check.
import { find } from "./find.js";
import { createLedgerCheck } from "../../../proto/resources/ledger-check.js";

/** @typedef {import("../../../proto/resources/ledger-check.js").Entry} Entry */
/** @typedef {import("../../../proto/resources/ledger-check.js").Head} Head */

/** @typedef {{ at: string, seq: number, hash: string }} Verified The newest entry that was there, and when. */

const PAGE_SIZE = 100;
const HASH_LENGTH = 12;
const NUMBER = new Intl.NumberFormat("en-US");

const button = find("#verify", HTMLButtonElement);
const result = find("#verify-result", HTMLElement);
const last = find("#verify-last", HTMLElement);
const seal = find(".seal", HTMLElement);
const MEMORY = `ledger verified ${seal.dataset["account"]}`;

let busy = false;
tellLast();
button.addEventListener("click", () => void verify());

async function verify() {
  if (busy) return;
  busy = true;
  button.setAttribute("aria-disabled", "true");
  try {
    if (!isSecureContext)
      throw new Error("Browsers compute hashes only on pages that were reached over https.");
    const head = /** @type {Head} */ (await read("balance"));
    const fault = await checkAll(head, remembered());
    if (fault) say("broken", `Entry ${NUMBER.format(fault.seq)} does not hold. ${fault.why}`);
    else {
      say("holds", verifiedWords(head));
      remember({ at: new Date().toISOString(), seq: head.ledger_seq, hash: head.ledger_hash });
      seal.dataset["entries"] = String(head.ledger_seq);
      tellLast();
    }
  } catch (error) {
    say("broken", `The check could not be finished. ${error instanceof Error ? error.message : ""}`);
  } finally {
    busy = false;
    button.removeAttribute("aria-disabled");
  }
}

/**
 * @param {Head} head
 * @param {Verified | undefined} before What held before has to be there still.
 */
async function checkAll(head, before) {
  const check = createLedgerCheck(head);
  let isStillThere = before === undefined || before.seq === 0;
  let cursor = "";
  do {
    say(
      "running",
      `Checked ${NUMBER.format(head.ledger_seq - check.left())} of ${NUMBER.format(head.ledger_seq)}…`,
    );
    const page = /** @type {{ data: Entry[], next_cursor: string | null }} */ (
      await read(`ledger?limit=${PAGE_SIZE}&cursor=${encodeURIComponent(cursor)}`)
    );
    for (const entry of page.data) {
      await check.add(entry);
      if (entry.seq === before?.seq && entry.hash === before.hash) isStillThere = true;
    }
    cursor = page.next_cursor ?? "";
  } while (cursor !== "");
  const fault = check.finish();
  if (fault || isStillThere || before === undefined) return fault;
  return { seq: before.seq, why: "It is not the one that this browser has verified before." };
}

/** The last entry of this account's ledger that this browser has verified. */
function remembered() {
  try {
    const kept = localStorage.getItem(MEMORY);
    return kept === null ? undefined : /** @type {Verified} */ (JSON.parse(kept));
  } catch {
    // Nothing is stored, or the stored value is not ours.
    return undefined;
  }
}

/** @param {Verified} verified */
function remember(verified) {
  try {
    localStorage.setItem(MEMORY, JSON.stringify(verified));
  } catch {
    // The result is not stored, but the check was valid.
  }
}

/** When it was last verified here, and up to which entry. */
function tellLast() {
  const verified = remembered();
  if (verified === undefined) {
    last.textContent = "Not verified in this browser yet.";
    return;
  }
  const { at, seq, hash } = verified;
  const time = document.createElement("time");
  time.dateTime = at;
  time.dataset["time"] = "exact";
  time.textContent = at;
  const code = document.createElement("code");
  code.textContent = hash.slice(0, HASH_LENGTH);
  code.title = hash;
  const newer = Number(seal.dataset["entries"]) - seq;
  last.replaceChildren(
    "Last verified in this browser ",
    time,
    `: ${entriesWords(seq)}, up to `,
    code,
    newer > 0 ? `. ${NUMBER.format(newer)} newer since.` : ".",
  );
  seal.dataset["verified"] = "";
}

/** @param {number} entries */
function entriesWords(entries) {
  return entries === 1 ? "1 entry" : `${NUMBER.format(entries)} entries`;
}

/** @param {Head} head */
function verifiedWords({ ledger_seq, balance, held }) {
  if (ledger_seq === 0) return "Verified: there are no entries, and no credits.";
  const entries = ledger_seq === 1 ? "The 1 entry holds" : `All ${NUMBER.format(ledger_seq)} entries hold`;
  return `Verified. ${entries}: none was changed, left out or cut off, and together they make a balance of ${NUMBER.format(balance)} with ${NUMBER.format(held)} held.`;
}

/**
 * @param {string} what
 * @returns {Promise<unknown>}
 */
async function read(what) {
  const response = await fetch(`/account/api/credits/${what}`, { headers: { accept: "application/json" } });
  const body = await response.json();
  if (!response.ok) throw new Error(`${body.message} ${body.hint}`);
  return body.result;
}

/**
 * @param {"running" | "holds" | "broken"} outcome
 * @param {string} words
 */
function say(outcome, words) {
  result.dataset["outcome"] = outcome;
  result.textContent = words;
}
