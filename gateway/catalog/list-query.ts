// The query of GET /api/catalog: its parameters with their aliases and rules, and the one URL that represents all equivalent queries.
import { z } from "zod";
import { invalidField } from "../../proto/codes.ts";
import { parseQuery } from "../../proto/resources/issues.ts";
import {
  CATALOG_FACETS,
  CATALOG_SORTS,
  type CatalogSort,
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  PRODUCT_STATUSES,
  PUBLIC_STATUSES,
  searchWords,
} from "../../proto/resources/product.ts";
import type { ListProductsRequestInput } from "../../proto/types/atelier/v1/ListProductsRequest.ts";
import { queryInteger, queryNumber, queryWhole } from "../http/query.ts";

export const LIST_PATH = "/api/catalog";
const DEFAULT_SORT: CatalogSort = "featured";
const MAX_TAGS = 50;
const MAX_USD = 1_000_000;
const CENTS = 100;

/** Comma-separated; white space around a value and empty values do not count. */
function splitList(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** A text of comma-separated values, passed on as text. */
function listOf(words: readonly string[], shown: readonly string[]) {
  const word = `(${words.join("|")})`;
  return z
    .string()
    .refine((value) => splitList(value).every((part) => words.includes(part)), {
      error: `must be a comma-separated list of ${shown.join(", ")}`,
    })
    .meta({ pattern: `^(${word}(,${word})*)?$` });
}

/** Dollars in an address, empty for none. */
function usd(which: string) {
  return queryNumber(0, MAX_USD)
    .optional()
    .describe(`${which} price of a standard licence at this moment, in USD, with at most two decimals.`);
}

/** As the OpenAPI document shows it and as it is checked. */
export const listQuerySchema = z.object({
  search: searchWords
    .optional()
    .describe(
      "Words that name, tagline, description, tags or category must have, all of them; the last one may be a beginning. Case and accents do not count, and one wrong letter is forgiven where nothing matches.",
    ),
  category: z.string().optional().describe("Slug of a category."),
  subcategory: z.string().optional().describe("Slug of a subcategory."),
  pricing_tier: z.string().optional().describe("A pricing_tier that products show."),
  tag: z
    .preprocess(
      (value) => (typeof value === "string" ? [value] : value),
      z
        .array(z.string())
        .transform((values) => values.flatMap(splitList))
        .refine((values) => values.length <= MAX_TAGS, { error: `must have at most ${MAX_TAGS} items` }),
    )
    .optional()
    .meta({
      description:
        "Slugs of tags that a product must all have: repeat the parameter, or separate them by commas. `tag[]` is taken for `tag`.",
      maxItems: MAX_TAGS,
    }),
  tags: z
    .string()
    .refine((value) => splitList(value).length <= MAX_TAGS, { error: `must have at most ${MAX_TAGS} items` })
    .optional()
    .meta({ description: "Use tag. Comma-separated; ignored when tag is there.", deprecated: true }),
  price_min: usd("Lowest"),
  price_max: usd("Highest"),
  status: listOf(PRODUCT_STATUSES, PUBLIC_STATUSES)
    .optional()
    .describe(
      `Comma-separated, any of ${PUBLIC_STATUSES.join(", ")}; all of them when it is left out. Drafts and archived products are never listed, even when this asks for them.`,
    ),
  sort: z
    .enum(CATALOG_SORTS)
    .default(DEFAULT_SORT)
    .describe("home shows only products that have a place in the home showcase."),
  page: queryWhole(1).default(1).describe("From 1. A page past the end is empty."),
  pageSize: queryInteger(1, MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE).describe("Products on a page."),
  limit: queryInteger(1, MAX_PAGE_SIZE).optional().meta({
    description: "Use pageSize. Ignored when pageSize is there.",
    deprecated: true,
  }),
  facets: listOf(CATALOG_FACETS, CATALOG_FACETS)
    .optional()
    .describe(
      `Comma-separated, any of ${CATALOG_FACETS.join(", ")}: adds how many of all matching products have each value.`,
    ),
});

export type ListQuery = {
  readonly search: string;
  readonly category: string;
  readonly subcategory: string;
  readonly pricingTier: string;
  /** In cents. */
  readonly priceMin?: number | undefined;
  readonly priceMax?: number | undefined;
  readonly tags: readonly string[];
  readonly statuses: readonly string[];
  readonly sort: CatalogSort;
  readonly page: number;
  readonly pageSize: number;
  readonly facets: readonly string[];
};

/** Empty text and empty lists count as not given. Throws invalid_request, naming each wrong parameter. */
export function parseListQuery(raw: Readonly<Record<string, unknown>>): ListQuery {
  // Ignored parameters are not checked either.
  const { tags: legacyTags, limit: legacyLimit, tag: asTag, "tag[]": asList, ...rest } = raw;
  // Some clients write the name of a list with brackets.
  const tagValues = [asTag, asList].flat().filter((value) => value !== undefined);
  const { tag, tags, pageSize, limit, price_min, price_max, ...query } = parseQuery(listQuerySchema, {
    ...rest,
    ...(tagValues.length > 0 ? { tag: tagValues } : { tags: legacyTags }),
    ...(rest["pageSize"] === undefined && { limit: legacyLimit }),
  });
  if (price_min !== undefined && price_max !== undefined && price_max < price_min)
    throw invalidField("price_max", `must be at least price_min, ${price_min}`);
  return {
    search: normaliseSearch(query.search ?? ""),
    category: query.category ?? "",
    subcategory: query.subcategory ?? "",
    pricingTier: query.pricing_tier ?? "",
    priceMin: toCents(price_min),
    priceMax: toCents(price_max),
    tags: [...new Set(tag ?? splitList(tags ?? ""))].sort(),
    statuses: normaliseStatuses(splitList(query.status ?? "")),
    sort: query.sort,
    page: query.page,
    pageSize: limit ?? pageSize,
    facets: CATALOG_FACETS.filter((facet) => splitList(query.facets ?? "").includes(facet)),
  };
}

function toCents(usd: number | undefined): number | undefined {
  return usd === undefined ? undefined : Math.round(usd * CENTS);
}

/** Core folds case itself; folding it here lets more queries share a page. Blanks alone become one blank: a search without a letter or digit, which finds nothing. */
function normaliseSearch(search: string): string {
  if (search === "") return "";
  return (
    search
      .trim()
      .replace(/\s+/g, " ")
      .replace(/[A-Z]+/g, (part) => part.toLowerCase()) || " "
  );
}

/** Public ones in a fixed order; empty for all of them; one hidden one when only hidden ones were requested, which matches nothing. */
function normaliseStatuses(asked: readonly string[]): string[] {
  const shown = PUBLIC_STATUSES.filter((status) => asked.includes(status));
  if (shown.length === PUBLIC_STATUSES.length) return [];
  return shown.length === 0 && asked.length > 0 ? ["draft"] : shown;
}

/** The one path and query for this page, or another page of the same list, in caches and links. */
export function addressOf(query: ListQuery, page: number = query.page): string {
  const search = new URLSearchParams();
  const set = (name: string, value: string) => value !== "" && search.set(name, value);
  set("search", query.search);
  set("category", query.category);
  set("subcategory", query.subcategory);
  set("pricing_tier", query.pricingTier);
  for (const [name, cents] of [
    ["price_min", query.priceMin],
    ["price_max", query.priceMax],
  ] as const)
    if (cents !== undefined) set(name, String(cents / CENTS));
  for (const tag of query.tags) search.append("tag", tag);
  set("status", query.statuses.join(","));
  if (query.sort !== DEFAULT_SORT) set("sort", query.sort);
  set("page", String(page));
  if (query.pageSize !== DEFAULT_PAGE_SIZE) set("pageSize", String(query.pageSize));
  set("facets", query.facets.join(","));
  return `${LIST_PATH}?${search.toString()}`;
}

/** RFC 8288: first, prev, next and last, as far as they exist. */
export function pageLinks(query: ListQuery, totalPages: number, baseUrl: string): string {
  const last = Math.max(totalPages, 1);
  const links: [string, number][] = [["first", 1]];
  if (query.page > 1) links.push(["prev", Math.min(query.page - 1, last)]);
  if (query.page < last) links.push(["next", query.page + 1]);
  links.push(["last", last]);
  return links.map(([rel, page]) => `<${baseUrl}${addressOf(query, page)}>; rel="${rel}"`).join(", ");
}

export function toListRequest(query: ListQuery): ListProductsRequestInput {
  return {
    search: query.search,
    category: query.category,
    subcategory: query.subcategory,
    pricing_tier: query.pricingTier,
    price_min_cents: query.priceMin,
    price_max_cents: query.priceMax,
    tags: [...query.tags],
    statuses: [...query.statuses],
    sort: query.sort,
    page: query.page,
    page_size: query.pageSize,
    facets: [...query.facets],
  };
}
