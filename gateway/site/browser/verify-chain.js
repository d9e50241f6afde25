// "Verify your ledger" on /credits: fetches the whole ledger page by page, and its proof in the public log, and reports the result. The last
// verified entry and checkpoint are stored in this browser, and must agree with those of the next check.
import { createLedgerCheck } from "../../../proto/resources/ledger-check.js";
import { checkLogProof, isContradicted } from "../../../proto/resources/log-check.js";
import { find } from "./find.js";

/** @typedef {import("../../../proto/resources/ledger-check.js").Entry} Entry */
/** @typedef {import("../../../proto/resources/ledger-check.js").Head} Head */

/** @typedef {import("../../../proto/resources/log-check.js").Checkpoint} Checkpoint */
/** @typedef {import("../../../proto/resources/log-check.js").LogProof} LogProof */

/** @typedef {{ at: string, seq: number, hash: string, log?: Checkpoint | undefined }} Verified The newest entry that was there, and when. */

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
    const before = remembered();
    const { proof } = /** @type {{ proof: LogProof | null }} */ (await read("proof"));
    const log = proof ? await checkLog(proof, before?.log) : undefined;
    const head = /** @type {Head} */ (await read("balance"));
    const fault = await checkAll(head, { before, proof });
    if (fault) say("broken", `Entry ${NUMBER.format(fault.seq)} does not hold. ${fault.why}`);
    else {
      say("holds", `${verifiedWords(head)} ${logWords(proof, log)}`);
      remember({
        at: new Date().toISOString(),
        seq: head.ledger_seq,
        hash: head.ledger_hash,
        log: log ?? before?.log,
      });
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
 * @param {LogProof} proof
 * @param {Checkpoint | undefined} before
 */
async function checkLog(proof, before) {
  const response = await fetch("/.well-known/jwks.json");
  const { keys } = /** @type {{ keys: { x: string }[] }} */ (await response.json());
  const log = await checkLogProof(proof, keys);
  if (before && isContradicted(before, log))
    throw new Error("The public log contradicts the checkpoint that this browser has seen before.");
  return log;
}

/**
 * @param {Head} head
 * @param {{ before: Verified | undefined, proof: LogProof | null }} kept What was verified before must be there still, and what is logged.
 */
async function checkAll(head, { before, proof }) {
  const check = createLedgerCheck(head, [
    ...(proof ? [{ ...proof, why: "It is not the one that is in the public log." }] : []),
    ...(before ? [{ ...before, why: "It is not the one that this browser has verified before." }] : []),
  ]);
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
 * @param {LogProof | null} proof
 * @param {Checkpoint | undefined} log
 */
function logWords(proof, log) {
  if (!proof || !log) return "The public log does not have it yet.";
  return `Entry ${NUMBER.format(proof.seq)} is in the public log, whose checkpoint of ${NUMBER.format(log.size)} entries is signed.`;
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
