// Finds accounts for an operator: one by its id or address, or all.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { type Page, pageById, type PageRequest } from "../../kernel/page.ts";
import { normaliseEmail } from "./rules.ts";
import { findAccountIdByEmail } from "./store-emails.ts";
import { type AccountDoc, findAccounts, findAccountsBefore } from "./store.ts";

/** The account with this id or e-mail address. Throws not_found, also for a deleted account. */
export async function getAccount(app: App, idOrEmail: string): Promise<AccountDoc> {
  const account = await getAnyAccount(app, idOrEmail);
  if (account.status === "deleted") throw accountNotFound();
  return account;
}

/** Like getAccount, but finds deleted accounts too: their ledgers can still be read. */
export async function getAnyAccount(app: App, idOrEmail: string): Promise<AccountDoc> {
  const { db } = app.mongo;
  const accountId = idOrEmail.includes("@")
    ? await findAccountIdByEmail(db, normaliseEmail(idOrEmail))
    : idOrEmail;
  const account = accountId && (await findAccounts(db, [accountId])).get(accountId);
  if (!account) throw accountNotFound();
  return account;
}

/** Newest first. Throws invalid_request. */
export async function listAccounts(app: App, request: PageRequest): Promise<Page<AccountDoc>> {
  return pageById(request, (beforeId, limit) => findAccountsBefore(app.mongo.db, beforeId, limit));
}

export function accountNotFound(): AppError {
  return new AppError("not_found", {
    message: "No account has this id or e-mail address.",
    hint: "Check the account_id or the e-mail address for typing errors.",
  });
}

/** For a file that is read through a signed URL. Throws account_suspended, or not_found where the account does not exist. */
export async function checkStanding(app: App, accountId: string): Promise<void> {
  const account = (await findAccounts(app.mongo.db, [accountId])).get(accountId);
  if (!account || account.status === "deleted") throw new AppError("not_found");
  if (account.status === "suspended") throw new AppError("account_suspended");
}
