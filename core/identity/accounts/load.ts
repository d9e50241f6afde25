// Accounts inside a transaction: read with their plans, and written back with their position in the queue updated to the new numbers.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import type { PlanDoc } from "../../kernel/definitions.ts";
import { planNow } from "./rules.ts";
import { findAccountsIn } from "./store-in-tx.ts";
import {
  findClaimableAccounts,
  findDueAccounts,
  saveAccountCredits,
  saveAccountNumbers,
} from "./store-numbers.ts";
import { type AccountDoc } from "./store.ts";

export type LoadedAccount = { readonly account: AccountDoc; readonly plan: PlanDoc };

/** The accounts of a transaction, each as the transaction has changed it so far. */
export type LoadedAccounts = {
  /** Returns undefined if there is no such account. */
  get(accountId: string): LoadedAccount | undefined;
};

/** Reads those that the transaction does not know yet. */
export async function loadAccounts(app: App, ids: readonly string[], tx: TxContext): Promise<LoadedAccounts> {
  const [accounts, plans] = await Promise.all([findAccountsIn(app.mongo.db, ids, tx), app.plans()]);
  return {
    get: (id) => {
      const account = accounts.get(id);
      return account && withPlan(account, plans, tx.now);
    },
  };
}

/** Accounts that have jobs for a worker to claim, the least recently served first. */
export async function loadClaimableAccounts(
  app: App,
  page: { limit: number; skip: number },
  tx: TxContext,
): Promise<LoadedAccount[]> {
  const { db } = app.mongo;
  const [accounts, plans] = await Promise.all([findClaimableAccounts(db, page, tx), app.plans()]);
  return accounts.map((account) => withPlan(account, plans, tx.now));
}

/** Accounts that are due for the sweep of credits, the longest due first. */
export async function loadDueAccounts(
  app: App,
  page: { limit: number; skip: number },
  tx: TxContext,
): Promise<LoadedAccount[]> {
  const [accounts, plans] = await Promise.all([findDueAccounts(app.mongo.db, page, tx), app.plans()]);
  return accounts.map((account) => withPlan(account, plans, tx.now));
}

function withPlan(account: AccountDoc, plans: ReadonlyMap<string, PlanDoc>, now: Date): LoadedAccount {
  const plan = planNow(account, plans, now);
  if (!plan) throw new Error(`account ${account._id} has the unknown plan ${account.plan}`);
  return { account, plan };
}

/** Writes the numbers of accounts that this transaction has read and changed. */
export async function saveAccounts(app: App, changed: Iterable<AccountDoc>, tx: TxContext): Promise<void> {
  await saveAccountNumbers(app.mongo.db, [...changed], tx);
}

/** Writes the credits of accounts that this transaction has read and changed, and when they are due next. */
export async function saveSweptAccounts(
  app: App,
  changed: readonly AccountDoc[],
  tx: TxContext,
): Promise<void> {
  await saveAccountCredits(app.mongo.db, changed, tx);
}
