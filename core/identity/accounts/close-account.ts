// Removes an account's credentials and everything that identifies its owner.
import { invalidField } from "../../../proto/codes.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { accountNotFound } from "./get-account.ts";
import { normaliseEmail } from "./rules.ts";
import { deleteEmail } from "./store-emails.ts";
import { findAccountsIn, saveAccountClosed } from "./store-in-tx.ts";
import { deleteKeys } from "./store-keys.ts";
import { freeMailboxes } from "./store-mailboxes.ts";

/** Returns the account's former address. Throws not_found, and invalid_request where `email` is not its address. */
export async function closeAccount(
  app: App,
  { accountId, email }: { accountId: string; email: string },
  tx: TxContext,
): Promise<string> {
  const { db } = app.mongo;
  const account = (await findAccountsIn(db, [accountId], tx)).get(accountId);
  if (!account || account.status === "deleted") throw accountNotFound();
  if (normaliseEmail(email) !== account.email) {
    throw invalidField("email", "must be the address of this account");
  }
  await saveAccountClosed(db, accountId, tx);
  await deleteEmail(db, account.email, tx);
  await freeMailboxes(db, accountId, tx);
  await deleteKeys(db, accountId, tx);
  return account.email;
}
