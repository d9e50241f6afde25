// One page of the catalog as ready JSON.
import { z } from "zod";
import { parseRequest } from "../../../proto/resources/issues.ts";
import {
  CATALOG_FACETS,
  CATALOG_SORTS,
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  PRODUCT_STATUSES,
  searchWords,
} from "../../../proto/resources/product.ts";
import type { ListProductsReplyInput } from "../../../proto/types/atelier/v1/ListProductsReply.ts";
import type { ListProductsRequest } from "../../../proto/types/atelier/v1/ListProductsRequest.ts";
import type { Emptiness, IndexPage, PageQuery } from "./index/catalog-index.ts";
import type { Parameter, PriceRange } from "./index/conditions.ts";
import { wordsOf } from "./index/text.ts";
import type { Catalog } from "./live-catalog.ts";
import { changesAtMs, jsonAt, productMessage } from "./product-json.ts";
import { renderFound } from "./render-slots.ts";
import { isPublicStatus } from "./rules.ts";

/** A longer list would not be read. */
const MAX_FACET_VALUES = 250;
/** More than any product has. */
const MAX_TAGS = 50;

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

const ALONE: Record<Parameter, string> = {
  search:
    "No product has all words of search, not even with one letter changed; signs alone are no word. Use fewer or other words, or leave search out.",
  category: "No product has this category. Leave category out, or take one that facets=category counts.",
  subcategory: "No product has this subcategory. Leave subcategory out, or take one that products show.",
  pricing_tier:
    "No product has this pricing_tier. Leave pricing_tier out, or take one that facets=pricing_tier counts.",
  tag: "No product has all of these tags. Leave tag out, or take tags that facets=tag counts.",
  status:
    "No product has such a status. Leave status out, or use published, featured, coming_soon or beta; drafts and archived products are never listed.",
  price_min: "No product costs as much as price_min. Leave price_min out, or lower it.",
  price_max: "No product costs as little as price_max. Leave price_max out, or raise it.",
  sort: "No product has a place in the home showcase. Use another sort.",
};

/** Explains an empty page: which parameter excluded everything, and what helps. */
function toHint(emptiness: Emptiness): string {
  switch (emptiness.kind) {
    case "alone":
      return ALONE[emptiness.parameter];
    case "together": {
      const { parameter, others } = emptiness;
      const found = others === 1 ? "1 product matches" : `${others} products match`;
      return parameter === "sort"
        ? `Nothing that matches has a place in the home showcase; with another sort ${found}.`
        : `Nothing matches ${parameter} together with the rest; without ${parameter} ${found}.`;
    }
    case "several":
      return `Nothing matches ${emptiness.parameters.join(", ")} together. Leave some of them out.`;
  }
}

const requestSchema = z.object({
  search: searchWords,
  tag: z.array(z.string()).max(MAX_TAGS),
  sort: z.enum(CATALOG_SORTS),
  page: z.number().int().min(1),
  pageSize: z.number().int().min(1).max(MAX_PAGE_SIZE),
  status: z.array(z.enum(PRODUCT_STATUSES)),
  facets: z.array(z.enum(CATALOG_FACETS)),
  price_min: z.number().int().min(0).optional(),
  price_max: z.number().int().min(0).optional(),
});

/** Its prices are those of the moment in which it is asked. */
type ProductQuery = Omit<PageQuery, "price"> & {
  readonly page: number;
  readonly price: Omit<PriceRange, "atMs"> | undefined;
};

/** Turns a request into a query that the index understands. Throws invalid_request, which names parameters as the public API does. */
function toQuery(request: ListProductsRequest): ProductQuery {
  const { search, tag, status, sort, page, pageSize, facets, ...price } = parseRequest(requestSchema, {
    search: request.search,
    tag: request.tags,
    sort: request.sort || "featured",
    page: request.page || 1,
    pageSize: request.page_size || DEFAULT_PAGE_SIZE,
    status: request.statuses,
    facets: request.facets,
    price_min: request.price_min_cents,
    price_max: request.price_max_cents,
  });
  const { price_min: minCents = null, price_max: maxCents = null } = price;
  return {
    words: toWords(search),
    category: request.category || null,
    subcategory: request.subcategory || null,
    pricingTier: request.pricing_tier || null,
    tags: tag,
    // Statuses that are not public match nothing, which an empty list says.
    statuses: status.length === 0 ? null : status.filter(isPublicStatus),
    sort,
    page,
    offset: (page - 1) * pageSize,
    limit: pageSize,
    facets: [...new Set(facets)],
    price: minCents === null && maxCents === null ? undefined : { minCents, maxCents },
  };
}

/** No words mean no search. Null is a search without a letter or digit, including blanks, which finds nothing. */
function toWords(search: string): readonly string[] | null {
  if (search === "") return [];
  const words = wordsOf(search);
  return words.length === 0 ? null : words;
}
