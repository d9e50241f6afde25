// The change feed: what has changed in the catalog since a version, as lines of JSON.
import { invalidField } from "../../../proto/codes.ts";
import type { CatalogChangeInput } from "../../../proto/types/atelier/v1/CatalogChange.ts";
import type { Catalog } from "./live-catalog.ts";
import { jsonAt, renderProduct } from "./product-json.ts";
import { findCatalogState, readChangedProducts } from "./store.ts";

const AGAIN = "begin again at 0";

/**
 * Yields each product that changed, with its latest state, then the checkpoint. A product that changes during the reading comes with the
 * next call. Throws invalid_request and catalog_unavailable.
 */
export async function* listChanges(
  { app, live, baseUrl }: Catalog,
  { since, epoch: known }: { since: number; epoch: string },
): AsyncGenerator<CatalogChangeInput> {
  const { epoch, version: upTo } = await live.current();
  if (known !== "" && known !== epoch)
    throw invalidField("epoch", `is not the catalog's: that is ${epoch} now; ${AGAIN} with an empty copy`);
  if (since < 0) throw invalidField("since", "must be at least 0");
  if (since > upTo) throw invalidField("since", `is newer than the catalog; ${AGAIN}`);
  const line = (version: number, rest: string): CatalogChangeInput => ({
    version,
    line: Buffer.from(`{"epoch":${JSON.stringify(epoch)},"version":${version},${rest}}`),
  });
  // A sale's start or end that another core has announced is over, for any clock here.
  const told = (await findCatalogState(app.mongo.db))?.edges_told;
  const nowMs = Math.max(app.clock.now().getTime(), told?.at.getTime() ?? 0);
  // A client that begins has nothing that could be removed.
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
