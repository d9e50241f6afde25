// Gives an account that has joined a plan what the plan includes for the current period, within the transaction that moves the account to
// the plan.
import { loadAccounts, saveAccounts } from "../accounts/load.ts";
import type { App } from "../../kernel/app.ts";
import type { ClientSession } from "../../base/mongo/client.ts";
import { monthlyGrantId } from "./entry-id.ts";
import { periodOf, topUpPeriod } from "./period-rules.ts";
import { findPeriodEntries, insertEntries } from "./store.ts";

/**
 * A period never brings more than its plans include, however often they are left and joined again within it. What was taken back does not
 * count.
 */
export async function topUpCredits(
  app: App,
  session: ClientSession,
  { accountId, at }: { accountId: string; at: Date },
): Promise<void> {
  const loaded = (await loadAccounts(app, [accountId], session)).get(accountId);
  if (!loaded) throw new Error(`there is no account ${accountId}`);
  const begins = periodOf(loaded.account.created_at, at);
  const given = await findPeriodEntries(app.mongo.db, monthlyGrantId(accountId, begins), session);
  const { account, entries } = topUpPeriod(loaded, at, given);
  if (entries.length === 0) return;
  await saveAccounts(app, [account], session);
  await insertEntries(app.mongo.db, entries, session);
}
