// Removes what signing in has recorded about a person's addresses.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { freeReserved } from "../accounts/move-email.ts";
import { findEmailLinksOf } from "./store-email-links.ts";
import { deleteLinksTo } from "./store.ts";

/**
 * Returns the account's former addresses. Quotas of mails stay for their day: they are hashes, and deleting an account must not reset them.
 */
export async function forgetPerson(
  app: App,
  { accountId, email }: { accountId: string; email: string },
  tx: TxContext,
): Promise<string[]> {
  const { db } = app.mongo;
  const changes = await findEmailLinksOf(db, accountId, tx);
  const emails = changes.flatMap(({ kind, to }) => (kind === "undo" ? [to] : []));
  await freeReserved(app, { accountId, emails }, tx);
  await deleteLinksTo(db, email, tx);
  return emails;
}
