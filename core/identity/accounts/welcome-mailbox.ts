// Decides which account of a mailbox gets the free plan's credits, for core/identity/credits, within the callers' transactions.
import { foldMailbox, hashMailbox } from "../../../runtime/mailbox.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { normaliseEmail } from "./rules.ts";
import { saveWelcomed } from "./store-in-tx.ts";
import {
  findMailbox,
  insertMailbox,
  type MailboxDoc,
  readMailboxSalt,
  saveMailbox,
  saveWelcomeGiven,
} from "./store-mailboxes.ts";

/** Outside transactions: all must see the same salt. */
export async function mailboxIdOf(app: App, email: string): Promise<string> {
  return hashMailbox(await readMailboxSalt(app.mongo.db), foldMailbox(normaliseEmail(email)));
}

/**
 * Lets `decide` return the mailbox's new state from its old one; undefined changes nothing. Of two transactions that decide about one
 * mailbox the later conflicts and decides again.
 */
export async function decideMailbox<T extends { readonly mailbox: MailboxDoc | undefined }>(
  app: App,
  mailboxId: string,
  decide: (known: MailboxDoc | undefined) => T,
  tx: TxContext,
): Promise<T> {
  const { db } = app.mongo;
  const known = (await findMailbox(db, mailboxId, tx)) ?? undefined;
  const decided = decide(known);
  if (decided.mailbox) await (known ? saveMailbox : insertMailbox)(db, decided.mailbox, tx);
  return decided;
}

/** Records that the account gets the free plan's credits from now on. */
export async function endHold(app: App, tx: TxContext, accountId: string): Promise<void> {
  await saveWelcomed(app.mongo.db, accountId, tx);
  await saveWelcomeGiven(app.mongo.db, accountId, tx.now, tx);
}
