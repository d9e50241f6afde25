// Iterates over all accounts, deleted ones included, in parts.
import type { Db } from "../../base/mongo/client.ts";
import type { SnapshotContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { findAccountsAfter, streamBalances, streamLedgerHeads } from "./store.ts";

export type ListedAccount = {
  readonly accountId: string;
  readonly plan: string;
  /** The number of entries that its ledger ever had. */
  readonly entries: number;
  /** When the newest of them was made; undefined where an earlier release did not store this time. */
  readonly newestAt: Date | undefined;
};

/** In the order of their ids. `after` is empty for the first. */
export async function accountsAfter(app: App, after: string, limit: number): Promise<ListedAccount[]> {
  const found = await findAccountsAfter(app.mongo.db, after, limit);
  return found.map(({ _id, plan, ledger_seq, ledger_at }) => ({
    accountId: _id,
    plan,
    entries: ledger_seq,
    newestAt: ledger_at,
  }));
}

export type ChangedHead = { readonly accountId: string; readonly seq: number; readonly hash: string };

/** The newest entries of the ledgers with an entry of this time or later; without a time, of all ledgers. */
export async function* changedHeads(app: App, since?: Date): AsyncGenerator<ChangedHead> {
  for await (const { _id, ledger_seq, ledger_hash } of streamLedgerHeads(app.mongo.db, since))
    yield { accountId: _id, seq: ledger_seq, hash: ledger_hash };
}

/** The balance of each account, with what is held, and the number of its newest entry. */
export async function* balancesIn(db: Db, snapshot: SnapshotContext) {
  for await (const { _id, balance, ledger_seq } of streamBalances(db, snapshot))
    yield { account_id: _id, seq: ledger_seq, balance };
}
