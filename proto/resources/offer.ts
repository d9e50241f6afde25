// How what can be bought is told to shopping agents, whichever protocol they speak: one product with a variant for each of its licences.
import type { ProductOffer } from "../types/atelier/v1/ProductOffer.ts";
import type { Product } from "../types/atelier/v1/Product.ts";

export const CURRENCY = "USD";
/** Google's name for the shelf on which all products lie; other agents know it too. */
export const GOOGLE_CATEGORY = "Software > Digital Goods & Currency";
/** What tells the variants of a product apart. */
export const VARIANT_OPTION = "Licence";

/** Core sends no offer without one. */
export function productOf({ product }: ProductOffer): Product {
  if (!product) throw new Error("an offer came without its product");
  return product;
}

export function descriptionOf({ description, tagline, name }: Product): string {
  return description ?? tagline ?? name;
}

/** The names of its shelves from the top, as Google writes them; empty where it has none. */
export function shelfOf({ category_name, subcategory_name }: ProductOffer): string {
  return [category_name, subcategory_name].filter((name) => name !== "").join(" > ");
}

/** Agents show no SVG, which most covers are: in its place stands the picture of shared links. */
export function imageOf({ cover_image_url: cover, slug }: Product, baseUrl: string): string {
  if (cover === undefined || /\.svg$/i.test(new URL(cover, baseUrl).pathname))
    return `${baseUrl}/social/${encodeURIComponent(slug)}.png`;
  return new URL(cover, baseUrl).href;
}

/** Of one licence of a product. */
export function variantIdOf(productId: string, licence: string): string {
  return `${productId}:${licence}`;
}

/** "standard" as people read it. */
export function licenceName(licence: string): string {
  return licence.charAt(0).toUpperCase() + licence.slice(1);
}
