// Gives an account that has joined a plan what the plan includes for the period that runs, within the transaction that moves it there.
import { loadAccounts, saveAccounts } from "../accounts/load.ts";
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { monthlyGrantId } from "./entry-id.ts";
import { periodOf, topUpPeriod } from "./period-rules.ts";
import { findPeriodEntries, insertEntries } from "./store.ts";

/** A period has what its plans include at most, however often they are left and joined again within it; what was given back counts no more. */
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
