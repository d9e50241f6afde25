// The tool search_catalog: the same as GET /api/catalog, in smaller pages.
import { z } from "zod";
import { asCatalogError } from "../../edge/catalog-unavailable.ts";
import {
  CATALOG_FACETS,
  CATALOG_SORTS,
  type CatalogPageResource,
  catalogPageSchema,
  catalogProductSchema,
  fromCatalogPage,
  PRODUCT_STATUSES,
  PUBLIC_STATUSES,
  searchWords,
} from "../../proto/resources/product.ts";
import { defineTool, type ToolEndpoint } from "../protocol/tool.ts";
import { describeFacets, describeListedProduct } from "./describe-product.ts";

/** A model reads every product of a page. */
const MAX_PAGE_SIZE = 20;
const DEFAULT_PAGE_SIZE = 8;

/** For endpoints that also have get_purchase_link. */
export const searchCatalog = defineSearchCatalog("get_purchase_link", "member");

/** For callers without an account to buy for. */
export const searchCatalogForAnyone = defineSearchCatalog("its url, where the user can buy it", "catalog");

function defineSearchCatalog(next: string, endpoint: ToolEndpoint) {
  return defineTool({
    name: "search_catalog",
    title: "Search the product catalog",
    endpoints: [endpoint],
    description: [
      "Finds products by words, category, tags, price in USD or status; without arguments, the featured ones.",
      "Facets show what can be filtered by.",
      `Costs nothing. Next: get_product, or ${next}.`,
    ].join(" "),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: z.strictObject({
      search: searchWords.optional().describe("Words that must all match."),
      category: z.string().optional().describe("Slug."),
      subcategory: z.string().optional().describe("Slug."),
      pricing_tier: z.string().optional(),
      price_min: z.number().optional(),
      price_max: z.number().optional(),
      tag: z.array(z.string()).optional().describe("Slugs; a product has all of them."),
      // Tags without products match nothing, as over REST. The model is not told about them.
      status: z
        .array(z.enum(PRODUCT_STATUSES).meta({ enum: [...PUBLIC_STATUSES] }))
        .optional()
        .describe("Any of these."),
      sort: z.enum(CATALOG_SORTS).default("featured"),
      page: z.number().int().min(1).default(1),
      page_size: z.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
      facets: z.array(z.enum(CATALOG_FACETS)).optional().describe("Count the matches by these."),
    }),
    output: catalogPageSchema.omit({ data: true, catalogProducts: true, count: true }).extend({
      products: z.array(
        catalogProductSchema.pick({
          slug: true,
          name: true,
          status: true,
          effective_price: true,
          plus_only: true,
          url: true,
        }),
      ),
    }),
    async handle(
      { search = "", category = "", subcategory = "", pricing_tier = "", tag = [], status = [], ...rest },
      { core, call },
    ) {
      const { sort, page, page_size, facets = [], price_min, price_max } = rest;
      const prices = {
        ...(price_min !== undefined && { price_min_cents: toCents(price_min) }),
        ...(price_max !== undefined && { price_max_cents: toCents(price_max) }),
      };
      const filters = { search, category, subcategory, pricing_tier, tags: tag, statuses: status };
      const reply = await core.catalog
        .ListProducts({ ...filters, ...prices, sort, page, page_size, facets }, call)
        .catch(asCatalogError);
      const found = fromCatalogPage(reply);
      return { text: describePage(found), structured: { ...found, products: found.data } };
    },
  });
}

/** Core refuses negative ones; no product costs a million. */
function toCents(usd: number): number {
  return Math.round(Math.min(Math.max(usd, -1), 1_000_000) * 100);
}

function describePage({
  data: products,
  total,
  total_pages,
  page,
  facets,
  hint,
}: CatalogPageResource): string {
  const head =
    products.length > 0
      ? `${total} ${total === 1 ? "product matches" : "products match"}. Page ${page} of ${total_pages}:`
      : total > 0
        ? `Page ${page} is past the end: ${total_pages} ${total_pages === 1 ? "page has" : "pages have"} all ${total}.`
        : "No product matches.";
  return [
    head,
    ...products.map(describeListedProduct),
    ...(facets ? describeFacets(facets) : []),
    ...(hint === undefined ? [] : [hint]),
    ...(page < total_pages ? [`More: call search_catalog again with page ${page + 1}.`] : []),
  ].join("\n");
}
