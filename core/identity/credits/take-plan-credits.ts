// Takes back the remaining monthly credits of a refunded plan payment, within the refund's transaction.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { loadAccounts, saveAccounts } from "../accounts/load.ts";
import { FREE_PLAN } from "../accounts/rules.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { monthlyGrantId, takenBackEntryId, topUpGrantId } from "./entry-id.ts";
import { takeSoonest } from "./grant-rules.ts";
import { monthlyCredits, nextPeriod, periodOf } from "./period-rules.ts";
import { postEntry } from "./rules.ts";
import { findPeriodEntries, insertEntries, type LedgerDoc, type PeriodEntry } from "./store.ts";

export type PaidPlan = {
  accountId: string;
  orderId: string;
  plan: string;
  /**
   * True if the payment began the plan within a period of the account and brought only what was missing; otherwise it brought a whole
   * month.
   */
  isTopUp: boolean;
  /** The start of the paid time. */
  paidFor: Date;
  /** True if no later payment covers the periods since. */
  isNewest: boolean;
};

/** Each payment covers the account's period in which its paid time starts. Returns the taken credits, and the spent ones. */
export async function takePlanCredits(
  app: App,
  tx: TxContext,
  paid: PaidPlan,
): Promise<{ taken: number; gone: number }> {
  const { accountId, orderId } = paid;
  const { now: at } = tx;
  let account = (await loadAccounts(app, [accountId], tx)).get(accountId)?.account;
  if (!account) throw new Error(`order ${orderId} names an account that does not exist`);
  const free = (await app.plans()).get(FREE_PLAN);
  const included = free ? monthlyCredits({ account, plan: free }) : 0;
  const first = periodOf(account.created_at, paid.paidFor);
  const entries: LedgerDoc[] = [];
  let gone = 0;
  for (let begins = first; begins <= at; begins = nextPeriod(account.created_at, begins)) {
    if (begins > first && !paid.isNewest) break;
    const found = await findPeriodEntries(app.mongo.db, monthlyGrantId(accountId, begins), tx);
    const topUp = paid.isTopUp && begins <= first ? topUpGrantId(accountId, begins, paid.plan) : null;
    for (const { grantId, credits } of broughtBy(found, monthlyGrantId(accountId, begins), topUp, included)) {
      const posted = takeOf(account, { grantId, credits, orderId, at });
      gone += credits - Math.abs(posted?.entry.amount ?? 0);
      if (!posted) continue;
      account = posted.head;
      entries.push(posted.entry);
    }
  }
  if (entries.length > 0) await saveAccounts(app, [account], tx);
  await insertEntries(app.mongo.db, entries, tx);
  return { taken: entries.reduce((sum, { amount }) => sum - amount, 0), gone };
}

/** The plan's grants of a period without what the free plan includes and what was taken back before. */
function broughtBy(
  found: readonly PeriodEntry[],
  monthlyId: string,
  topUpId: string | null,
  included: number,
): { grantId: string; credits: number }[] {
  return found
    .filter(({ _id }) =>
      topUpId === null ? _id === monthlyId : _id === topUpId || /^\.\d+$/.test(_id.replace(topUpId, "")),
    )
    .map(({ _id, amount }) => {
      const before = found.filter((entry) => entry._id.startsWith(`${_id}_back_`));
      const taken = before.reduce((sum, entry) => sum - entry.amount, 0);
      return { grantId: _id, credits: Math.max(0, amount - taken - (topUpId === null ? included : 0)) };
    });
}

/** undefined where nothing of the grant remains. */
function takeOf(
  account: AccountDoc,
  { grantId, credits, orderId, at }: { grantId: string; credits: number; orderId: string; at: Date },
): { head: AccountDoc; entry: LedgerDoc } | undefined {
  const own = (account.expiring ?? []).filter(({ grant_id }) => grant_id === grantId);
  const { from } = takeSoonest(own, credits);
  const amount = from.reduce((sum, portion) => sum + portion.amount, 0);
  if (amount === 0) return undefined;
  return postEntry(account, {
    kind: "adjustment",
    credits: -amount,
    of: { entryId: takenBackEntryId(grantId, orderId) },
    source: "system",
    keyId: null,
    memo: `Order ${orderId}`,
    at,
    from,
  });
}
