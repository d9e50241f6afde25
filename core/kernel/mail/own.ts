// The mails of one account in the outbox, for its export.
import type { App } from "../app.ts";
import { type Page, type PageRequest, readPage, toPage } from "../page.ts";
import { findMailsOfAccount, type MailDoc } from "./store.ts";

export async function listMails(app: App, accountId: string, request: PageRequest): Promise<Page<MailDoc>> {
  const { limit, after } = readPage(request);
  const found = await findMailsOfAccount(app.mongo.db, { accountId, beforeId: after }, limit + 1);
  return toPage(found, limit, ({ _id }) => _id);
}
