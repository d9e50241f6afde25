// The tool get_product: the same as GET /api/catalog/{slug}.
import { z } from "zod";
import { asCatalogError } from "../../edge/catalog-unavailable.ts";
import {
  catalogProductSchema,
  fromCatalogDetail,
  MAX_SLUG_CHARACTERS,
} from "../../proto/resources/product.ts";
import { defineTool, type ToolEndpoint } from "../protocol/tool.ts";
import { describeProduct } from "./describe-product.ts";

export const slugSchema = z.string().min(1).max(MAX_SLUG_CHARACTERS).describe("From search_catalog.");

export const getProduct = defineGetProduct("get_purchase_link when the user wants to buy it", "member");

/** For callers without an account to buy for. */
export const getProductForAnyone = defineGetProduct(
  "give the user its url when they want to buy it",
  "catalog",
);

function defineGetProduct(next: string, endpoint: ToolEndpoint) {
  return defineTool({
    name: "get_product",
    title: "Show one product",
    endpoints: [endpoint],
    description: [
      "Shows one product: description, prices, tags, rating, demo and page.",
      "Use it before recommending it or answering questions about it. Costs nothing.",
      `Next: ${next}.`,
    ].join(" "),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: z.strictObject({ slug: slugSchema }),
    // The text contains the rest, such as the rating and the demo.
    output: catalogProductSchema.pick({
      slug: true,
      name: true,
      status: true,
      tagline: true,
      description: true,
      price_regular: true,
      client_price_usd: true,
      effective_price: true,
      plus_only: true,
      category: true,
      tags: true,
      url: true,
    }),
    async handle({ slug }, { core, call }) {
      const product = fromCatalogDetail(await core.catalog.GetProduct({ slug }, call).catch(asCatalogError));
      return { text: describeProduct(product), structured: product };
    },
  });
}
