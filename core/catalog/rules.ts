// What may be seen of a product, what it costs at a moment, and when a write counts as a change. Pure.
import {
  PRODUCT_STATUSES,
  PUBLIC_STATUSES,
  type ProductStatus,
  type PublicStatus,
} from "../../proto/resources/product.ts";
import type { ProductDoc, SaleDoc } from "./store.ts";

export function isPublicStatus(status: string): status is PublicStatus {
  return (PUBLIC_STATUSES as readonly string[]).includes(status);
}

export function isProductStatus(status: string): status is ProductStatus {
  return (PRODUCT_STATUSES as readonly string[]).includes(status);
}

/** The sale that changes the product's price while it runs; there is none of what has no price yet, or cannot be bought yet. */
export function effectiveSale({
  status,
  sale,
  price_regular_cents,
}: Pick<ProductDoc, "status" | "sale" | "price_regular_cents">): SaleDoc | null {
  return status === "coming_soon" || price_regular_cents === null ? null : sale;
}

/** Infinite on a side that is open. */
export function saleWindow(sale: SaleDoc): { startsAtMs: number; endsAtMs: number } {
  return {
    startsAtMs: sale.starts_at?.getTime() ?? Number.NEGATIVE_INFINITY,
    endsAtMs: sale.ends_at?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}

/** 4950 cents are shown as 49.5. */
export function toUsd(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

/** What the public sees of a product, besides its price of the moment and the time of its last change. */
export function shownOf(product: ProductDoc): string {
  const { _id, slug, name, status, tagline, description, price_regular_cents, client_price_cents } = product;
  const { pricing_tier, plus_only, demo_url, cover_image_url, category, subcategory, tags } = product;
  const { rating_average, rating_count, published_at, sale } = product;
  return JSON.stringify([
    [_id, slug, name, status, tagline, description, price_regular_cents, client_price_cents],
    [pricing_tier, plus_only, demo_url, cover_image_url, category, subcategory, tags],
    [rating_average, rating_count, published_at, sale && [sale.price_cents, sale.starts_at, sale.ends_at]],
  ]);
}

/** Everything that a public answer depends on; null for a product that is in none. */
function publicFace(product: ProductDoc | undefined): string | null {
  if (!product || !isPublicStatus(product.status)) return null;
  const { popularity, featured_rank, home_order } = product;
  return JSON.stringify([shownOf(product), popularity, featured_rank, home_order]);
}

export type Edit =
  /** Nothing is different. */
  | { readonly kind: "none" }
  /** Something is, but nothing public: the version stays, so that no answer tells of it. */
  | { readonly kind: "private"; readonly product: ProductDoc }
  | { readonly kind: "public"; readonly product: ProductDoc };

/** What writing `wanted` over `before` comes to; the product has its times and version set. `version` is the next one. */
export function decideEdit(
  before: ProductDoc | undefined,
  wanted: ProductDoc,
  { now, version }: { now: Date; version: number },
): Edit {
  const isPublic = isPublicStatus(wanted.status);
  const product = {
    ...wanted,
    published_at: wanted.published_at ?? (isPublic ? now : null),
    updated_at: before?.updated_at ?? now,
    catalog_version: before?.catalog_version ?? null,
  };
  if (before && sameContent(before, product)) return { kind: "none" };
  // A change that only operators see must not show in the time of a product that others see.
  if (before && (!isPublic || shownOf(before) !== shownOf(product))) product.updated_at = now;
  if (publicFace(before) === publicFace(product)) return { kind: "private", product };
  return { kind: "public", product: { ...product, catalog_version: version } };
}

function sameContent(a: ProductDoc, b: ProductDoc): boolean {
  const rest = ({
    cost_cents,
    supplier_notes,
    download_key,
    popularity,
    featured_rank,
    home_order,
  }: ProductDoc) =>
    JSON.stringify([cost_cents, supplier_notes, download_key, popularity, featured_rank, home_order]);
  return shownOf(a) === shownOf(b) && rest(a) === rest(b);
}
