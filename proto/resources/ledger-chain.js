// @ts-check
// The forms of a ledger entry that its hash is made of. JavaScript, because pages load it as it lies here to check the chain themselves.

/**
 * An entry as clients read it; `hash` is ignored.
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
 * @property {2 | undefined} [version] Absent in entries of the first version.
 */

const USUAL = new Set(
  "amount balance_after created_at entry_id hash held_after hold job_id key_id kind memo prev_hash seq source version".split(
    " ",
  ),
);

/** prev_hash of an account's first entry. */
export const GENESIS_HASH = "0".repeat(64);

/**
 * The text of an entry that its hash, the lower-case hex SHA-256, is made of: JSON with sorted names and no white space in UTF-8 (RFC 8785;
 * integers and strings need nothing more of it). In version 2 that is everything that clients read but `hash`. Entries without a version
 * have thirteen fields.
 * @param {HashedEntry} entry
 * @returns {string}
 */
export function canonicalEntry(entry) {
  if (entry.version !== undefined && !isUsual(entry))
    return JSON.stringify(sorted({ ...entry, hash: undefined }));
  // The names stand here in their sorted order. Without a version, JSON leaves it out.
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
    version: entry.version,
  });
}

/**
 * True for an entry that has no fields but those of most entries. To sort names takes longer than everything else that a hash needs.
 * @param {HashedEntry} entry
 * @returns {boolean}
 */
function isUsual(entry) {
  return Object.keys(entry).every((name) => USUAL.has(name));
}

/**
 * A copy of JSON whose objects have their names in sorted order. Digests are made of it, so the order is permanent: names that are whole
 * numbers come first, as in every object.
 * @param {unknown} value
 * @returns {unknown}
 */
export function sorted(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const fields = /** @type {Record<string, unknown>} */ (value);
  /** @type {Record<string, unknown>} */
  const result = {};
  for (const name of Object.keys(fields).sort()) result[name] = sorted(fields[name]);
  return result;
}
