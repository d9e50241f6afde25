// The tool get_purchase_link: the page on which the user buys a product. No tool buys anything.
import { z } from "zod";
import { asCatalogError } from "../../edge/catalog-unavailable.ts";
import { AppError } from "../../proto/codes.ts";
import { LICENCE_KINDS } from "../../proto/resources/membership.ts";
import { catalogProductSchema, fromCatalogDetail } from "../../proto/resources/product.ts";
import type { LicenceQuote } from "../../proto/types/atelier/v1/LicenceQuote.ts";
import { dollars } from "../../runtime/money.ts";
import { defineTool } from "../protocol/tool.ts";
import { slugSchema } from "./get-product.ts";

/** The part of the product's page about buying. */
const PURCHASE_ANCHOR = "#buy";
const UNPRICED = "It is not for sale yet; the page will say when it is.";
const CONFIRM = "Only the user can buy it: give them this page, where they confirm.";
const CENTS = 100;

export const getPurchaseLink = defineTool({
  name: "get_purchase_link",
  title: "Get the page to buy a product on",
  endpoints: ["member"],
  description: [
    "Gives the page on which the user can buy a product, and the price. It buys nothing and costs nothing: the user confirms on the website.",
    "Afterwards list_licences shows the licence.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    slug: slugSchema,
    licence: z.enum(LICENCE_KINDS).default("standard").describe("client: for work for a client."),
  }),
  output: catalogProductSchema.pick({ slug: true, name: true, url: true }).extend({
    licence: z.enum(LICENCE_KINDS),
    price_usd: z.number().nullable(),
    purchasable: z.boolean().describe("False: the page shows the product, but it cannot be bought now."),
  }),
  async handle({ slug, licence }, { core, call }) {
    const product = fromCatalogDetail(await core.catalog.GetProduct({ slug }, call).catch(asCatalogError));
    const { quotes } = await core.orders.QuoteProduct({ product_slug: slug }, call);
    const quote = quotes.find((each) => each.licence === licence);
    if (licence === "client" && !quote) {
      throw new AppError("invalid_request", {
        message: `${product.name} has no client licence.`,
        hint: "Call get_purchase_link again with licence standard.",
        issues: [{ path: "licence", message: "must be standard" }],
      });
    }
    if (quote?.refusal === "already_owned") throw new AppError("already_owned", { message: quote.why });
    const url = product.url + PURCHASE_ANCHOR;
    return {
      text: [
        `${product.name}, ${licence} licence: ${quote ? priceWords(quote) : "no price yet"}.`,
        quote ? quote.why || CONFIRM : UNPRICED,
        `Page: ${url}`,
      ].join("\n"),
      more: [
        { type: "resource_link", uri: url, name: slug, title: `Buy ${product.name}`, mimeType: "text/html" },
      ],
      structured: {
        url,
        slug: product.slug,
        name: product.name,
        licence,
        price_usd: quote ? quote.cents / CENTS : null,
        purchasable: quote?.refusal === "",
      },
    };
  },
});

/** The price for this member, next to the price for everyone. */
function priceWords({ cents, list_cents: list }: LicenceQuote): string {
  return cents < list ? `${dollars(cents)} for this member, instead of ${dollars(list)}` : dollars(cents);
}
