// Whether signed URLs of an account's files may still be used.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { findAccounts } from "./store.ts";

/** For a file that is read through a signed URL. Throws account_suspended, or not_found where the account does not exist. */
export async function checkStanding(app: App, accountId: string): Promise<void> {
  const account = (await findAccounts(app.mongo.db, [accountId])).get(accountId);
  if (!account || account.status === "deleted") throw new AppError("not_found");
  if (account.status === "suspended") throw new AppError("account_suspended");
}
