// Products as the catalog shows them. Core sends them as finished JSON. These schemas describe its shape in the OpenAPI document and check
// it in tests.
import { z } from "zod";
import type { GetProductReply } from "../types/atelier/v1/GetProductReply.ts";
import type { ListProductsReply } from "../types/atelier/v1/ListProductsReply.ts";

export const PUBLIC_STATUSES = ["published", "featured", "coming_soon", "beta"] as const;
export type PublicStatus = (typeof PUBLIC_STATUSES)[number];
export const PRODUCT_STATUSES = ["draft", ...PUBLIC_STATUSES, "archived"] as const;
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

export const CATALOG_SORTS = ["featured", "newest", "alphabetical", "popular", "rating", "home"] as const;
export type CatalogSort = (typeof CATALOG_SORTS)[number];

export const CATALOG_FACETS = ["category", "pricing_tier", "tag", "status"] as const;
export type CatalogFacet = (typeof CATALOG_FACETS)[number];

export const DEFAULT_PAGE_SIZE = 12;
export const MAX_PAGE_SIZE = 50;
export const MAX_SEARCH_CHARACTERS = 200;

/** What a client may search for, on every surface. */
export const searchWords = z.string().max(MAX_SEARCH_CHARACTERS);

/** The most characters of a slug; longer ones name nothing. */
export const MAX_SLUG_CHARACTERS = 100;

export const catalogProductSchema = z
  .object({
    id: z.uuid().describe("Identifier of the product."),
    name: z.string(),
    slug: z.string().describe("Names the product in GET /api/catalog/{slug}."),
    status: z
      .enum(PUBLIC_STATUSES)
      .describe("Public lifecycle status. Being visible does not mean being ready to buy."),
    tagline: z.string().nullable().describe("Short summary."),
    description: z.string().nullable(),
    price_regular: z.number().nullable().describe("Standard licence, in USD."),
    client_price_usd: z.number().nullable().describe("Client licence, in USD."),
    effective_price: z
      .number()
      .nullable()
      .describe(
        "Standard licence at this moment, in USD: the sale price while a sale runs, else price_regular.",
      ),
    pricing_tier: z.string().nullable(),
    plus_only: z.boolean().describe("Whether buying it takes a membership."),
    demo_url: z.string().nullable(),
    cover_image_url: z.string().nullable(),
    category: z.string().nullable().describe("Slug."),
    subcategory: z.string().nullable().describe("Slug."),
    tags: z.array(z.string()).describe("Slugs."),
    rating_average: z.number().nullable().describe("0 to 5; null until someone rates it."),
    rating_count: z.number().int(),
    published_at: z.iso.datetime().nullable(),
    updated_at: z.iso.datetime(),
    url: z.url().describe("The product's page."),
  })
  .meta({ id: "CatalogProduct" });

const facetValueSchema = z
  .object({ value: z.string(), count: z.number().int().min(1) })
  .meta({ id: "CatalogFacetValue" });

export const catalogFacetsSchema = z
  .partialRecord(z.enum(CATALOG_FACETS), z.array(facetValueSchema))
  .describe(
    "For each facet asked for: how many of all matching products have each value, most frequent first.",
  )
  .meta({ id: "CatalogFacets" });

export const catalogPageSchema = z
  .object({
    data: z.array(catalogProductSchema),
    catalogProducts: z.array(catalogProductSchema).describe("Same as data.").meta({ deprecated: true }),
    count: z.number().int().min(0).describe("Same as total.").meta({ deprecated: true }),
    total: z.number().int().min(0).describe("Matching products across all pages."),
    total_pages: z.number().int().min(0),
    page: z.number().int().min(1),
    facets: catalogFacetsSchema.optional(),
    hint: z
      .string()
      .optional()
      .describe("When nothing matches: which parameter left nothing, and what helps."),
  })
  .meta({ id: "CatalogPage" });

export const catalogDetailSchema = z
  .object({
    data: catalogProductSchema,
    catalogProduct: catalogProductSchema.describe("Same as data.").meta({ deprecated: true }),
  })
  .meta({ id: "CatalogDetail" });

const changeFields = {
  epoch: z
    .string()
    .describe(
      "Which history the version belongs to. Another one than before: begin again at 0, with an empty copy.",
    ),
  version: z.number().int().describe("Of the catalog with this change."),
};

/** One line of the change feed. */
export const catalogChangeSchema = z
  .discriminatedUnion("op", [
    z.object({ ...changeFields, op: z.literal("upsert"), product: catalogProductSchema }).meta({
      id: "CatalogUpsert",
      description: "The product is new or has changed: put it in the place of what you have.",
    }),
    z
      .object({ ...changeFields, op: z.literal("remove"), id: z.uuid(), slug: z.string() })
      .meta({ id: "CatalogRemoval", description: "The product is public no more." }),
    z
      .object({ ...changeFields, op: z.literal("checkpoint") })
      .meta({ id: "CatalogCheckpoint", description: "The end: the since and epoch of the next call." }),
  ])
  .meta({ id: "CatalogChange" });

export type CatalogProductResource = z.output<typeof catalogProductSchema>;
export type CatalogPageResource = z.output<typeof catalogPageSchema>;

/** For callers that need the page itself rather than its bytes. */
export function fromCatalogPage({ body }: Pick<ListProductsReply, "body">): CatalogPageResource {
  return JSON.parse(body.toString("utf8")) as CatalogPageResource;
}

export function fromCatalogDetail({ body }: Pick<GetProductReply, "body">): CatalogProductResource {
  return (JSON.parse(body.toString("utf8")) as z.output<typeof catalogDetailSchema>).data;
}
