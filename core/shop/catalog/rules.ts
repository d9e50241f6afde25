// The public fields of a product, its price at a moment, and which writes count as a change. This file is pure.
import { isDeepStrictEqual } from "node:util";
import {
  PRODUCT_STATUSES,
  PUBLIC_STATUSES,
  type ProductStatus,
  type PublicStatus,
} from "../../../proto/resources/product.ts";
import type { ProductDoc, SaleDoc } from "./store.ts";

/** Fields that no edit sets directly, because they follow from it. */
export const SET_BY_EDIT = ["created_at", "updated_at", "catalog_version"] as const;
/** Only operators see them. */
const PRIVATE = ["cost_cents", "supplier_notes", "download_key"] as const;
/** Positions in lists: public answers change with them, but neither the product's page nor the time of its last change. */
const ORDER = ["popularity", "featured_rank", "home_order"] as const;

export function isPublicStatus(status: string): status is PublicStatus {
  return (PUBLIC_STATUSES as readonly string[]).includes(status);
}

/** Whether the product is public and has a price, so that it can be bought now. */
export function isOnSale({
  status,
  price_regular_cents: cents,
}: Pick<ProductDoc, "status" | "price_regular_cents">): boolean {
  return isPublicStatus(status) && status !== "coming_soon" && cents !== null;
}

export function isProductStatus(status: string): status is ProductStatus {
  return (PRODUCT_STATUSES as readonly string[]).includes(status);
}

/** The sale that changes the product's price while it runs. A product without a price, or that cannot be bought yet, has no such sale. */
export function effectiveSale({
  status,
  sale,
  price_regular_cents,
}: Pick<ProductDoc, "status" | "sale" | "price_regular_cents">): SaleDoc | null {
  return status === "coming_soon" || price_regular_cents === null ? null : sale;
}

/** Infinite on an open side. */
export function saleWindow(sale: SaleDoc): { startsAtMs: number; endsAtMs: number } {
  return {
    startsAtMs: sale.starts_at?.getTime() ?? Number.NEGATIVE_INFINITY,
    endsAtMs: sale.ends_at?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}

/** The price of a standard licence at a moment; null for a product that cannot be bought yet. */
export function priceAt(
  product: Pick<ProductDoc, "status" | "sale" | "price_regular_cents">,
  at: Date,
): number | null {
  const sale = effectiveSale(product);
  if (!sale) return product.status === "coming_soon" ? null : product.price_regular_cents;
  const { startsAtMs, endsAtMs } = saleWindow(sale);
  const isOn = startsAtMs <= at.getTime() && at.getTime() < endsAtMs;
  return isOn ? sale.price_cents : product.price_regular_cents;
}

/** 4950 cents are shown as 49.5. */
export function toUsd(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

type Fields = ReadonlySet<string>;
const NOT_CONTENT: Fields = new Set(SET_BY_EDIT);
const NOT_PUBLIC: Fields = new Set([...SET_BY_EDIT, ...PRIVATE]);
const NOT_SHOWN: Fields = new Set([...SET_BY_EDIT, ...PRIVATE, ...ORDER]);

/** Whether every field but these is the same, so that a new field counts as shown. Null and absent are equal. */
function sameBut(left: Fields, a: ProductDoc, b: ProductDoc): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof ProductDoc>;
  return [...names].every((name) => left.has(name) || isDeepStrictEqual(a[name] ?? null, b[name] ?? null));
}

/** Whether no public answer depends on which of the two exists. */
function samePublicFields(before: ProductDoc | undefined, product: ProductDoc): boolean {
  const [was, is] = [before !== undefined && isPublicStatus(before.status), isPublicStatus(product.status)];
  return before && was && is ? sameBut(NOT_PUBLIC, before, product) : was === is;
}

export type Edit =
  /** Nothing is different. */
  | { readonly kind: "none" }
  /** Something is different, but nothing public: the version stays, so that no answer reveals it. */
  | { readonly kind: "private"; readonly product: ProductDoc }
  | { readonly kind: "public"; readonly product: ProductDoc };

/** The effect of writing `wanted` over `before`, with the product's times and version set. `version` is the next one. */
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
  if (before && sameBut(NOT_CONTENT, before, product)) return { kind: "none" };
  // A change that only operators see must not show in the time of a product that others see.
  if (before && (!isPublic || !sameBut(NOT_SHOWN, before, product))) product.updated_at = now;
  if (samePublicFields(before, product)) return { kind: "private", product };
  return { kind: "public", product: { ...product, catalog_version: version } };
}
