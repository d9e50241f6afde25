// Removes operators' texts from the ledger of a deleted account. Nothing else in an entry identifies its owner.
import type { App } from "../../kernel/app.ts";
import { sealEntry, toLedgerEntry } from "./rules.ts";
import { findEntriesWithWords, saveWithoutWords } from "./store.ts";

/**
 * The hash of such an entry covers the removed text, so the audit checks a seal instead, made over the entry without the text but with its
 * hash. The chain is unchanged.
 */
export async function forgetMemos(app: App, accountId: string): Promise<void> {
  const { db } = app.mongo;
  for (const entry of await findEntriesWithWords(db, accountId))
    await saveWithoutWords(db, entry._id, entry.memo === null ? undefined : sealEntry(toLedgerEntry(entry)));
}
