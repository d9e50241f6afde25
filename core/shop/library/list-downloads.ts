// The download log, for its accounts and for operators.
import type { App } from "../../kernel/app.ts";
import { type Page, type PageRequest, readPage, toPage } from "../../kernel/page.ts";
import { type DownloadDoc, findDownloads } from "./store.ts";

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
