// Grants an account that has joined a plan the plan's credits for the current period, within the transaction that changes the plan.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { loadAccounts, saveAccounts } from "../accounts/load.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { monthlyGrantId } from "./entry-id.ts";
import { periodOf, topUpPeriod } from "./period-rules.ts";
import { findPeriodEntries, insertEntries } from "./store.ts";

/**
 * A period never grants more than its plans include, however often they are left and joined again. Credits that were taken back do not
 * count.
 */
export async function topUpCredits(app: App, tx: TxContext, accountId: string): Promise<void> {
  const loaded = (await loadAccounts(app, [accountId], tx)).get(accountId);
  if (!loaded) throw new Error(`there is no account ${accountId}`);
  const begins = periodOf(loaded.account.created_at, tx.now);
  const given = await findPeriodEntries(app.mongo.db, monthlyGrantId(accountId, begins), tx);
  const { account, entries } = topUpPeriod(loaded, tx.now, given);
  if (entries.length === 0) return;
  await saveAccounts(app, [account], tx);
  await insertEntries(app.mongo.db, entries, tx);
}

/**
 * How many credits joining this plan now would add, and how many each later month brings; undefined where the sweep has a period to grant
 * first, and where the account has no periods. Writes nothing.
 */
export async function previewTopUp(
  app: App,
  account: AccountDoc,
  planId: string,
): Promise<{ now: number; monthly: number } | undefined> {
  const plan = (await app.plans()).get(planId);
  const at = app.clock.now();
  if (!plan || !account.next_grant_at || account.next_grant_at <= at) return undefined;
  const given = await findPeriodEntries(
    app.mongo.db,
    monthlyGrantId(account._id, periodOf(account.created_at, at)),
  );
  const { entries } = topUpPeriod({ account, plan }, at, given);
  return { now: entries.reduce((sum, { amount }) => sum + amount, 0), monthly: plan.monthly_credits };
}
