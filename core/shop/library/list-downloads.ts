// The log of downloads, for those who made them and for operators.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { type Page, type PageRequest, readPage, toPage } from "../../kernel/page.ts";
import { deleteDownloads, type DownloadDoc, findDownloads } from "./store.ts";

/** Newest first. Throws invalid_request naming the parameter. */
export async function listDownloads(
  app: App,
  accountId: string,
  request: PageRequest,
): Promise<Page<DownloadDoc>> {
  const { limit, after } = readPage(request);
  const found = await findDownloads(app.mongo.db, { accountId, beforeId: after }, limit + 1);
  return toPage(found, limit, ({ _id }) => _id);
}

/** Removes the downloads of a deleted account. */
export async function forgetDownloads(app: App, accountId: string, tx: TxContext): Promise<void> {
  await deleteDownloads(app.mongo.db, accountId, tx);
}
