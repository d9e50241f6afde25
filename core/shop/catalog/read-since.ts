// What has changed between a snapshot and a version: products, and the names of categories and tags that search uses.
import type { App } from "../../kernel/app.ts";
import { loadNames } from "./build-index.ts";
import { maxWasteOf } from "./current-view.ts";
import type { TaxonomyNames } from "./indexed-product.ts";
import type { Snapshot } from "./snapshot.ts";
import { type ProductDoc, readChangedProducts, readPublicProductsNamed } from "./store.ts";
import type { Step } from "./view.ts";

/** Undefined if so much has changed that a build would follow immediately. */
export async function readSince(
  app: Pick<App, "mongo">,
  { base, version: since, names: before }: Snapshot,
  upTo: number,
): Promise<Step | undefined> {
  const { db } = app.mongo;
  const names = await loadNames(app);
  const named = renamed(before, names);
  const changed = new Map<string, ProductDoc>();
  const most = maxWasteOf(base.count);
  const gather = async (products: AsyncIterable<ProductDoc>): Promise<boolean> => {
    for await (const product of products) {
      changed.set(product._id, product);
      if (changed.size > most) return false;
    }
    return true;
  };
  if (!(await gather(readChangedProducts(db, { since, upTo, onlyPublic: false })))) return undefined;
  const hasEvent = named.categories.length + named.tags.length > 0;
  if (hasEvent && !(await gather(readPublicProductsNamed(db, named)))) return undefined;
  return { version: upTo, products: [...changed.values()], deletedIds: [], ...(hasEvent && { names }) };
}

/** What has another name, or none any more. */
function renamed(before: TaxonomyNames, now: TaxonomyNames): { categories: string[]; tags: string[] } {
  const differing = <Name>(old: ReadonlyMap<string, Name>, current: ReadonlyMap<string, Name>) =>
    [...new Set([...old.keys(), ...current.keys()])].filter(
      (slug) => JSON.stringify(old.get(slug)) !== JSON.stringify(current.get(slug)),
    );
  return {
    categories: differing(before.categories, now.categories),
    tags: differing(before.tags, now.tags),
  };
}
