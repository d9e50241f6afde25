// A product as the public sees it, as finished JSON in a fixed order of fields. A product with a sale has two forms; the time decides
// between them.
import { toMessage } from "../../../proto/codec.ts";
import { type CatalogProductResource, catalogProductSchema } from "../../../proto/resources/product.ts";
import type { ProductInput } from "../../../proto/types/atelier/v1/Product.ts";
import { effectiveSale, isPublicStatus, saleWindow, toUsd } from "./rules.ts";
import type { ProductDoc } from "./store.ts";

export type ProductJson = {
  /** The version of the product that this JSON shows. */
  readonly version: number;
  readonly regular: string;
  /** The form during the sale. */
  readonly onSale: { readonly json: string; readonly startsAtMs: number; readonly endsAtMs: number } | null;
};

/** Undefined for a product that is not public. */
export function renderProduct(product: ProductDoc, baseUrl: string): ProductJson | undefined {
  const { status, price_regular_cents, catalog_version } = product;
  const sale = effectiveSale(product);
  if (!isPublicStatus(status)) return undefined;
  const render = (cents: number | null) => JSON.stringify(toResource(product, status, toUsd(cents), baseUrl));
  return {
    version: catalog_version ?? 0,
    regular: render(price_regular_cents),
    onSale: sale && { json: render(sale.price_cents), ...saleWindow(sale) },
  };
}

/** The form at this moment. */
export function jsonAt({ regular, onSale }: ProductJson, nowMs: number): string {
  return onSale && onSale.startsAtMs <= nowMs && nowMs < onSale.endsAtMs ? onSale.json : regular;
}

/** When the form changes next; Infinity for never. */
export function changesAtMs({ onSale }: ProductJson, nowMs: number): number {
  if (!onSale) return Number.POSITIVE_INFINITY;
  if (nowMs < onSale.startsAtMs) return onSale.startsAtMs;
  return nowMs < onSale.endsAtMs ? onSale.endsAtMs : Number.POSITIVE_INFINITY;
}

/** Everything but the version, as one text. */
export function toText({ regular, onSale }: ProductJson): string {
  return onSale ? [regular, onSale.startsAtMs, onSale.endsAtMs, onSale.json].join("\n") : regular;
}

/** JSON text has no line breaks. */
export function fromText(text: string, version: number): ProductJson {
  const [regular = "", startsAt, endsAt, json] = text.split("\n");
  if (json === undefined) return { version, regular, onSale: null };
  return { version, regular, onSale: { json, startsAtMs: Number(startsAt), endsAtMs: Number(endsAt) } };
}

function toResource(
  product: ProductDoc,
  status: CatalogProductResource["status"],
  effectivePrice: number | null,
  baseUrl: string,
): CatalogProductResource {
  return {
    id: product._id,
    name: product.name,
    slug: product.slug,
    status,
    tagline: product.tagline,
    description: product.description,
    price_regular: toUsd(product.price_regular_cents),
    client_price_usd: toUsd(product.client_price_cents),
    effective_price: effectivePrice,
    pricing_tier: product.pricing_tier,
    plus_only: product.plus_only,
    demo_url: absolute(product.demo_url, baseUrl),
    cover_image_url: absolute(product.cover_image_url, baseUrl),
    category: product.category,
    subcategory: product.subcategory,
    tags: product.tags,
    rating_average: product.rating_average,
    rating_count: product.rating_count,
    published_at: product.published_at?.toISOString() ?? null,
    updated_at: product.updated_at.toISOString(),
    url: `${baseUrl}/products/${product.slug}`,
  };
}

/** A path belongs to the public site. */
function absolute(url: string | null, baseUrl: string): string | null {
  return url?.startsWith("/") ? baseUrl + url : url;
}

/** The message with the same content as the JSON. */
export function productMessage(json: string): ProductInput {
  return toMessage(catalogProductSchema, JSON.parse(json) as CatalogProductResource);
}
