// Gives an account another e-mail address, in the transaction that found the address proven.
import { type AppError, invalidField } from "../../../proto/codes.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { accountNotFound } from "./get-account.ts";
import { deleteEmail, deleteReserved, findEmail, reserveEmail, saveEmail } from "./store-emails.ts";
import { findAccountsIn } from "./store-in-tx.ts";

export type EmailMove = {
  accountId: string;
  to: string;
  /** How long the former address is kept from others; undefined frees it immediately. */
  reservedUntil: Date | undefined;
};

/** Returns the former address. Throws not_found, and invalid_request where another account has the address. */
export async function moveEmail(
  app: App,
  { accountId, to, reservedUntil }: EmailMove,
  tx: TxContext,
): Promise<string> {
  const { db } = app.mongo;
  const account = (await findAccountsIn(db, [accountId], tx)).get(accountId);
  if (!account || account.status === "deleted") throw accountNotFound();
  const from = account.email;
  if (from === to) return from;
  const known = await findEmail(db, to, tx);
  if (known && known.account_id !== accountId) throw taken();
  if (reservedUntil) await reserveEmail(db, { accountId, email: from, until: reservedUntil }, tx);
  else await deleteEmail(db, from, tx);
  try {
    await saveEmail(db, { accountId, email: to }, tx);
  } catch (error) {
    throw isDuplicateKey(error) ? taken() : error;
  }
  return from;
}

/** Whether an address belongs to another account, or is reserved for one. */
export async function belongsToAnother(
  app: App,
  { accountId, email }: { accountId: string; email: string },
): Promise<boolean> {
  const known = await findEmail(app.mongo.db, email);
  return known !== null && known.account_id !== accountId;
}

/** Whether the account that gave up this address for another may still take it back. */
export async function isGivenUp(app: App, email: string): Promise<boolean> {
  return (await findEmail(app.mongo.db, email))?.reserved_until !== undefined;
}

/** Frees addresses that the account gave up, before their reservation ends. */
export async function freeReserved(
  app: App,
  given: { accountId: string; emails: readonly string[] },
  tx: TxContext,
): Promise<void> {
  await deleteReserved(app.mongo.db, given, tx);
}

function taken(): AppError {
  return invalidField("email", "belongs to another account");
}
