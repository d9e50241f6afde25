// One state of the public catalog: the index and the JSON that belongs to it, at one version. Changes move it to the next version in one
// step, between two questions.
import { type Base } from "./index/base.ts";
import { type CatalogIndex, createCatalogIndex } from "./index/catalog-index.ts";
import { type TaxonomyNames, toIndexed } from "./indexed-product.ts";
import { createJsonCache, type JsonCache } from "./json-cache.ts";
import { renderProduct } from "./product-json.ts";
import type { ProductDoc } from "./store.ts";

/** The limit of uncompressed JSON; far more than a catalog needs whose index is built without a thread. */
const MAX_JSON_BYTES = 64 * 2 ** 20;

export type View = {
  readonly epoch: string;
  readonly version: number;
  readonly index: CatalogIndex;
  readonly json: JsonCache;
  readonly names: TaxonomyNames;
  /** Grows with every step, and so shows whether two questions saw the same state. */
  readonly generation: number;
};

/** What moves a view from one version to another. */
export type Step = {
  readonly version: number;
  /** The latest states of changed products, public or not. */
  readonly products: readonly ProductDoc[];
  readonly deletedIds: readonly string[];
  /** Present if names of categories or tags changed. */
  readonly names?: TaxonomyNames;
};

export function newJsonCache(): JsonCache {
  return createJsonCache(MAX_JSON_BYTES);
}

export function createView(
  base: Base,
  { epoch, version, names, json }: Pick<View, "epoch" | "version" | "names" | "json">,
): View {
  return { epoch, version, names, json, index: createCatalogIndex(base), generation: 0 };
}

/** Returns the view after the step. The index is the same one, changed, so the earlier view must not be used any more. */
export function advance(view: View, step: Step, baseUrl: string): View {
  const { index, json } = view;
  const names = step.names ?? view.names;
  const renamed = step.names !== undefined;
  // Known changes are repeated after a stream broke, or when only an operator's field changed.
  const isNewEvent = ({ _id, catalog_version }: ProductDoc) => {
    const slot = index.findId(_id);
    return slot < 0 || renamed || (catalog_version ?? 0) > index.versionAt(slot);
  };
  const products = step.products.filter(isNewEvent);
  const upserts = products.flatMap((product) => toIndexed(product, names) ?? []);
  const kept = new Set(upserts.map(({ id }) => id));
  const removedIds = [...products.map(({ _id }) => _id).filter((id) => !kept.has(id)), ...step.deletedIds];
  if (upserts.length + removedIds.length > 0) {
    for (const id of [...kept, ...removedIds]) json.delete(index.findId(id));
    index.apply(upserts, removedIds);
    for (const product of products) {
      const slot = index.findId(product._id);
      const rendered = slot < 0 ? undefined : renderProduct(product, baseUrl);
      if (rendered) json.set(slot, rendered);
    }
  }
  return { ...view, names, version: Math.max(view.version, step.version), generation: view.generation + 1 };
}
