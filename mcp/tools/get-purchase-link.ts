// The tool get_purchase_link: the page on which the user buys a product. No tool buys anything.
import { z } from "zod";
import { asCatalogError } from "../../edge/catalog-unavailable.ts";
import { AppError } from "../../proto/codes.ts";
import {
  alreadyOwned,
  kindsThatCover,
  LICENCE_KINDS,
  type LicenceKind,
} from "../../proto/resources/membership.ts";
import {
  type CatalogProductResource,
  catalogProductSchema,
  fromCatalogDetail,
} from "../../proto/resources/product.ts";
import { defineTool, type ToolContext } from "../protocol/tool.ts";
import { inDollars } from "./describe-product.ts";
import { slugSchema } from "./get-product.ts";

/** The part of the product's page about buying. */
const PURCHASE_ANCHOR = "#buy";

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
  async handle({ slug, licence }, context) {
    const { core, call } = context;
    const product = fromCatalogDetail(await core.catalog.GetProduct({ slug }, call).catch(asCatalogError));
    const price = licence === "client" ? product.client_price_usd : product.effective_price;
    if (licence === "client" && price === null) {
      throw new AppError("invalid_request", {
        message: `${product.name} has no client licence.`,
        hint: "Call get_purchase_link again with licence standard.",
        issues: [{ path: "licence", message: "must be standard" }],
      });
    }
    await checkNotOwned(product, licence, context);
    const obstacle = await findObstacle(product, price, context);
    const url = product.url + PURCHASE_ANCHOR;
    return {
      text: [
        `${product.name}, ${licence} licence: ${price === null ? "no price yet" : inDollars(price)}.`,
        obstacle ?? "Only the user can buy it: give them this page, where they confirm.",
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
        price_usd: price,
        purchasable: obstacle === undefined,
      },
    };
  },
});

/** An account has few licences of one product. */
const MAX_LICENCES = 100;

/** Throws already_owned if a licence of the account covers the wanted one. */
async function checkNotOwned(
  { id: product_id, name }: CatalogProductResource,
  wanted: LicenceKind,
  { core, call }: ToolContext,
): Promise<void> {
  const { licences } = await core.memberships.ListLicences({ limit: MAX_LICENCES, product_id }, call);
  const live = licences.filter(({ revoked_at }) => revoked_at === undefined || revoked_at === null);
  const owned = kindsThatCover(wanted).find((kind) => live.some((licence) => licence.kind === kind));
  if (owned) throw alreadyOwned(name, { owned, wanted });
}

/** Says why this member cannot buy the product now; undefined if they can. */
async function findObstacle(
  { status, plus_only }: CatalogProductResource,
  price: number | null,
  { core, call }: ToolContext,
): Promise<string | undefined> {
  if (status === "coming_soon") return "It is not for sale yet; the page will say when it is.";
  if (price === null) return "It has no price yet; the page will say when it can be bought.";
  if (price > 0) {
    const { payments } = await core.orders.DescribeShop({}, call);
    if (payments === "")
      return "It costs money, and this installation takes no payments: it cannot be bought here.";
  }
  if (!plus_only) return undefined;
  const { plus_products } = await core.memberships.GetMembership({}, call);
  return plus_products ? undefined : "It is sold only with a membership of a higher tier than this one.";
}
