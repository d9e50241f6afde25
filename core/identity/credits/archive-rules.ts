// Entries in a segment: counted facts, and operators' texts stored separately. Pure.
import { type Fields, joinFields, splitFields } from "../../base/documents/fields.ts";
import type { SegmentRow } from "../../kernel/archive/segment-file.ts";
import { LEDGER_FIELDS } from "./fields.ts";
import { sealEntry, toLedgerEntry } from "./rules.ts";
import type { LedgerDoc, LedgerFilter } from "./store.ts";

/** `worded` says that the entry's hash covers a memo, which is not here. */
export const ENTRY_FACTS_FIELDS: Fields = { ...LEDGER_FIELDS, worded: "counted" };

export function splitEntry(entry: LedgerDoc): SegmentRow {
  const { counted, rest } = splitFields(entry, LEDGER_FIELDS);
  return {
    facts: { ...counted, ...(entry.memo !== null && { worded: true }) },
    words: Object.keys(rest).length > 0 ? rest : null,
  };
}

/** A seal replaces texts that were deleted with their account, as in a live entry. */
export function joinEntry({ facts: { worded, ...counted }, words }: SegmentRow): LedgerDoc {
  const entry = joinFields(counted, words ?? {}, LEDGER_FIELDS) as LedgerDoc;
  return worded && entry.memo === null ? { ...entry, memo_seal: sealEntry(toLedgerEntry(entry)) } : entry;
}

/** Whether the entry matches, as the query of the live ledger decides it. */
export function fitsFilter(
  entry: LedgerDoc,
  { beforeSeq, kinds, jobId, since, until }: LedgerFilter,
): boolean {
  return (
    (beforeSeq === undefined || entry.seq < beforeSeq) &&
    (kinds === undefined || kinds.includes(entry.kind)) &&
    (jobId === undefined || entry.job_id === jobId) &&
    (since === undefined || entry.created_at >= since) &&
    (until === undefined || entry.created_at < until)
  );
}
