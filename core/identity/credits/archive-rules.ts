// Entries as a segment keeps them: what nobody wrote, and the words of operators apart from it. Pure.
import type { SegmentRow } from "../../kernel/archive/segment-file.ts";
import type { Stored } from "../../base/mongo/bson.ts";
import { sealEntry, toLedgerEntry } from "./rules.ts";
import type { LedgerDoc, LedgerFilter } from "./store.ts";

/** An entry without its words; `worded` says that its hash covers some. */
type EntryFacts = Omit<LedgerDoc, "memo" | "grant_key"> & { worded?: true };

export function splitEntry({ memo, grant_key, ...facts }: LedgerDoc): SegmentRow {
  const words = { ...(memo !== null && { memo }), ...(grant_key !== undefined && { grant_key }) };
  return {
    facts: { ...facts, ...(memo !== null && { worded: true }) },
    words: Object.keys(words).length > 0 ? words : null,
  };
}

/** Where the words went with their account, a seal stands for them, as in an entry that was not archived. */
export function joinEntry({ facts, words }: SegmentRow): LedgerDoc {
  const { worded, ...rest } = facts as Stored as EntryFacts;
  const entry = { ...rest, memo: null, ...(words as Pick<LedgerDoc, "memo" | "grant_key"> | null) };
  return worded && entry.memo === null ? { ...entry, memo_seal: sealEntry(toLedgerEntry(entry)) } : entry;
}

/** Whether the entry is one of those asked for, as the query of the live ledger decides it. */
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
