// Addresses of the list of products. Their queries are those of GET /api/catalog.
import { addressOf, type ListQuery } from "../../catalog/list-query.ts";
import { PRODUCTS_PATH } from "../layout/product-paths.ts";

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
