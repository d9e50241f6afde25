// The ledger as CSV (RFC 4180) without cells that spreadsheets could treat as formulas.
import type { LedgerEntryResource } from "../../../proto/resources/credits.ts";
import { withOrderNumbers } from "../../../proto/resources/order.ts";

const COLUMNS = [
  "seq",
  "created_at",
  "kind",
  "amount",
  "hold",
  "balance_after",
  "held_after",
  "job_id",
  "source",
  "key_id",
  "memo",
  "entry_id",
  "prev_hash",
  "hash",
  "grants",
  "expires_at",
  "version",
] as const satisfies readonly (keyof LedgerEntryResource)[];

/** Spreadsheets treat text with these first characters as a formula, which could send the sheet's data elsewhere. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;
const LINE_END = "\r\n";

export const CSV_HEADER = COLUMNS.join(",") + LINE_END;

export function csvLine(entry: LedgerEntryResource): string {
  return COLUMNS.map((name) => cell(entry[name])).join(",") + LINE_END;
}

function cell(value: LedgerEntryResource[keyof LedgerEntryResource]): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "object")
    return value.map(({ grant_id, amount }) => `${grant_id}: ${amount}`).join("; ");
  const shown = withOrderNumbers(value);
  const text = FORMULA.test(shown) ? `'${shown}` : shown;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
