// Entries into the ledger, for the slices whose transactions made them with postEntry.
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { insertEntries, type LedgerDoc } from "./store.ts";

export async function insertLedgerEntries(
  app: App,
  entries: readonly LedgerDoc[],
  session: ClientSession,
): Promise<void> {
  await insertEntries(app.mongo.db, entries, session);
}
