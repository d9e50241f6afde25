// Products as documents. There may be a million, so none is listed: search_catalog and completion find them.
import { asCatalogError } from "../../edge/catalog-unavailable.ts";
import { AppError } from "../../proto/codes.ts";
import {
  catalogProductSchema,
  fromCatalogDetail,
  fromCatalogPage,
  MAX_SLUG_CHARACTERS,
} from "../../proto/resources/product.ts";
import { keepListed } from "../protocol/listed-fields.ts";
import type { ReadContext } from "../protocol/read-context.ts";
import { defineResource } from "../protocol/resource.ts";

const MAX_SUGGESTED = 20;

const keepPublic = keepListed(catalogProductSchema);

export const products = defineResource({
  uri: "atelier://products/{slug}",
  name: "product",
  title: "A product of the catalog",
  description: "A public product with description, prices in USD, tags, rating, demo and page.",
  mimeType: "application/json",
  suggest: suggestProducts,
  read: async ({ core, call }, slug) => {
    if (slug.length > MAX_SLUG_CHARACTERS) return undefined;
    try {
      const product = fromCatalogDetail(await core.catalog.GetProduct({ slug }, call).catch(asCatalogError));
      return { text: JSON.stringify(keepPublic(product), undefined, 2) };
    } catch (error) {
      if (error instanceof AppError && error.code === "product_not_found") return undefined;
      throw error;
    }
  },
});

/** Slugs of products that match the typed text; without text, the featured products. */
export async function suggestProducts(begun: string, { core, call }: ReadContext): Promise<string[]> {
  // A slug is the name in lower-case letters with hyphens.
  const search = begun.replaceAll("-", " ").trim();
  if (search.length > MAX_SLUG_CHARACTERS) return [];
  const page = { category: "", subcategory: "", pricing_tier: "", tags: [], statuses: [], facets: [] };
  const reply = await core.catalog.ListProducts(
    { ...page, search, sort: "featured", page: 1, page_size: MAX_SUGGESTED },
    call,
  );
  return fromCatalogPage(reply).data.map(({ slug }) => slug);
}
