// The change feed: what became of the catalog since a version, as lines of JSON.
import { AppError } from "../../proto/codes.ts";
import type { CatalogChangeInput } from "../../proto/types/atelier/v1/CatalogChange.ts";
import type { Catalog } from "./catalog.ts";
import { jsonAt, renderProduct } from "./product-json.ts";
import { readChangedProducts } from "./store.ts";

/**
 * Each product that changed, with its latest state, then the checkpoint. A product that changes while this is read comes with the next
 * call. Throws invalid_request and catalog_unavailable.
 */
export async function* listChanges(
  { app, live, baseUrl }: Catalog,
  since: number,
): AsyncGenerator<CatalogChangeInput> {
  const { version: upTo } = await live.current();
  if (since < 0 || since > upTo) {
    const message = since < 0 ? "must be at least 0" : "is newer than the catalog; begin again at 0";
    throw new AppError("invalid_request", {
      message: `since ${message}.`,
      issues: [{ path: "since", message }],
    });
  }
  const nowMs = app.clock.now().getTime();
  // Whoever begins has nothing that could be removed.
  for await (const product of readChangedProducts(app.mongo.db, { since, upTo, onlyPublic: since === 0 })) {
    const version = product.catalog_version ?? 0;
    const rendered = renderProduct(product, baseUrl);
    yield line(
      version,
      rendered
        ? `"op":"upsert","product":${jsonAt(rendered, nowMs)}`
        : `"op":"remove","id":${JSON.stringify(product._id)},"slug":${JSON.stringify(product.slug)}`,
    );
  }
  yield line(upTo, `"op":"checkpoint"`);
}

function line(version: number, rest: string): CatalogChangeInput {
  return { version, line: Buffer.from(`{"version":${version},${rest}}`) };
}
