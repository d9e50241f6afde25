// Moves old entries of an account's ledger into segments, oldest first: the live entries are the end of the same chain.
import type { App } from "../../kernel/app.ts";
import { lastSegment } from "../../kernel/archive/find-segments.ts";
import type { Segment } from "../../kernel/archive/store.ts";
import { type ArchivedRow, writeSegment } from "../../kernel/archive/write-segment.ts";
import { splitEntry } from "./archive-rules.ts";
import { subjectOf } from "./entry-id.ts";
import { deleteArchivedEntries, findEntriesAfter, findEntryTime, type LedgerDoc } from "./store.ts";

export type Cut = {
  readonly accountId: string;
  /** Entries that ended before this are archived. */
  readonly before: Date;
  /** Fewer rows are not worth a segment; more make another one. */
  readonly least: number;
  readonly most: number;
};

/** Writes one segment. Returns whether it did. */
export async function archiveEntries(app: App, { accountId, before, least, most }: Cut): Promise<boolean> {
  const { db } = app.mongo;
  const last = await lastSegment(app, accountId, "ledger");
  const afterSeq = last?.cut?.seq ?? 0;
  const nth = await findEntryTime(db, accountId, afterSeq + least);
  if (!nth || nth >= before) return false;
  const found = await findEntriesAfter(db, { accountId, afterSeq }, most);
  const old = found.filter(({ created_at }) => created_at < before);
  const [fromSeq, toSeq] = [old[0]?.seq ?? 0, old.at(-1)?.seq ?? 0];
  return writeSegment(app, {
    accountId,
    kind: "ledger",
    before: last,
    rows: old.map(toRow),
    more: { ...cutAfter(last, old), ...grantKeysOf(old) },
    take: async (tx) => {
      const again = await findEntriesAfter(db, { accountId, afterSeq }, old.length, tx);
      await deleteArchivedEntries(db, { accountId, fromSeq, toSeq }, tx);
      return again.map(splitEntry);
    },
  });
}

function toRow(entry: LedgerDoc): ArchivedRow {
  return {
    ...splitEntry(entry),
    position: entry.seq,
    from: entry.created_at,
    until: entry.created_at,
    subject: subjectOf(entry) ?? entry._id,
  };
}

/** The ledger after these entries, counted by their movements and not by their stated balances. */
function cutAfter(last: Segment | null, entries: readonly LedgerDoc[]) {
  const newest = entries.at(-1);
  if (!newest) return {};
  const sum = (of: "amount" | "hold") => entries.reduce((total, entry) => total + entry[of], 0);
  const balance = (last?.cut?.balance ?? 0) + sum("amount");
  const held = (last?.cut?.held ?? 0) + sum("hold");
  return { cut: { seq: newest.seq, hash: newest.hash, balance, held } };
}

function grantKeysOf(entries: readonly LedgerDoc[]): { grant_keys?: readonly string[] } {
  const keys = entries.flatMap(({ grant_key }) => grant_key ?? []);
  return keys.length > 0 ? { grant_keys: keys } : {};
}
