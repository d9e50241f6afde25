// E-mail addresses: of one account each, in use or reserved.
import type { Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import { noteFields } from "./store-in-tx.ts";
import { type EmailDoc, accounts, emails } from "./store.ts";

/** Finds nothing for an address that is only reserved. */
export async function findAccountIdByEmail(db: Db, email: string): Promise<string | undefined> {
  return (await emails(db).findOne({ _id: email, reserved_until: { $exists: false } }))?.account_id;
}

/** The address, whether in use or reserved. */
export async function findEmail(
  db: Db,
  email: string,
  { session }: ReadContext = {},
): Promise<EmailDoc | null> {
  return emails(db).findOne({ _id: email }, { ...(session && { session }) });
}

/** Gives the account an address that is free or reserved for it. */
export async function saveEmail(
  db: Db,
  { accountId, email }: { accountId: string; email: string },
  tx: TxContext,
): Promise<void> {
  // Another account's address would be inserted a second time, and refused.
  await emails(db).updateOne(
    { _id: email, account_id: accountId },
    { $unset: { reserved_until: "" } },
    { upsert: true, session: tx.session },
  );
  await accounts(db).updateOne({ _id: accountId }, { $set: { email } }, { session: tx.session });
  noteFields(tx, accountId, { email });
}

export async function reserveEmail(
  db: Db,
  { accountId, email, until }: { accountId: string; email: string; until: Date },
  { session }: TxContext,
): Promise<void> {
  await emails(db).updateOne(
    { _id: email, account_id: accountId },
    { $set: { reserved_until: until } },
    { session },
  );
}

/** Frees addresses that the account has given up. */
export async function deleteReserved(
  db: Db,
  { accountId, emails: given }: { accountId: string; emails: readonly string[] },
  { session }: TxContext,
): Promise<void> {
  await emails(db).deleteMany(
    { _id: { $in: [...given] }, account_id: accountId, reserved_until: { $exists: true } },
    { session },
  );
}

/** Frees an address for another account. */
export async function deleteEmail(db: Db, email: string, { session }: TxContext): Promise<void> {
  await emails(db).deleteOne({ _id: email }, { session });
}
