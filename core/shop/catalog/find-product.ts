// Finds products of any status, for other slices, which decide for themselves what to do with one that is not public.
import type { App } from "../../kernel/app.ts";
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
