// The proof of the ledger: each entry carries the hash of the one before it, so that any change or omission is detected.
import type { LedgerEntry } from "./resources.ts";

/** prev_hash of an account's first entry. */
const GENESIS_HASH = "0".repeat(64);

export type LedgerProof =
  | { readonly ok: true; readonly entries: number; readonly lastHash: string }
  /** `seq`: the first entry that does not hold. */
  | { readonly ok: false; readonly seq: number };

/** Checks all entries of an account, oldest first: hashes, order and sums. Throws for a version that this client does not know. */
export async function checkLedger(
  entries: AsyncIterable<LedgerEntry> | Iterable<LedgerEntry>,
): Promise<LedgerProof> {
  let [seq, balance, held, lastHash] = [0, 0, 0, GENESIS_HASH];
  for await (const entry of entries) {
    [seq, balance, held] = [seq + 1, balance + entry.amount, held + entry.hold];
    const holds =
      entry.seq === seq &&
      entry.balance_after === balance &&
      entry.held_after === held &&
      entry.prev_hash === lastHash &&
      entry.hash === (await hashOf(entry));
    if (!holds) return { ok: false, seq };
    lastHash = entry.hash;
  }
  return { ok: true, entries: seq, lastHash };
}

/** The SHA-256 of the entry in the form of RFC 8785: sorted names, no white space. Entries without a version have no `grants` in it. */
async function hashOf(entry: LedgerEntry): Promise<string> {
  const { hash: _hash, grants, ...rest } = entry;
  const version: number | undefined = entry.version;
  if (version !== undefined && version !== 2)
    throw new Error(`Entry ${entry.seq} has version ${version}, which this client cannot check. Update it.`);
  const text = JSON.stringify(sorted({ ...rest, ...(version && grants && { grants }) }));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}
