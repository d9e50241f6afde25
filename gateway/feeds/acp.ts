// The product feed of the Agentic Commerce Protocol (2026-04-17): products.jsonl with a product on each line, and metadata.json.
import { z } from "zod";
import {
  CURRENCY,
  descriptionOf,
  GOOGLE_CATEGORY,
  imageOf,
  licenceName,
  productOf,
  shelfOf,
  VARIANT_OPTION,
  variantIdOf,
} from "../../proto/resources/offer.ts";
import type { OfferedLicence } from "../../proto/types/atelier/v1/OfferedLicence.ts";
import type { ProductOffer } from "../../proto/types/atelier/v1/ProductOffer.ts";
import { type Feed, SELLER } from "./feed.ts";

const priceSchema = z
  .object({ amount: z.number().int().min(0).describe("In cents."), currency: z.literal(CURRENCY) })
  .meta({ id: "AcpPrice" });
const linkSchema = z.object({ type: z.string(), url: z.url() }).meta({ id: "AcpLink" });
const sellerSchema = z.object({ name: z.string(), links: z.array(linkSchema) }).meta({ id: "AcpSeller" });
const categorySchema = z.object({ value: z.string(), taxonomy: z.string() }).meta({ id: "AcpCategory" });
const optionSchema = z.object({ name: z.string(), value: z.string() }).meta({ id: "AcpOption" });
const mediaSchema = z
  .object({ type: z.literal("image"), url: z.url(), alt_text: z.string() })
  .meta({ id: "AcpMedia" });
const availabilitySchema = z
  .object({ available: z.literal(true), status: z.literal("in_stock") })
  .meta({ id: "AcpAvailability" });

const variantSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    url: z.url(),
    price: priceSchema.describe("At this moment."),
    list_price: priceSchema.optional().describe("Without the sale that is on."),
    availability: availabilitySchema,
    categories: z.array(categorySchema),
    condition: z.array(z.literal("new")),
    variant_options: z.array(optionSchema),
    seller: sellerSchema,
  })
  .meta({ id: "AcpVariant" });

/** Descriptions of the protocol's fields. */
export const acpProductSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.object({ plain: z.string() }).meta({ id: "AcpDescription" }),
    url: z.url().describe("The product's page, where it is bought."),
    media: z.array(mediaSchema),
    variants: z.array(variantSchema).min(1).describe("One for each licence that can be bought."),
  })
  .meta({ id: "AcpProduct" });
export type AcpProduct = z.output<typeof acpProductSchema>;

export const acpMetadataSchema = z
  .object({
    id: z.string().describe("The address of the shop. An agent that hosts the feed has an id of its own."),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "AcpFeedMetadata" });

export function acpProducts(baseUrl: string): Feed {
  return {
    contentType: "application/x-ndjson",
    head: "",
    part: (offer) => `${JSON.stringify(acpProduct(offer, baseUrl))}\n`,
    tail: "",
  };
}

function acpProduct(offer: ProductOffer, baseUrl: string): AcpProduct {
  const product = productOf(offer);
  const { id, name, url } = product;
  return {
    id,
    title: name,
    description: { plain: descriptionOf(product) },
    url,
    media: [{ type: "image", url: imageOf(product, baseUrl), alt_text: `Cover of ${name}` }],
    variants: offer.licences.map((licence) => variantOf(offer, licence, baseUrl)),
  };
}

function variantOf(
  offer: ProductOffer,
  { licence, price_cents: now, list_price_cents: list }: OfferedLicence,
  baseUrl: string,
): AcpProduct["variants"][number] {
  const { id, name, url } = productOf(offer);
  const shelf = shelfOf(offer);
  return {
    id: variantIdOf(id, licence),
    title: `${name}, ${licence} licence`,
    url,
    price: { amount: now, currency: CURRENCY },
    ...(now < list && { list_price: { amount: list, currency: CURRENCY } }),
    availability: { available: true, status: "in_stock" },
    categories: [
      ...(shelf === "" ? [] : [{ value: shelf, taxonomy: "merchant" }]),
      { value: GOOGLE_CATEGORY, taxonomy: "google_product_category" },
    ],
    condition: ["new"],
    variant_options: [{ name: VARIANT_OPTION, value: licenceName(licence) }],
    seller: {
      name: SELLER,
      links: [
        { type: "terms_of_service", url: `${baseUrl}/terms` },
        { type: "privacy_policy", url: `${baseUrl}/privacy` },
        { type: "faq", url: `${baseUrl}/help` },
      ],
    },
  };
}
