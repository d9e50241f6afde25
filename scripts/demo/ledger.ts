// The owner's own proof: recomputes the hash chain and the balance from what the API shows, with none of the service's code.
import { createHash } from "node:crypto";
import type { Balance, LedgerEntry } from "./client.ts";
import { expectThat } from "./expect.ts";

/** SHA-256 over the entry as JSON without `hash`, names sorted, no white space (docs/architecture/credits.md). */
function hashOf({ hash: _hash, ...entry }: LedgerEntry): string {
  const names = [...Object.keys(entry), "grant_id"].sort();
  return createHash("sha256").update(JSON.stringify(entry, names)).digest("hex");
}

/** Checks from the account's first entry to the one that the balance names: no gap, no change, and matching sums. */
export function verifyLedger(entries: readonly LedgerEntry[], balance: Balance): void {
  let [seq, hash, owned, held] = [0, "0".repeat(64), 0, 0];
  for (const entry of entries) {
    const where = `ledger entry ${entry.seq}`;
    expectThat(entry.seq === seq + 1, `${where}: ${seq + 1} was expected`);
    expectThat(entry.prev_hash === hash, `${where}: prev_hash is not the hash of the entry before`);
    expectThat(entry.hash === hashOf(entry), `${where}: hash does not fit its content`);
    owned += entry.amount;
    held += entry.hold;
    expectThat(
      entry.balance_after === owned && entry.held_after === held,
      `${where}: says balance ${entry.balance_after}, held ${entry.held_after}; the sums are ${owned}, ${held}`,
    );
    expectThat(held >= 0 && owned - held >= 0, `${where}: leaves fewer than 0 credits held or available`);
    ({ seq, hash } = entry);
  }
  expectThat(
    seq === balance.ledger_seq && hash === balance.ledger_hash,
    `the ledger ends at entry ${seq}; the balance names entry ${balance.ledger_seq} or another hash`,
  );
  expectThat(
    owned === balance.balance && held === balance.held && owned - held === balance.available,
    `the balance says ${balance.balance}, held ${balance.held}, available ${balance.available}; the entries add up to ${owned}, held ${held}`,
  );
}

/** A table for people. */
export function ledgerTable(entries: readonly LedgerEntry[], nameOf: (jobId: string) => string): string {
  const rows = [
    ["seq", "kind", "amount", "hold", "balance", "held", "job", "hash"],
    ...entries.map((entry) => [
      String(entry.seq),
      entry.kind,
      signed(entry.amount),
      signed(entry.hold),
      String(entry.balance_after),
      String(entry.held_after),
      entry.job_id === null ? (entry.memo ?? "") : nameOf(entry.job_id),
      `${entry.hash.slice(0, 12)}…`,
    ]),
  ];
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  const isNumber = (column: number) => column === 0 || (column >= 2 && column <= 5);
  return rows
    .map((row) =>
      row
        .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}
