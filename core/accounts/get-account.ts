// Finds one account by what an operator has at hand.
import { AppError } from "../../proto/codes.ts";
import type { App } from "../app.ts";
import { normaliseEmail } from "./rules.ts";
import { type AccountDoc, findAccountIdByEmail, findAccounts } from "./store.ts";

/** The account with this id or e-mail address. Throws not_found. */
export async function getAccount(app: App, idOrEmail: string): Promise<AccountDoc> {
  const { db } = app.mongo;
  const accountId = idOrEmail.includes("@")
    ? await findAccountIdByEmail(db, normaliseEmail(idOrEmail))
    : idOrEmail;
  const account = accountId && (await findAccounts(db, [accountId])).get(accountId);
  if (!account) throw accountNotFound();
  return account;
}

export function accountNotFound(): AppError {
  return new AppError("not_found", {
    message: "No account has this id or e-mail address.",
    hint: "Check the account_id or the e-mail address for typing errors.",
  });
}
