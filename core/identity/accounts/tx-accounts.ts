// The accounts of one transaction: each is read once, and from then on known as the transaction has changed it.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { AccountDoc } from "./store.ts";

/** By the context of a try, and gone with it: the next try reads anew. */
const known = new WeakMap<TxContext, Map<string, AccountDoc>>();

export function accountsIn(tx: TxContext): Map<string, AccountDoc> {
  let accounts = known.get(tx);
  if (!accounts) known.set(tx, (accounts = new Map()));
  return accounts;
}

/** The whole account, as it was read or is to be from now on. Throws where it was changed since this version of it was taken. */
export function noteAccount(tx: TxContext, account: AccountDoc): void {
  const accounts = accountsIn(tx);
  const before = accounts.get(account._id);
  if (before && before.ledger_seq > account.ledger_seq)
    throw new Error(`account ${account._id} was changed in this transaction since it was taken from it`);
  accounts.set(account._id, account);
}

/** Fields that were written alone. */
export function noteFields(tx: TxContext, accountId: string, fields: Partial<AccountDoc>): void {
  const before = known.get(tx)?.get(accountId);
  if (before) accountsIn(tx).set(accountId, { ...before, ...fields });
}

/** Written in a way that only the database can tell the outcome of: whoever asks next reads it again. */
export function forgetAccounts(tx: TxContext, ids: Iterable<string>): void {
  const accounts = known.get(tx);
  if (accounts) for (const id of ids) accounts.delete(id);
}
