// The licences of an account, live and revoked, whatever its membership is; and one of any account.
import type { App } from "../../kernel/app.ts";
import { type Page, type PageRequest, readPage, toPage } from "../../kernel/page.ts";
import { findLicence, findLicences, type LicenceDoc } from "./store.ts";

/** Newest first; of all products, or of one. Throws invalid_request naming the parameter. */
export async function listLicences(
  app: App,
  accountId: string,
  request: PageRequest & { product_id?: string },
): Promise<Page<LicenceDoc>> {
  const { limit, after } = readPage(request);
  const query = { accountId, beforeId: after, productId: request.product_id || undefined };
  const found = await findLicences(app.mongo.db, query, limit + 1);
  return toPage(found, limit, ({ _id }) => _id);
}

export async function licenceById(
  { mongo }: Pick<App, "mongo">,
  licenceId: string,
): Promise<LicenceDoc | undefined> {
  return (await findLicence(mongo.db, licenceId)) ?? undefined;
}
