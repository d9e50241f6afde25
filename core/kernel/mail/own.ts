// What the outbox holds for one account, for its export and its deletion.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../app.ts";
import { type Page, type PageRequest, readPage, toPage } from "../page.ts";
import { deleteMails, findMailsOfAccount, type MailDoc } from "./store.ts";

export async function listMails(app: App, accountId: string, request: PageRequest): Promise<Page<MailDoc>> {
  const { limit, after } = readPage(request);
  const found = await findMailsOfAccount(app.mongo.db, { accountId, beforeId: after }, limit + 1);
  return toPage(found, limit, ({ _id }) => _id);
}

/** Mails that were not sent yet will not be sent any more. */
export async function forgetMails(app: App, accountId: string, tx: TxContext): Promise<void> {
  await deleteMails(app.mongo.db, accountId, tx);
}
