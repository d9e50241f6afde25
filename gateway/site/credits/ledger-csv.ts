// The ledger as a file for spreadsheets (RFC 4180), with no cell that could be taken for a formula.
import type { LedgerEntryResource } from "../../../proto/resources/credits.ts";

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

/** Spreadsheets take text that begins so for a formula, which can send what the sheet holds elsewhere. */
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
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
