// The bulks of the last 30 days, including dry runs.
import type { App } from "../../kernel/app.ts";
import { type Page, type PageRequest, readPage, toPage } from "../../kernel/page.ts";
import { type BulkDoc, findBulks } from "./store.ts";

/** Newest first. Throws invalid_request naming the parameter. */
export async function listBulks({ mongo }: Pick<App, "mongo">, request: PageRequest): Promise<Page<BulkDoc>> {
  const { limit, after } = readPage(request);
  return toPage(await findBulks(mongo.db, after, limit + 1), limit, ({ _id }) => _id);
}
