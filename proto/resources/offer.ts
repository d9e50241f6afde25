// Products for shopping agents, whichever protocol they speak: one product with a variant for each of its licences.
import type { Product } from "../types/atelier/v1/Product.ts";
import type { ProductOffer } from "../types/atelier/v1/ProductOffer.ts";

export const CURRENCY = "USD";
/** The name of Google's top category for all products; other agents know it too. */
export const GOOGLE_CATEGORY = "Software > Digital Goods & Currency";
/** The option that distinguishes the variants of a product. */
export const VARIANT_OPTION = "Licence";

/** Core sends no offer without one. */
export function productOf({ product }: ProductOffer): Product {
  if (!product) throw new Error("an offer came without its product");
  return product;
}

export function descriptionOf({ description, tagline, name }: Product): string {
  return description ?? tagline ?? name;
}

/** The names of its categories from the top, as Google writes them; empty if it has none. */
export function shelfOf({ category_name, subcategory_name }: ProductOffer): string {
  return [category_name, subcategory_name].filter((name) => name !== "").join(" > ");
}

/** Agents do not show SVG, the format of most covers, so they get the picture for shared links instead. */
export function imageOf({ cover_image_url: cover, slug }: Product, baseUrl: string): string {
  if (cover === undefined || /\.svg$/i.test(new URL(cover, baseUrl).pathname))
    return `${baseUrl}/social/${encodeURIComponent(slug)}.png`;
  return new URL(cover, baseUrl).href;
}

/** One licence of a product. */
export function variantIdOf(productId: string, licence: string): string {
  return `${productId}:${licence}`;
}

/** For example "standard" as people read it. */
export function licenceName(licence: string): string {
  return licence.charAt(0).toUpperCase() + licence.slice(1);
}
