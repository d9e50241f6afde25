// Finds one product of any status by its slug, for other slices: what they do with one that is not public is theirs to decide.
import type { App } from "../app.ts";
import { findProductsBySlugs, type ProductDoc } from "./store.ts";

export async function findProduct(app: Pick<App, "mongo">, slug: string): Promise<ProductDoc | undefined> {
  const [product] = await findProductsBySlugs(app.mongo.db, [slug]);
  return product;
}
