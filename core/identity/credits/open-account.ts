// Creates an account with the first monthly credits of its plan, in one transaction. Every new account is created here.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { createAccount } from "../accounts/create-account.ts";
import type { NewAccount } from "../accounts/rules.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { decideMailbox, mailboxIdOf } from "../accounts/welcome-mailbox.ts";
import { beginPeriods, welcomeTo } from "./period-rules.ts";
import { insertEntries } from "./store.ts";

export type Opening = {
  /** The free plan's credits wait for a first purchase or an approval. */
  hold?: boolean;
  /** Called in the transaction that creates the account; may refuse it by throwing. */
  admit?: (tx: TxContext) => Promise<void>;
};

/**
 * One account of a mailbox gets the free plan's credits, and the welcome credits are granted once. Throws what createAccount and `admit`
 * throw.
 */
export async function openAccount(
  app: App,
  wanted: NewAccount,
  { hold = false, admit = async () => {} }: Opening = {},
): Promise<AccountDoc> {
  const mailboxId = await mailboxIdOf(app, wanted.email);
  return createAccount(app, wanted, async (bare, tx) => {
    await admit(tx);
    const decided = await decideMailbox(
      app,
      mailboxId,
      (known) => welcomeTo(known, { mailboxId, account: bare.account, hold }),
      tx,
    );
    const { account, entries } = beginPeriods(bare, decided);
    await insertEntries(app.mongo.db, entries, tx);
    return account;
  });
}
