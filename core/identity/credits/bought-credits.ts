// The credits of an order: granted, taken back as far as they remain, and granted again, each within the order's transaction.
import { withoutPrefix } from "../../../runtime/clock.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { loadAccounts, saveAccounts } from "../accounts/load.ts";
import { lastingCredits, postEntry } from "./rules.ts";
import { insertEntries } from "./store.ts";

export type OrderCredits = {
  accountId: string;
  orderId: string;
  /** The number of the order's event. An entry's id consists of order and event, so that none is written twice. */
  seq: number;
  credits: number;
};

/** An order's entry carries the memo that identifies it for the owner. */
export async function giveBoughtCredits(app: App, tx: TxContext, given: OrderCredits): Promise<void> {
  await post(app, tx, given, "purchase");
}

/** Returns how many were taken: only available credits that do not expire, because expiring ones were not bought. */
export async function takeBoughtCredits(app: App, tx: TxContext, taken: OrderCredits): Promise<number> {
  const account = (await loadAccounts(app, [taken.accountId], tx)).get(taken.accountId)?.account;
  const credits = Math.min(taken.credits, account ? lastingCredits(account) : 0);
  if (credits > 0) await post(app, tx, { ...taken, credits: -credits }, "adjustment");
  return credits;
}

/** Restores credits that were taken for a dispute which has been won. */
export async function restoreBoughtCredits(app: App, tx: TxContext, given: OrderCredits): Promise<void> {
  if (given.credits > 0) await post(app, tx, given, "adjustment");
}

export function orderEntryId(orderId: string, seq: number): string {
  return `led_${withoutPrefix(orderId)}_o${seq}`;
}

async function post(
  app: App,
  tx: TxContext,
  { accountId, orderId, seq, credits }: OrderCredits,
  kind: "purchase" | "adjustment",
): Promise<void> {
  const loaded = (await loadAccounts(app, [accountId], tx)).get(accountId);
  if (!loaded) throw new Error(`order ${orderId} names an account that does not exist`);
  const { head, entry } = postEntry(loaded.account, {
    kind,
    credits,
    of: { entryId: orderEntryId(orderId, seq) },
    source: "system",
    keyId: null,
    memo: `Order ${orderId}`,
    at: tx.now,
  });
  await saveAccounts(app, [head], tx);
  await insertEntries(app.mongo.db, [entry], tx);
}
