// Credits of an account: what a test grants or takes, and the ledger.
import { grantCredits } from "../../core/identity/credits/grant.ts";
import { listLedger } from "../../core/identity/credits/read.ts";
import type { LedgerDoc } from "../../core/identity/credits/store.ts";
import type { App } from "../../core/kernel/app.ts";

export const ALL_ENTRIES = { limit: 100, cursor: "", kind: "", jobId: "", since: "", until: "" };

/** A negative amount takes credits. */
export function giveCredits(
  app: App,
  accountId: string,
  amount: number,
  expiresAt?: Date,
): Promise<LedgerDoc> {
  const kind = amount < 0 ? "adjustment" : "grant";
  return grantCredits(app, {
    accountId,
    amount,
    kind,
    memo: null,
    source: "system",
    ...(expiresAt && { expiresAt }),
  });
}

/** The entries of an account's ledger, oldest first. */
export async function ledgerOf(app: App, accountId: string): Promise<LedgerDoc[]> {
  return (await listLedger(app, { accountId, ...ALL_ENTRIES })).entries.toReversed();
}

export async function ledgerKinds(app: App, accountId: string): Promise<string[]> {
  return (await ledgerOf(app, accountId)).map(({ kind }) => kind);
}
