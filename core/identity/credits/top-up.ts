// Gives an account that has joined a plan what the plan includes for the current period, within the transaction that moves the account to
// the plan.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { loadAccounts, saveAccounts } from "../accounts/load.ts";
import type { App } from "../../kernel/app.ts";
import { monthlyGrantId } from "./entry-id.ts";
import { periodOf, topUpPeriod } from "./period-rules.ts";
import { findPeriodEntries, insertEntries } from "./store.ts";

/**
 * A period never brings more than its plans include, however often they are left and joined again within it. What was taken back does not
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
