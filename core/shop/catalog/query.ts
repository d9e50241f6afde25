// Turns a request into a query that the index understands. Throws invalid_request, which names parameters as the public API does.
import { z } from "zod";
import { characters } from "../../../proto/resources/job.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import {
  CATALOG_FACETS,
  CATALOG_SORTS,
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  MAX_SEARCH_CHARACTERS,
  PRODUCT_STATUSES,
} from "../../../proto/resources/product.ts";
import type { ListProductsRequest } from "../../../proto/types/atelier/v1/ListProductsRequest.ts";
import type { PageQuery } from "./index/catalog-index.ts";
import type { PriceRange } from "./index/conditions.ts";
import { wordsOf } from "./index/text.ts";
import { isPublicStatus } from "./rules.ts";

/** More than any product has. */
const MAX_TAGS = 50;

const requestSchema = z.object({
  search: z.string().refine((text) => characters(text) <= MAX_SEARCH_CHARACTERS, {
    error: `must have at most ${MAX_SEARCH_CHARACTERS} characters`,
  }),
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
export type ProductQuery = Omit<PageQuery, "price"> & {
  readonly page: number;
  readonly price: Omit<PriceRange, "atMs"> | undefined;
};

export function toQuery(request: ListProductsRequest): ProductQuery {
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
export function toWords(search: string): readonly string[] | null {
  if (search === "") return [];
  const words = wordsOf(search);
  return words.length === 0 ? null : words;
}
