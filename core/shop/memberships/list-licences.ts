// The licences of an account, live and revoked, whatever its membership is; and one of any account.
import { z } from "zod";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { searchWords } from "../../../proto/resources/product.ts";
import type { App } from "../../kernel/app.ts";
import { type Page, type PageRequest, readPage, toPage } from "../../kernel/page.ts";
import { findLicence, findLicences, type LicenceDoc } from "./store.ts";

const searchSchema = z.object({ search: searchWords });

export type LicenceSearch = PageRequest & { product_id?: string; search?: string };

/** More say nothing more about a name. */
const MAX_WORDS = 10;

/** Newest first; of all products or of one, and with these words in their names. Throws invalid_request naming the parameter. */
export async function listLicences(
  app: App,
  accountId: string,
  request: LicenceSearch,
): Promise<Page<LicenceDoc>> {
  const { limit, after } = readPage(request);
  const { search } = parseRequest(searchSchema, { search: request.search ?? "" });
  const words = search
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS);
  const query = { accountId, beforeId: after, productId: request.product_id || undefined, words };
  const found = await findLicences(app.mongo.db, query, limit + 1);
  return toPage(found, limit, ({ _id }) => _id);
}

export async function licenceById(
  { mongo }: Pick<App, "mongo">,
  licenceId: string,
): Promise<LicenceDoc | undefined> {
  return (await findLicence(mongo.db, licenceId)) ?? undefined;
}
