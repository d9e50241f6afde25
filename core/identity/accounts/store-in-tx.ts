// The accounts of one transaction: each is read once, and then includes the transaction's own changes.
import { inOneBatch } from "../../base/mongo/by-id.ts";
import type { Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { type AccountDoc, accounts, eraseAccountFields, type MembershipTerms } from "./store.ts";

/** Keyed by the context of one try: the next try reads again. */
const known = new WeakMap<TxContext, Map<string, AccountDoc>>();

export function accountsIn(tx: TxContext): Map<string, AccountDoc> {
  let all = known.get(tx);
  if (!all) known.set(tx, (all = new Map()));
  return all;
}

/** Stores a whole account, as read or as changed. Throws where the transaction has changed it since this version. */
export function noteAccount(tx: TxContext, account: AccountDoc): void {
  const all = accountsIn(tx);
  const before = all.get(account._id);
  if (before && before.ledger_seq > account.ledger_seq)
    throw new Error(`account ${account._id} was changed in this transaction since this version of it`);
  all.set(account._id, account);
}

/** Stores fields of an account that were written alone. */
export function noteFields(tx: TxContext, accountId: string, fields: Partial<AccountDoc>): void {
  const before = known.get(tx)?.get(accountId);
  if (before) accountsIn(tx).set(accountId, { ...before, ...fields });
}

/** Forgets accounts after a write whose outcome only the database knows: the next load reads them again. */
export function forgetAccounts(tx: TxContext, ids: Iterable<string>): void {
  const all = known.get(tx);
  if (all) for (const id of ids) all.delete(id);
}

/** Reads accounts that are not loaded yet. Returns all loaded ones, which keep including later changes. */
export async function findAccountsIn(
  db: Db,
  ids: readonly string[],
  tx: TxContext,
): Promise<ReadonlyMap<string, AccountDoc>> {
  const all = accountsIn(tx);
  const missing = ids.filter((id) => !all.has(id));
  if (missing.length === 0) return all;
  const found = accounts(db).find(
    { _id: { $in: missing } },
    { ...inOneBatch(missing.length), session: tx.session },
  );
  for (const account of await found.toArray()) all.set(account._id, account);
  return all;
}

/** Writes an operator's settings of an account that the same transaction has read. */
export async function saveAccountTerms(
  db: Db,
  accountId: string,
  { plan, status, turn }: Pick<AccountDoc, "plan" | "status" | "turn">,
  tx: TxContext,
): Promise<void> {
  await accounts(db).updateOne({ _id: accountId }, { $set: { plan, status, turn } }, { session: tx.session });
  noteFields(tx, accountId, { plan, status, turn });
}

/** Writes the trial of an account that the same transaction has read. */
export async function saveTrial(
  db: Db,
  accountId: string,
  begun: Required<Pick<AccountDoc, "trial">> & Pick<AccountDoc, "turn">,
  tx: TxContext,
): Promise<void> {
  await accounts(db).updateOne({ _id: accountId }, { $set: begun }, { session: tx.session });
  noteFields(tx, accountId, begun);
}

/** Writes which approval request the owner got a mail about. */
export async function saveApprovalMail(
  db: Db,
  accountId: string,
  approval_mail: Required<AccountDoc>["approval_mail"],
  tx: TxContext,
): Promise<void> {
  await accounts(db).updateOne({ _id: accountId }, { $set: { approval_mail } }, { session: tx.session });
  noteFields(tx, accountId, { approval_mail });
}

/** From now on another approval request is mailed, if this was the one that waited. */
export async function clearApprovalMail(
  db: Db,
  { account_id: _id, confirmation_id }: { account_id: string; confirmation_id: string },
  tx: TxContext,
): Promise<void> {
  const which = { _id, "approval_mail.confirmation_id": confirmation_id };
  await accounts(db).updateOne(which, { $unset: { approval_mail: "" } }, { session: tx.session });
  forgetAccounts(tx, [_id]);
}

/** Writes the account after its deletion, with its counted fields only. */
export async function saveAccountClosed(db: Db, accountId: string, tx: TxContext): Promise<void> {
  await accounts(db).updateOne(
    { _id: accountId },
    { $set: { status: "deleted", turn: null, next_grant_at: null, due_at: null } },
    { session: tx.session },
  );
  await eraseAccountFields(db, accountId, tx);
  forgetAccounts(tx, [accountId]);
}

/** Records that the account gets the free plan's credits from now on. */
export async function saveWelcomed(db: Db, accountId: string, tx: TxContext): Promise<void> {
  await accounts(db).updateOne({ _id: accountId }, { $unset: { welcome: "" } }, { session: tx.session });
  forgetAccounts(tx, [accountId]);
}

/** Writes the membership of an account that the same transaction has read. */
export async function saveMembership(
  db: Db,
  accountId: string,
  membership: MembershipTerms,
  tx: TxContext,
): Promise<void> {
  await accounts(db).updateOne({ _id: accountId }, { $set: { membership } }, { session: tx.session });
  noteFields(tx, accountId, { membership });
}

/** Counts one more passkey of an account that is not deleted and still has this address; returns whether there is one. */
export async function countPasskeyMade(
  db: Db,
  { _id, email }: Pick<AccountDoc, "_id" | "email">,
  tx: TxContext,
): Promise<boolean> {
  const { matchedCount } = await accounts(db).updateOne(
    { _id, email, status: { $ne: "deleted" } },
    { $inc: { passkeys_made: 1 } },
    { session: tx.session },
  );
  forgetAccounts(tx, [_id]);
  return matchedCount === 1;
}

/** Returns whether there is such an account that is not deleted. Changes it in any case, so that what follows happens once at a time. */
export async function saveEventsOn(db: Db, accountId: string, tx: TxContext): Promise<boolean> {
  const { matchedCount } = await accounts(db).updateOne(
    { _id: accountId, status: { $ne: "deleted" } },
    { $set: { events_on: true } },
    { session: tx.session },
  );
  noteFields(tx, accountId, { events_on: true });
  return matchedCount === 1;
}
