// The JSON of products that the index has found: from memory, or else from the database.
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import { withinMs } from "../../base/mongo/within-ms.ts";
import type { App } from "../../kernel/app.ts";
import { type LiveCatalog, unavailable } from "./live-catalog.ts";
import { type ProductJson, renderProduct } from "./product-json.ts";
import { findProductsByIds } from "./store.ts";
import type { View } from "./view.ts";

const FIND_TIMEOUT_MS = 1_000;
const MAX_TRIES = 5;
/** The document is newer than the view, which will catch up in a moment. */
const CATCH_UP_MS = 300;

/** The result of a query in one view, before anything is awaited. */
export type Found<T> = { readonly slots: readonly number[]; readonly answer: T };

/**
 * Asks the current view and renders the products that it finds, all at the same version. If a product changes in between, it asks again.
 * Throws catalog_unavailable, and what `ask` throws.
 */
export async function renderFound<T>(
  { app, live, baseUrl }: { app: Pick<App, "mongo">; live: LiveCatalog; baseUrl: string },
  ask: (view: View) => Found<T>,
): Promise<{ answer: T; products: ProductJson[] }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const view = await live.current();
    const { slots, answer } = ask(view);
    const products = await render(app, view, slots, baseUrl);
    if (products) return { answer, products };
    await live.newer(view, CATCH_UP_MS);
  }
  throw unavailable();
}

/** Undefined if the database has another state of one of them than the view. */
async function render(
  app: Pick<App, "mongo">,
  { index, json }: View,
  slots: readonly number[],
  baseUrl: string,
): Promise<ProductJson[] | undefined> {
  // The view changes during a wait, so everything that is needed from it is read first.
  const wanted = slots.map((slot) => ({
    slot,
    id: index.idAt(slot),
    version: index.versionAt(slot),
    json: json.get(slot),
  }));
  const missing = wanted.flatMap(({ id, json: known }) => (known ? [] : [id]));
  if (missing.length === 0) return wanted.flatMap(({ json: known }) => known ?? []);
  const documents = await find(app, missing);
  const products: ProductJson[] = [];
  for (const { slot, id, version, json: known } of wanted) {
    const document = documents.get(id);
    const product = known ?? (document && renderProduct(document, baseUrl));
    if (product?.version !== version) return undefined;
    if (!known) json.set(slot, product);
    products.push(product);
  }
  return products;
}

async function find(app: Pick<App, "mongo">, ids: readonly string[]) {
  try {
    const documents = await withinMs(FIND_TIMEOUT_MS, findProductsByIds(app.mongo.db, ids));
    return new Map(documents.map((document) => [document._id, document]));
  } catch (error) {
    throw isDatabaseAway(error) ? unavailable() : error;
  }
}
