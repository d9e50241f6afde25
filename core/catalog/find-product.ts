// Finds products of any status, for other slices: what they do with one that is not public is theirs to decide.
import type { App } from "../app.ts";
import { findProductsByIds, findProductsBySlugs, type ProductDoc } from "./store.ts";

export async function findProduct(app: Pick<App, "mongo">, slug: string): Promise<ProductDoc | undefined> {
  const [product] = await findProductsBySlugs(app.mongo.db, [slug]);
  return product;
}

/** The products of these ids that are still there, of any status. In no order. */
export async function findProductsOf(
  app: Pick<App, "mongo">,
  productIds: readonly string[],
): Promise<ProductDoc[]> {
  return findProductsByIds(app.mongo.db, productIds);
}
