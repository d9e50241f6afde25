// Gives an account that has joined a plan what the plan includes for the period that runs, within the transaction that moves it there.
import { loadAccounts, saveAccounts } from "../accounts/load.ts";
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { monthlyGrantId, topUpGrantId } from "./entry-id.ts";
import { periodOf, topUpPeriod } from "./period-rules.ts";
import { insertEntries, sumEntries } from "./store.ts";

/** Each plan adds to a period at most once, however often it is left and joined again within it. */
export async function topUpCredits(
  app: App,
  session: ClientSession,
  { accountId, at }: { accountId: string; at: Date },
): Promise<void> {
  const loaded = (await loadAccounts(app, [accountId], session)).get(accountId);
  if (!loaded) throw new Error(`there is no account ${accountId}`);
  const begins = periodOf(loaded.account.created_at, at);
  const plans = [...(await app.plans()).keys()];
  const ids = [
    monthlyGrantId(accountId, begins),
    ...plans.map((plan) => topUpGrantId(accountId, begins, plan)),
  ];
  const given = await sumEntries(app.mongo.db, ids, session);
  const { account, entries } = topUpPeriod(loaded, at, given);
  if (entries.length === 0) return;
  await saveAccounts(app, [account], session);
  await insertEntries(app.mongo.db, entries, session);
}
