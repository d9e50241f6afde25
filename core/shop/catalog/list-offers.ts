// Everything that can be bought, as a stream: only a few products are held at a time, however many there are.
import { invalidField } from "../../../proto/codes.ts";
import type { LicenceKind } from "../../../proto/resources/membership.ts";
import type { CatalogProductResource, PublicStatus } from "../../../proto/resources/product.ts";
import type { ListOffersRequest } from "../../../proto/types/atelier/v1/ListOffersRequest.ts";
import type { OfferBatchInput } from "../../../proto/types/atelier/v1/OfferBatch.ts";
import type { ProductOfferInput } from "../../../proto/types/atelier/v1/ProductOffer.ts";
import type { TaxonomyNames } from "./indexed-product.ts";
import { timeOrNone } from "./list-products.ts";
import type { Catalog } from "./live-catalog.ts";
import { type ProductJson, jsonAt, productMessage, renderProduct } from "./product-json.ts";
import { readPublicProductsBetween } from "./store.ts";

const MAX_SHARDS = 1_000;
/** The most products of one message; they may have long descriptions. */
const BATCH = 50;
/** The number of different first eight digits of ids, by which shards are told apart. */
const HEADS = 2 ** 32;

/** Throws invalid_request and catalog_unavailable. */
export async function* listOffers(
  { app, live, baseUrl, takesPayments }: Catalog,
  { shard, shards }: ListOffersRequest,
): AsyncGenerator<OfferBatchInput> {
  if (shards < 1 || shards > MAX_SHARDS || shard < 1 || shard > shards)
    throw invalidField("shard", `must be from 1 to shards, and shards from 1 to ${MAX_SHARDS}`);
  const { names } = await live.current();
  const head = { revision: live.state().revision, takes_payments: takesPayments };
  const nowMs = app.clock.now().getTime();
  yield { ...head, offers: [] };
  let offers: ProductOfferInput[] = [];
  for await (const product of readPublicProductsBetween(app.mongo.db, rangeOf(shard, shards))) {
    const rendered = renderProduct(product, baseUrl);
    const offer = rendered && offerOf(rendered, { nowMs, takesPayments, names });
    if (!offer) continue;
    offers.push(offer);
    if (offers.length < BATCH) continue;
    yield { ...head, offers };
    offers = [];
  }
  if (offers.length > 0) yield { ...head, offers };
}

/** Ids are uuids: from the first one on, up to but not including the second. */
function rangeOf(shard: number, shards: number): { from: string; to: string } {
  const edge = (number: number) =>
    Math.floor((HEADS * number) / shards)
      .toString(16)
      .padStart(8, "0");
  return { from: edge(shard - 1), to: shard === shards ? "g" : edge(shard) };
}

type OfferContext = {
  readonly nowMs: number;
  readonly takesPayments: boolean;
  readonly names: TaxonomyNames;
};

/** Undefined for a product that is not for sale to everyone at this moment. */
function offerOf(product: ProductJson, context: OfferContext): ProductOfferInput | undefined {
  const json = jsonAt(product, context.nowMs);
  const shown = JSON.parse(json) as CatalogProductResource;
  const licences = licencesForSale(
    {
      status: shown.status,
      isForMembers: shown.plus_only,
      regularCents: toCents(shown.price_regular),
      clientCents: toCents(shown.client_price_usd),
      sale: saleOf(product),
    },
    context,
  );
  if (licences.length === 0) return undefined;
  return {
    product: productMessage(json),
    licences: licences.map(licenceMessage),
    category_name: nameOf(shown.category, context),
    subcategory_name: nameOf(shown.subcategory, context),
  };
}

function toCents(usd: number | null): number | null {
  return usd === null ? null : Math.round(usd * 100);
}

function saleOf({ onSale }: ProductJson): PricedSale | null {
  if (!onSale) return null;
  const { effective_price: usd } = JSON.parse(onSale.json) as CatalogProductResource;
  const { startsAtMs, endsAtMs } = onSale;
  return { cents: toCents(usd) ?? 0, startsAtMs, endsAtMs };
}

function nameOf(slug: string | null, { names }: OfferContext): string {
  return slug === null ? "" : (names.categories.get(slug)?.name ?? slug);
}

function licenceMessage({ licence, cents, listCents, sale }: OfferedLicence) {
  return {
    licence,
    price_cents: cents,
    list_price_cents: listCents,
    ...(sale && {
      sale: {
        price_cents: sale.cents,
        starts_at: timeOrNone(sale.startsAtMs),
        ends_at: timeOrNone(sale.endsAtMs),
      },
    }),
  };
}

type PricedSale = {
  readonly cents: number;
  /** Infinite on an open side. */
  readonly startsAtMs: number;
  readonly endsAtMs: number;
};

/** The fields of a public product that decide. */
export type Priced = {
  readonly status: PublicStatus;
  readonly isForMembers: boolean;
  readonly regularCents: number | null;
  readonly clientCents: number | null;
  readonly sale: PricedSale | null;
};

type OfferedLicence = {
  readonly licence: LicenceKind;
  readonly cents: number;
  readonly listCents: number;
  /** Running or to come. */
  readonly sale: PricedSale | null;
};

/**
 * The licences that can be bought, the standard one first. Feeds are for everyone, so licences that require a membership are left out, and
 * without payments only free ones are included.
 */
export function licencesForSale(
  { status, isForMembers, regularCents, clientCents, sale }: Priced,
  { nowMs, takesPayments }: { nowMs: number; takesPayments: boolean },
): OfferedLicence[] {
  if (status === "coming_soon" || isForMembers) return [];
  const licences: OfferedLicence[] = [];
  if (regularCents !== null) {
    const known = sale && nowMs < sale.endsAtMs ? sale : null;
    const cents = known && known.startsAtMs <= nowMs ? known.cents : regularCents;
    licences.push({ licence: "standard", cents, listCents: regularCents, sale: known });
  }
  if (clientCents !== null)
    licences.push({ licence: "client", cents: clientCents, listCents: clientCents, sale: null });
  return licences.filter(({ cents }) => cents === 0 || takesPayments);
}
