// Addresses of products and their pictures.
export const PRODUCTS_PATH = "/products";

export function productPath(slug: string): string {
  return `${PRODUCTS_PATH}/${encodeURIComponent(slug)}`;
}

/** Covers come from here: pages load nothing from elsewhere, wherever a product's own picture lies. */
export function coverPath(slug: string, view = 1): string {
  return `/covers/${encodeURIComponent(slug)}.svg${view === 1 ? "" : `?view=${view}`}`;
}

/** A picture of it for links that are shared: PNG, because previews show no SVG. */
export function socialPath(slug: string): string {
  return `/social/${encodeURIComponent(slug)}.png`;
}
