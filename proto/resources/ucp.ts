// The catalog as the Universal Commerce Protocol has it: its requests as far as we heed them, its answers as far as we have something to say,
// and a product in its terms. Both surfaces of the protocol, REST and tools, speak these.
import { z } from "zod";
import type { ProductOffer } from "../types/atelier/v1/ProductOffer.ts";
import type { OfferedLicence } from "../types/atelier/v1/OfferedLicence.ts";
import { currentTerms } from "./licence-terms.ts";
import { LICENCE_KINDS } from "./membership.ts";
import {
  CURRENCY,
  descriptionOf,
  GOOGLE_CATEGORY,
  imageOf,
  licenceName,
  productOf,
  VARIANT_OPTION,
  variantIdOf,
} from "./offer.ts";
import { MAX_PAGE_SIZE, MAX_SEARCH_CHARACTERS, searchWords } from "./product.ts";

export const UCP_VERSION = "2026-08-25";
export const UCP_CAPABILITIES = {
  search: "dev.ucp.shopping.catalog.search",
  lookup: "dev.ucp.shopping.catalog.lookup",
} as const;

const DEFAULT_LIMIT = 10;
const MAX_IDS = 50;
const MAX_CATEGORIES = 50;
const MAX_ID = 200;

const cents = z.number().int().min(0);
const priceFilterSchema = z
  .object({ min: cents.optional(), max: cents.optional() })
  .meta({ id: "UcpPriceFilter" });
const filtersSchema = z
  .object({
    categories: z
      .array(z.string())
      .max(MAX_CATEGORIES)
      .optional()
      .describe("Values of categories as products show them; any may match."),
    price: priceFilterSchema
      .optional()
      .describe("In cents of USD. In another context.currency it is not heeded, and a message says so."),
  })
  .meta({ id: "UcpFilters" });
const contextSchema = z
  .object({ currency: z.string().optional() })
  .meta({ id: "UcpContext", description: "Of the rest nothing changes an answer." });
const idSchema = z.string().min(1).max(MAX_ID);

const pageSchema = z
  .object({
    cursor: z.string().max(MAX_ID).optional(),
    limit: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe(`${DEFAULT_LIMIT} when left out; more than ${MAX_PAGE_SIZE} is taken for ${MAX_PAGE_SIZE}.`),
  })
  .meta({ id: "UcpPageRequest" });

export const ucpSearchSchema = z
  .object({
    query: searchWords
      .optional()
      .meta({ description: "Words that all must match.", maxLength: MAX_SEARCH_CHARACTERS }),
    filters: filtersSchema.optional(),
    context: contextSchema.optional(),
    pagination: pageSchema.optional(),
  })
  .meta({ id: "UcpSearch" });
export type UcpSearch = z.output<typeof ucpSearchSchema>;

export const ucpLookupSchema = z
  .object({
    ids: z.array(idSchema).min(1).max(MAX_IDS).describe("Ids or handles of products, or ids of variants."),
    filters: filtersSchema.optional(),
    context: contextSchema.optional(),
  })
  .meta({ id: "UcpLookup" });
export type UcpLookup = z.output<typeof ucpLookupSchema>;

const wishSchema = z.object({ name: z.string(), label: z.string() }).meta({ id: "UcpWantedOption" });

export const ucpGetProductSchema = z
  .object({
    id: idSchema.describe("Id or handle of a product, or id of a variant."),
    selected: z.array(wishSchema).max(MAX_CATEGORIES).optional(),
    filters: filtersSchema.optional(),
    context: contextSchema.optional(),
  })
  .meta({ id: "UcpGetProduct" });
export type UcpGetProduct = z.output<typeof ucpGetProductSchema>;

const priceSchema = z
  .object({ amount: cents.describe("In cents."), currency: z.literal(CURRENCY) })
  .meta({ id: "UcpPrice" });
const rangeSchema = z.object({ min: priceSchema, max: priceSchema }).meta({ id: "UcpPriceRange" });
const plainSchema = z.object({ plain: z.string() }).meta({ id: "UcpDescription" });
const selectionSchema = z.object({ name: z.string(), label: z.string() }).meta({ id: "UcpSelection" });
const optionValueSchema = z
  .object({ label: z.string(), available: z.boolean().optional(), exists: z.boolean().optional() })
  .meta({ id: "UcpOptionValue" });
const optionSchema = z
  .object({ name: z.string(), values: z.array(optionValueSchema) })
  .meta({ id: "UcpOption" });
const availabilitySchema = z
  .object({ available: z.boolean(), status: z.string() })
  .meta({ id: "UcpAvailability" });
const inputSchema = z.object({ id: z.string(), match: z.string() }).meta({ id: "UcpInput" });
const categorySchema = z.object({ value: z.string(), taxonomy: z.string() }).meta({ id: "UcpCategory" });
const mediaSchema = z
  .object({ type: z.string(), url: z.url(), alt_text: z.string() })
  .meta({ id: "UcpMedia" });
const ratingSchema = z
  .object({ value: z.number(), scale_min: z.number(), scale_max: z.number(), count: z.number().int() })
  .meta({ id: "UcpRating" });

const variantSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: plainSchema,
    url: z.url().describe("Where the person buys it."),
    price: priceSchema.describe("At this moment."),
    list_price: priceSchema.optional().describe("Without the sale that is on."),
    availability: availabilitySchema,
    options: z.array(selectionSchema),
    inputs: z
      .array(inputSchema)
      .optional()
      .describe("In answers to a lookup: which ids of the request led here."),
  })
  .meta({ id: "UcpVariant" });
export type UcpVariant = z.output<typeof variantSchema>;

export const ucpProductSchema = z
  .object({
    id: z.string(),
    handle: z.string(),
    title: z.string(),
    description: plainSchema,
    url: z.url(),
    categories: z.array(categorySchema),
    price_range: rangeSchema,
    list_price_range: rangeSchema.optional(),
    media: z.array(mediaSchema),
    options: z.array(optionSchema),
    selected: z.array(selectionSchema).optional(),
    variants: z.array(variantSchema),
    rating: ratingSchema.optional(),
    tags: z.array(z.string()),
  })
  .meta({ id: "UcpProduct" });
export type UcpProduct = z.output<typeof ucpProductSchema>;

const capabilitySchema = z.object({ version: z.string() }).meta({ id: "UcpCapability" });
const envelopeSchema = z
  .object({
    version: z.string(),
    status: z.string().describe("success or error."),
    capabilities: z.record(z.string(), z.array(capabilitySchema)),
  })
  .meta({ id: "UcpEnvelope" });
const messageSchema = z
  .object({
    type: z.string(),
    code: z.string(),
    content: z.string(),
    severity: z.string().optional(),
  })
  .meta({ id: "UcpMessage" });
export type UcpMessage = z.output<typeof messageSchema>;

const answer = { ucp: envelopeSchema, messages: z.array(messageSchema).optional() };
export const ucpFoundSchema = z
  .object({
    ...answer,
    products: z.array(ucpProductSchema),
    pagination: z
      .object({ has_next_page: z.boolean(), cursor: z.string().optional() })
      .meta({ id: "UcpPage" }),
  })
  .meta({ id: "UcpFound" });
export const ucpLookedUpSchema = z
  .object({ ...answer, products: z.array(ucpProductSchema) })
  .meta({ id: "UcpLookedUp" });
export const ucpDetailSchema = z
  .object({
    ...answer,
    product: ucpProductSchema.optional().describe("Absent where the status is error."),
    continue_url: z.url().optional(),
  })
  .meta({ id: "UcpDetail" });

export function ucpEnvelope(
  capability: keyof typeof UCP_CAPABILITIES,
  status: "success" | "error" = "success",
): z.output<typeof envelopeSchema> {
  return {
    version: UCP_VERSION,
    status,
    capabilities: { [UCP_CAPABILITIES[capability]]: [{ version: UCP_VERSION }] },
  };
}

export function pageLimitOf({ pagination }: UcpSearch): number {
  return Math.min(pagination?.limit ?? DEFAULT_LIMIT, MAX_PAGE_SIZE);
}

/** The product with those of its licences that are wanted, the featured one first; there is at least one. */
export function ucpProduct(
  offer: ProductOffer,
  licences: readonly OfferedLicence[],
  baseUrl: string,
): UcpProduct {
  const product = productOf(offer);
  const { id, slug, name, url, category, subcategory, rating_average: average, rating_count } = product;
  const shelves = [category, subcategory].filter((shelf) => shelf !== undefined);
  const isOnSale = licences.some(isReduced);
  return {
    id,
    handle: slug,
    title: name,
    description: { plain: descriptionOf(product) },
    url,
    categories: [
      ...shelves.map((value) => ({ value, taxonomy: "merchant" })),
      { value: GOOGLE_CATEGORY, taxonomy: "google_product_category" },
    ],
    price_range: rangeOf(licences.map(({ price_cents }) => price_cents)),
    ...(isOnSale && { list_price_range: rangeOf(licences.map(({ list_price_cents }) => list_price_cents)) }),
    media: [{ type: "image", url: imageOf(product, baseUrl), alt_text: `Cover of ${name}` }],
    options: [
      {
        name: VARIANT_OPTION,
        values: offer.licences.map(({ licence }) => ({ label: licenceName(licence) })),
      },
    ],
    variants: licences.map((licence) => variantOf(id, url, licence)),
    ...(average !== undefined && {
      rating: { value: average, scale_min: 0, scale_max: 5, count: rating_count },
    }),
    tags: product.tags,
  };
}

function variantOf(productId: string, url: string, licence: OfferedLicence): UcpVariant {
  const { licence: name, price_cents: now, list_price_cents: list } = licence;
  const kind = LICENCE_KINDS.find((known) => known === name) ?? "standard";
  return {
    id: variantIdOf(productId, name),
    title: `${licenceName(name)} licence`,
    description: { plain: currentTerms(kind).summary },
    url,
    price: priceOf(now),
    ...(isReduced(licence) && { list_price: priceOf(list) }),
    availability: { available: true, status: "in_stock" },
    options: [{ name: VARIANT_OPTION, label: licenceName(name) }],
  };
}

function isReduced({ price_cents: now, list_price_cents: list }: OfferedLicence): boolean {
  return now < list;
}

function priceOf(amount: number): z.output<typeof priceSchema> {
  return { amount, currency: CURRENCY };
}

function rangeOf(amounts: readonly number[]): z.output<typeof rangeSchema> {
  return { min: priceOf(Math.min(...amounts)), max: priceOf(Math.max(...amounts)) };
}
