// Finds products of any status, for other slices, which decide for themselves what to do with one that is not public.
import type { App } from "../../kernel/app.ts";
import { isPublicStatus } from "./rules.ts";
import { findProductsByIds, findProductsBySlugs, type ProductDoc } from "./store.ts";

export async function findProduct(app: Pick<App, "mongo">, slug: string): Promise<ProductDoc | undefined> {
  const [product] = await findProductsBySlugs(app.mongo.db, [slug]);
  return product;
}

/** The products with these ids that still exist, of any status, in no particular order. */
export async function findProductsOf(
  app: Pick<App, "mongo">,
  productIds: readonly string[],
): Promise<ProductDoc[]> {
  return findProductsByIds(app.mongo.db, productIds);
}

/** The ids of those of these products that have no page: they are not public, or exist no longer. */
export async function withdrawnOf(app: Pick<App, "mongo">, productIds: readonly string[]): Promise<string[]> {
  const found = await findProductsOf(app, productIds);
  const shown = new Set(found.filter(({ status }) => isPublicStatus(status)).map(({ _id }) => _id));
  return [...new Set(productIds)].filter((id) => !shown.has(id));
}

/** The products with these slugs that still exist: what each is called, and whether it has a page. */
export async function namedProductsOf(
  app: Pick<App, "mongo">,
  slugs: readonly string[],
): Promise<{ product_slug: string; name: string; has_page: boolean }[]> {
  const found = await findProductsBySlugs(app.mongo.db, [...new Set(slugs)]);
  return found.map(({ slug, name, status }) => ({
    product_slug: slug,
    name,
    has_page: isPublicStatus(status),
  }));
}
