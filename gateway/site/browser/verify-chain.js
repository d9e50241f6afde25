// "Verify the chain" on /credits: fetches the whole ledger page by page and says what it comes to.
import { find } from "./find.js";
import { createLedgerCheck } from "./ledger-check.js";

/** @typedef {import("./ledger-check.js").Entry} Entry */
/** @typedef {import("./ledger-check.js").Head} Head */

const PAGE_SIZE = 100;
const NUMBER = new Intl.NumberFormat("en-US");

const button = find("#verify", HTMLButtonElement);
const result = find("#verify-result", HTMLElement);

let busy = false;
button.addEventListener("click", () => void verify());

async function verify() {
  if (busy) return;
  busy = true;
  button.setAttribute("aria-disabled", "true");
  try {
    if (!isSecureContext)
      throw new Error("Browsers compute hashes only on pages that were reached over https.");
    const head = /** @type {Head} */ (await read("balance"));
    const fault = await checkAll(head);
    if (fault) say("broken", `Entry ${NUMBER.format(fault.seq)} does not hold. ${fault.why}`);
    else say("holds", verifiedWords(head));
  } catch (error) {
    say("broken", `The check could not be finished. ${error instanceof Error ? error.message : ""}`);
  } finally {
    busy = false;
    button.removeAttribute("aria-disabled");
  }
}

/** @param {Head} head */
async function checkAll(head) {
  const check = createLedgerCheck(head);
  let cursor = "";
  do {
    say(
      "running",
      `Checked ${NUMBER.format(head.ledger_seq - check.left())} of ${NUMBER.format(head.ledger_seq)}…`,
    );
    const page = /** @type {{ data: Entry[], next_cursor: string | null }} */ (
      await read(`ledger?limit=${PAGE_SIZE}&cursor=${encodeURIComponent(cursor)}`)
    );
    for (const entry of page.data) await check.add(entry);
    cursor = page.next_cursor ?? "";
  } while (cursor !== "");
  return check.finish();
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
