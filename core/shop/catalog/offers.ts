// Products as something that can be bought: what feeds list.
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import type { ProductOfferInput } from "../../../proto/types/atelier/v1/ProductOffer.ts";
import type { TaxonomyNames } from "./indexed-product.ts";
import { licencesForSale, type OfferedLicence, type PricedSale } from "./offer-rules.ts";
import { jsonAt, productMessage, type ProductJson } from "./product-json.ts";

export type OfferContext = {
  readonly nowMs: number;
  readonly takesPayments: boolean;
  readonly names: TaxonomyNames;
};

/** Undefined for a product that is not for sale to everyone at this moment. */
export function offerOf(product: ProductJson, context: OfferContext): ProductOfferInput | undefined {
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
        starts_at: timeOrOpen(sale.startsAtMs),
        ends_at: timeOrOpen(sale.endsAtMs),
      },
    }),
  };
}

function timeOrOpen(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : "";
}
