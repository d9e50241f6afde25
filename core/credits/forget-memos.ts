// Removes the words of operators from the ledger of a deleted account. Nothing else in an entry is about a person.
import type { App } from "../app.ts";
import { sealEntry, toLedgerEntry } from "./rules.ts";
import { findEntriesWithWords, saveWithoutWords } from "./store.ts";

/**
 * The hash of such an entry covers words that are not there any more, so a seal takes its place for the audit: over the entry without
 * them, its hash included. The chain goes on as it was.
 */
export async function forgetMemos(app: App, accountId: string): Promise<void> {
  const { db } = app.mongo;
  for (const entry of await findEntriesWithWords(db, accountId))
    await saveWithoutWords(db, entry._id, entry.memo === null ? undefined : sealEntry(toLedgerEntry(entry)));
}
