// One product as finished JSON. Unknown products and those that are not public look the same, because the index knows neither.
import { AppError } from "../../../proto/codes.ts";
import type { GetProductReplyInput } from "../../../proto/types/atelier/v1/GetProductReply.ts";
import { timeOrNone } from "./list-products.ts";
import type { Catalog } from "./live-catalog.ts";
import { changesAtMs, jsonAt, productMessage } from "./product-json.ts";
import { renderFound } from "./render-slots.ts";

/** Throws product_not_found and catalog_unavailable. */
export async function getProduct(catalog: Catalog, slug: string): Promise<GetProductReplyInput> {
  const { answer, products } = await renderFound(catalog, ({ index }) => {
    const slot = index.findSlug(slug);
    if (slot < 0) throw new AppError("product_not_found");
    const nowMs = catalog.app.clock.now().getTime();
    const { revision, version } = catalog.live.state();
    return { slots: [slot], answer: { nowMs, revision, version } };
  });
  const [product] = products;
  if (!product) throw new AppError("product_not_found");
  const json = jsonAt(product, answer.nowMs);
  return {
    body: Buffer.from(`{"data":${json},"catalogProduct":${json}}`),
    revision: answer.revision,
    version: answer.version,
    expires_at: timeOrNone(changesAtMs(product, answer.nowMs)),
    product: productMessage(json),
  };
}
