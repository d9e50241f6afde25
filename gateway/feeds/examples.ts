// Feed examples of a product for the OpenAPI document, made by the feeds' own code.
import type { z } from "zod";
import { toMessage } from "../../proto/codec.ts";
import { catalogProductSchema } from "../../proto/resources/product.ts";
import type { Product } from "../../proto/types/atelier/v1/Product.ts";
import type { ProductOffer } from "../../proto/types/atelier/v1/ProductOffer.ts";
import { PRODUCT } from "../catalog/examples.ts";
import { type acpMetadataSchema, acpProducts } from "./acp.ts";
import type { Feed } from "./feed.ts";
import { googleText, googleXml } from "./google.ts";

const BASE_URL = "https://example.com";

const OFFER: ProductOffer = {
  product: toMessage(catalogProductSchema, PRODUCT) as Product,
  licences: [
    {
      licence: "standard",
      price_cents: 3_950,
      list_price_cents: 4_900,
      sale: {
        price_cents: 3_950,
        starts_at: "2026-01-20T09:00:00.000Z",
        ends_at: "2026-02-03T09:00:00.000Z",
      },
    },
    { licence: "client", price_cents: 14_900, list_price_cents: 14_900 },
  ],
  category_name: "Icons",
  subcategory_name: "Line icons",
};

export const GOOGLE_XML = withOffer(googleXml(BASE_URL));
export const GOOGLE_TEXT = withOffer(googleText(BASE_URL));
export const ACP_PRODUCT: unknown = JSON.parse(withOffer(acpProducts(BASE_URL)));
export const ACP_METADATA: z.output<typeof acpMetadataSchema> = {
  id: "example.com",
  updated_at: "2026-01-30T15:20:00.000Z",
};

function withOffer({ head, part, tail }: Feed): string {
  return head + part(OFFER) + tail;
}
