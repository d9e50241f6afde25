// Goes through all accounts, deleted ones included, a part at a time.
import type { App } from "../../kernel/app.ts";
import { findAccountsAfter } from "./store.ts";

/** In the order of their ids, each with the number of entries that its ledger ever had. `after` is empty for the first. */
export async function accountsAfter(
  app: App,
  after: string,
  limit: number,
): Promise<{ accountId: string; entries: number }[]> {
  const found = await findAccountsAfter(app.mongo.db, after, limit);
  return found.map(({ _id, ledger_seq }) => ({ accountId: _id, entries: ledger_seq }));
}
