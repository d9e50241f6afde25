// What someone wants to buy, as an item with its current price, and whether they may buy it now.
import { AppError, oneOf } from "../../../proto/codes.ts";
import { LICENCE_KINDS, type LicenceKind } from "../../../proto/resources/membership.ts";
import type { OrderItemResource, OrderKind } from "../../../proto/resources/order.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import type { App } from "../../kernel/app.ts";
import { findProduct } from "../catalog/find-product.ts";
import { isPublicStatus, priceAt } from "../catalog/rules.ts";
import type { ProductDoc } from "../catalog/store.ts";
import { checkLicenceForSale } from "../memberships/bought-licence.ts";
import { findLiveLicence } from "../memberships/licences.ts";
import { checkJoin, findOffer, type NamedOffer } from "../subscriptions/offers.ts";
import { itemOf } from "./fulfil.ts";
import { type Claims, type CodeTerms, keptCents, reducedPrice, type Reduction } from "./price-rules.ts";
import { findOrder, findPack, findPaymentOf, type OrderDoc } from "./store.ts";

export type WantedItem =
  | { kind: "product"; slug: string; licence: string }
  | { kind: "credits"; pack: string }
  | { kind: "plan"; plan: string }
  | { kind: "membership"; tier: string; interval: string };
/** An item at its price, the reductions for this buyer, and what is left to pay, before tax. */
export type Quote = {
  readonly kind: OrderKind;
  readonly item: OrderItemResource;
  readonly claims?: Claims;
  readonly reductions: Reduction[];
  readonly cents: number;
};
type Item = Pick<Quote, "kind" | "item" | "claims">;

/**
 * `code` are the terms of a discount code that the order has. Throws invalid_request, product_not_found, not_for_sale, already_owned,
 * membership_required, order_conflict.
 */
export async function quote(
  app: App,
  account: AccountDoc,
  wanted: WantedItem,
  code?: CodeTerms,
): Promise<Quote> {
  const item = await quoteItem(app, account, wanted);
  const quoted = { ...item, ...reducedPrice(item.item.amount_cents, { ...item.claims, code }) };
  if (quoted.cents > 0 && !app.payments.current) {
    throw new AppError("not_for_sale", {
      message: "This installation takes no payments, so only free items can be ordered.",
      hint: "Free items can still be ordered.",
    });
  }
  return quoted;
}

async function quoteItem(app: App, account: AccountDoc, wanted: WantedItem): Promise<Item> {
  const { kind } = wanted;
  if (kind === "product") return quoteProduct(app, account, wanted);
  if (kind === "credits") return { kind, item: await quotePack(app, wanted.pack) };
  await checkJoin(app, { accountId: account._id, kind });
  const offer = await findOffer(
    app,
    kind === "plan" ? { kind, what: wanted.plan, interval: "month" } : { ...wanted, what: wanted.tier },
  );
  return { kind, item: subscriptionItem(kind, offer, { name: offer.name, cents: offer.price_cents }) };
}

/** A subscription, as an item. */
export function subscriptionItem(
  kind: "plan" | "membership",
  { what, interval }: Pick<NamedOffer, "what" | "interval">,
  { name, cents }: { name: string; cents: number },
): OrderItemResource {
  return {
    ...NOTHING,
    name,
    amount_cents: cents,
    ...(kind === "plan" ? { plan: what } : { tier: what }),
    interval,
  };
}

const NOTHING = {
  product_id: null,
  product_slug: null,
  licence: null,
  pack: null,
  credits: null,
  plan: null,
  tier: null,
  interval: null,
} as const;

/** The same again for the item of an order. */
export function wantedOf(order: OrderDoc): WantedItem {
  const { product_slug, licence, pack, plan, tier, interval } = itemOf(order);
  if (order.kind === "credits") return { kind: "credits", pack: pack ?? "" };
  if (order.kind === "plan") return { kind: "plan", plan: plan ?? "" };
  if (order.kind === "membership") return { kind: "membership", tier: tier ?? "", interval: interval ?? "" };
  return { kind: "product", slug: product_slug ?? "", licence: licence ?? "" };
}

async function quoteProduct(
  app: App,
  account: AccountDoc,
  { slug, licence }: { slug: string; licence: string },
): Promise<Item> {
  const kind = oneOf("licence", LICENCE_KINDS, licence);
  const product = await findProduct(app, slug);
  if (!product || !isPublicStatus(product.status)) throw new AppError("product_not_found");
  const cents = listPrice(product, kind, app.clock.now());
  if (product.status === "coming_soon" || cents === null)
    throw new AppError("not_for_sale", { message: `${product.name} ${whyNot(product.status, kind)}` });
  const { memberPercent } = await checkLicenceForSale(app, { account, product, kind }, app.clock.now());
  const upgrade = await findUpgrade(app, account._id, product._id);
  return {
    kind: "product",
    claims: { memberPercent, ...(upgrade && { upgrade }) },
    item: {
      ...NOTHING,
      name: `${product.name}, ${kind} licence`,
      amount_cents: cents,
      product_id: product._id,
      product_slug: product.slug,
      licence: kind,
    },
  };
}

export type LicenceQuote = {
  readonly licence: LicenceKind;
  readonly listCents: number;
  readonly cents: number;
  readonly reductions: readonly Reduction[];
  /** Why it cannot be ordered; undefined if it can. */
  readonly refusal: AppError | undefined;
};

/** Each licence for which the product has a price, at this buyer's price. Throws product_not_found. */
export async function quoteLicences(app: App, account: AccountDoc, slug: string): Promise<LicenceQuote[]> {
  const product = await findProduct(app, slug);
  if (!product || !isPublicStatus(product.status)) throw new AppError("product_not_found");
  const quotes: LicenceQuote[] = [];
  for (const licence of LICENCE_KINDS) {
    const listCents = listPrice(product, licence, app.clock.now());
    if (listCents === null) continue;
    const refused = { licence, listCents, cents: listCents, reductions: [] };
    quotes.push(
      await quote(app, account, { kind: "product", slug, licence }).then(
        ({ cents, reductions }) => ({ licence, listCents, cents, reductions, refusal: undefined }),
        (error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          return { ...refused, refusal: error };
        },
      ),
    );
  }
  return quotes;
}

function listPrice(product: ProductDoc, licence: LicenceKind, at: Date): number | null {
  return licence === "client" ? product.client_price_cents : priceAt(product, at);
}

/** The price paid for the account's lesser licence. A gifted licence reduces nothing. */
async function findUpgrade(app: App, accountId: string, productId: string): Promise<Claims["upgrade"]> {
  const orderId = (await findLiveLicence(app, accountId, productId))?.order_id;
  const order = orderId ? await findOrder(app.mongo.db, orderId) : null;
  if (order?.state !== "fulfilled") return undefined;
  const payment = await findPaymentOf(app.mongo.db, order);
  return { orderId: order._id, paidCents: keptCents(order, payment?.refunded_cents) };
}

function whyNot(status: string, kind: LicenceKind): string {
  if (status === "coming_soon") return "is not for sale yet.";
  return kind === "client" ? "has no client licence." : "has no price yet.";
}

async function quotePack(app: App, id: string): Promise<OrderItemResource> {
  const pack = await findPack(app.mongo.db, id);
  if (!pack?.active)
    throw new AppError("not_for_sale", {
      message: "There is no such credit pack, or not any more.",
      hint: "Choose one of those that are shown.",
    });
  return {
    ...NOTHING,
    name: `${pack.credits.toLocaleString("en-US")} credits`,
    amount_cents: pack.price_cents,
    pack: pack._id,
    credits: pack.credits,
  };
}
