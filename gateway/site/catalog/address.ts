// Addresses of the pages about the catalog. Their queries are those of GET /api/catalog.
import { addressOf, type ListQuery } from "../../catalog/list-query.ts";

export const PRODUCTS_PATH = "/products";

/** The list that `query` asks for, with some of it changed. Any change but of the page itself begins at the first page. */
export function productsAddress(query: ListQuery, change: Partial<ListQuery> = {}): string {
  const asked = { ...query, page: 1, ...change, facets: [] };
  const fields = fieldsOf(asked);
  return fields.length === 0 ? PRODUCTS_PATH : `${PRODUCTS_PATH}?${new URLSearchParams(fields).toString()}`;
}

/** Names and values of its parameters, those that say nothing left out. */
export function fieldsOf(query: ListQuery): [name: string, value: string][] {
  const parameters = new URL(addressOf({ ...query, facets: [] }), "http://localhost").searchParams;
  return [...parameters].filter(([name, value]) => name !== "page" || value !== "1");
}

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
