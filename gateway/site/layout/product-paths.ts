// Addresses of products and their pictures.
export const PRODUCTS_PATH = "/products";

export function productPath(slug: string): string {
  return `${PRODUCTS_PATH}/${encodeURIComponent(slug)}`;
}

/** Covers are served from this site, because pages load nothing from other origins. */
export function coverPath(slug: string, view = 1): string {
  return `/covers/${encodeURIComponent(slug)}.svg${view === 1 ? "" : `?view=${view}`}`;
}

/** A PNG for link previews, which do not show SVG. */
export function socialPath(slug: string): string {
  return `/social/${encodeURIComponent(slug)}.png`;
}
