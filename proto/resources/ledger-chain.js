// @ts-check
// The form of a ledger entry that its hash is made of. JavaScript, because pages load it as it lies here to check the chain themselves.

/**
 * Everything of an entry that its hash covers.
 * @typedef {object} HashedEntry
 * @property {number} amount
 * @property {number} balance_after
 * @property {string} created_at
 * @property {string} entry_id
 * @property {number} held_after
 * @property {number} hold
 * @property {string | null} job_id
 * @property {string | null} key_id
 * @property {string} kind
 * @property {string | null} memo
 * @property {string} prev_hash
 * @property {number} seq
 * @property {string} source
 */

/** prev_hash of an account's first entry. */
export const GENESIS_HASH = "0".repeat(64);

/**
 * The entry's JSON without `hash`, names sorted, no white space (RFC 8785; integers and strings need nothing more of it). Its hash is the
 * lower-case hex SHA-256 over this text in UTF-8. The names stand here in their sorted order.
 * @param {HashedEntry} entry
 * @returns {string}
 */
export function canonicalEntry(entry) {
  return JSON.stringify({
    amount: entry.amount,
    balance_after: entry.balance_after,
    created_at: entry.created_at,
    entry_id: entry.entry_id,
    held_after: entry.held_after,
    hold: entry.hold,
    job_id: entry.job_id,
    key_id: entry.key_id,
    kind: entry.kind,
    memo: entry.memo,
    prev_hash: entry.prev_hash,
    seq: entry.seq,
    source: entry.source,
  });
}
