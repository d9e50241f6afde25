// Checks whether a ledger is consistent, computed here from its entries alone, newest first as they are served.
import { canonicalEntry, GENESIS_HASH } from "./ledger-chain.js";

/** @typedef {import("./ledger-chain.js").HashedEntry & { hash: string }} Entry */
/** @typedef {{ balance: number, held: number, ledger_seq: number, ledger_hash: string }} Head */
/** @typedef {{ seq: number, why: string }} Fault */
/** @typedef {Fault & { hash: string }} Known An entry that must be there, and the fault if it is not. */
/**
 * What the entry after one, or the account itself, says that one must be. Only the number is known where what follows cannot be trusted.
 * @typedef {{ seq: number, hash?: string, balance?: number, held?: number }} Expected
 */

/**
 * Give it every entry, from the one that `head` names down to the first.
 * @param {Head} head What the account says of itself.
 * @param {readonly Known[]} known
 */
export function createLedgerCheck(head, known = []) {
  /** @type {Expected} */
  let expected = { seq: head.ledger_seq, hash: head.ledger_hash, balance: head.balance, held: head.held };
  /** @type {Fault | undefined} */
  let fault;
  let missing = known.filter(({ seq }) => seq > 0);

  return {
    /** How many entries are still to come. */
    left: () => expected.seq,
    /** @param {Entry} entry */
    add: async (entry) => {
      // Made after the check began.
      if (entry.seq > head.ledger_seq) return;
      missing = missing.filter(({ seq, hash }) => seq !== entry.seq || hash !== entry.hash);
      const isItself = (await sha256(canonicalEntry(entry))) === entry.hash;
      // Overwritten as the check goes back in time, so that the oldest fault is named.
      fault = faultOf(entry, isItself, expected) ?? fault;
      expected = isItself ? before(entry) : { seq: entry.seq - 1 };
    },
    /** The oldest entry that does not hold, once all were given; undefined when everything does. */
    finish: () => {
      const { seq, hash = GENESIS_HASH, balance = 0, held = 0 } = expected;
      if (seq !== 0) return { seq, why: "It is missing." };
      if (hash !== GENESIS_HASH) return { seq: 1, why: "It does not begin the chain." };
      if (balance !== 0 || held !== 0) return { seq: 1, why: "It does not begin at 0." };
      return fault ?? missing[0];
    },
  };
}

/**
 * @param {Entry} entry
 * @returns {Expected}
 */
function before(entry) {
  return {
    seq: entry.seq - 1,
    hash: entry.prev_hash,
    balance: entry.balance_after - entry.amount,
    held: entry.held_after - entry.hold,
  };
}

/**
 * @param {Entry} entry
 * @param {boolean} isItself Whether its hash is that of its contents.
 * @param {Expected} expected
 * @returns {Fault | undefined}
 */
function faultOf({ seq, hash, balance_after, held_after }, isItself, expected) {
  if (!isItself) return { seq, why: "Its contents are not those that its hash was made of." };
  if (seq !== expected.seq) return { seq: expected.seq, why: "It is missing." };
  if (hash !== (expected.hash ?? hash))
    return { seq, why: "It is not the one that what follows was built on." };
  if (balance_after !== (expected.balance ?? balance_after) || held_after !== (expected.held ?? held_after))
    return { seq, why: "The entries that follow do not continue from its balance." };
  return undefined;
}

/** @param {string} text */
async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
