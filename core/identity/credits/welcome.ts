// Grants an account the held free plan credits, after its first purchase or with an operator's approval.
import { invalidField } from "../../../proto/codes.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { getAccount } from "../accounts/get-account.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { endHold } from "../accounts/welcome-mailbox.ts";
import { topUpCredits } from "./top-up.ts";

/** Within the caller's transaction. Changes nothing where no credits are held. */
export async function giveHeldWelcome(app: App, tx: TxContext, accountId: string): Promise<void> {
  const account = (await loadAccounts(app, [accountId], tx)).get(accountId)?.account;
  if (account?.welcome !== "held") return;
  await endHold(app, tx, accountId);
  await topUpCredits(app, tx, accountId);
}

/** `account` is an id or an e-mail address. Throws not_found, and invalid_request where no credits are held. */
export async function approveWelcome(app: App, account: string): Promise<AccountDoc> {
  const { _id: accountId } = await getAccount(app, account);
  await inTx(app, async (tx) => {
    const found = (await loadAccounts(app, [accountId], tx)).get(accountId)?.account;
    if (found?.welcome !== "held") throw invalidField("account", WHY_NOT[found?.welcome ?? "given"]);
    await giveHeldWelcome(app, tx, accountId);
  });
  return getAccount(app, accountId);
}

const WHY_NOT = {
  given: "has no welcome credits on hold",
  elsewhere: "shares its mailbox with another account, which has the welcome credits; use credits grant",
} as const;
