// One page of the catalog as ready JSON.
import type { ListProductsReplyInput } from "../../../proto/types/atelier/v1/ListProductsReply.ts";
import type { ListProductsRequest } from "../../../proto/types/atelier/v1/ListProductsRequest.ts";
import type { Catalog } from "./catalog.ts";
import { toHint } from "./hint.ts";
import type { IndexPage } from "./index/catalog-index.ts";
import { changesAtMs, jsonAt, productMessage } from "./product-json.ts";
import { type ProductQuery, toQuery } from "./query.ts";
import { renderFound } from "./render-slots.ts";

/** A longer list would not be read. */
const MAX_FACET_VALUES = 250;

/** Throws invalid_request and catalog_unavailable. */
export async function listProducts(
  catalog: Catalog,
  request: ListProductsRequest,
): Promise<ListProductsReplyInput> {
  const query = toQuery(request);
  const { answer, products } = await renderFound(catalog, ({ index }) => {
    const nowMs = catalog.app.clock.now().getTime();
    const asked = { ...query, price: query.price && { ...query.price, atMs: nowMs } };
    const page = index.search(asked);
    const hint = page.total === 0 && index.productCount > 0 ? toHint(index.explainEmpty(asked)) : undefined;
    const { revision, version } = catalog.live.state();
    // Any sale can move its product in or out of a range of prices.
    const endsAtMs = query.price ? index.edges(nowMs).nextMs : Number.POSITIVE_INFINITY;
    return { slots: page.slots, answer: { page, hint, nowMs, endsAtMs, revision, version } };
  });
  const { page, hint, nowMs, endsAtMs, revision, version } = answer;
  const json = products.map((product) => jsonAt(product, nowMs));
  const totalPages = Math.ceil(page.total / query.limit);
  return {
    body: pageBody(query, page, { json, totalPages, hint }),
    revision,
    version,
    total: page.total,
    total_pages: totalPages,
    expires_at: timeOrNone(Math.min(endsAtMs, ...products.map((product) => changesAtMs(product, nowMs)))),
    ...(request.typed && { products: json.map(productMessage) }),
  };
}

function pageBody(
  { page, facets }: ProductQuery,
  { total, facets: counted }: IndexPage,
  { json, totalPages, hint }: { json: readonly string[]; totalPages: number; hint: string | undefined },
): Buffer {
  // Encoded once, for both names of the list.
  const list = Buffer.from(json.join(","));
  const counts = Object.fromEntries(
    counted.map(({ facet, values }) => [facet, values.slice(0, MAX_FACET_VALUES)]),
  );
  const rest = [
    `],"count":${total},"total":${total},"total_pages":${totalPages},"page":${page}`,
    facets.length > 0 ? `,"facets":${JSON.stringify(counts)}` : "",
    hint === undefined ? "" : `,"hint":${JSON.stringify(hint)}`,
    "}",
  ].join("");
  return Buffer.concat([
    Buffer.from(`{"data":[`),
    list,
    Buffer.from(`],"catalogProducts":[`),
    list,
    Buffer.from(rest),
  ]);
}

/** RFC 3339, or empty for never. */
export function timeOrNone(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : "";
}
