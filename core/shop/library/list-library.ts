// The library of an account: its licences, each with its files.
import type { App } from "../../kernel/app.ts";
import { type Page, pageById, type PageRequest } from "../../kernel/page.ts";
import { type LicenceSearch, listLicences } from "../memberships/licences.ts";
import { isLive } from "../memberships/rules.ts";
import type { LicenceDoc } from "../memberships/store.ts";
import { makeDemoFiles } from "./demo-files.ts";
import { findDownloads, findProductFiles, type ProductFileDoc } from "./store.ts";

export type LibraryRow = { licence: LicenceDoc; files: readonly ProductFileDoc[] };

/** As listLicences lists them; a revoked licence has no files. Throws invalid_request naming the parameter. */
export async function listLibrary(
  app: App,
  accountId: string,
  request: LicenceSearch,
): Promise<Page<LibraryRow>> {
  const { rows, nextCursor } = await listLicences(app, accountId, request);
  const productIds = [...new Set(rows.filter(isLive).map(({ product_id }) => product_id))];
  const files = Map.groupBy(await filesOf(app, productIds), ({ product_id }) => product_id);
  const row = (licence: LicenceDoc) => ({
    licence,
    files: isLive(licence) ? (files.get(licence.product_id) ?? []) : [],
  });
  return { rows: rows.map(row), nextCursor };
}

async function filesOf(app: App, productIds: readonly string[]): Promise<ProductFileDoc[]> {
  const found = await findProductFiles(app.mongo.db, productIds);
  const have = new Set(found.map(({ product_id }) => product_id));
  const made = await makeDemoFiles(
    app,
    productIds.filter((id) => !have.has(id)),
  );
  return [...found, ...made];
}

/** Newest first. Throws invalid_request naming the parameter. */
export function listDownloads(app: App, accountId: string, request: PageRequest) {
  return pageById(request, (beforeId, limit) => findDownloads(app.mongo.db, { accountId, beforeId }, limit));
}
