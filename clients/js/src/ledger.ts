// The proof of the ledger: each entry carries the hash of the one before it, so that nothing can be changed or left out unseen.
import type { LedgerEntry } from "./resources.ts";

/** prev_hash of an account's first entry. */
const GENESIS_HASH = "0".repeat(64);

export type LedgerProof =
  | { readonly ok: true; readonly entries: number; readonly lastHash: string }
  /** `seq`: the first entry that does not hold. */
  | { readonly ok: false; readonly seq: number };

/** Checks all entries of an account, oldest first: hashes, order and sums. */
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

/** SHA-256 of the entry as RFC 8785 writes it, without `hash` and `grants`. The names stand in their sorted order. */
async function hashOf(entry: LedgerEntry): Promise<string> {
  const text = JSON.stringify({
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
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
