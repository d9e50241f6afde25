// Builds the index from the database: a small one in this thread, a large one in a thread of its own, so that core goes on answering.
import type { App } from "../../kernel/app.ts";
import type { BuildOrder } from "./build-thread.ts";
import { type Base, createBaseBuilder } from "./index/base.ts";
import { type TaxonomyNames, toIndexed } from "./indexed-product.ts";
import { runThread } from "./run-thread.ts";
import { estimateProducts, findCategories, findTags, type ProductDoc, readPublicProducts } from "./store.ts";

/**
 * From this many products on, a build runs in a thread, so that its steps delay no one. Smaller builds do not: their longest step takes
 * less than a tenth of a second, and part of what a thread allocates stays with the process when the thread has ended.
 */
export const THREAD_FROM = 12_000;

type BuildOptions = {
  names: TaxonomyNames;
  signal: AbortSignal;
  /** Called for each product in the order of the slots, if the build is made here. */
  onProduct: (product: ProductDoc) => void;
  /** The number of products from which a thread is used. */
  threadFrom?: number;
};

/** Rejects if the database is unavailable, or with the signal's reason. */
export async function buildIndex(app: Pick<App, "mongo">, options: BuildOptions): Promise<Base> {
  const { names, signal, onProduct, threadFrom = THREAD_FROM } = options;
  if ((await estimateProducts(app.mongo.db)) >= threadFrom) return buildInThread(app, names, signal);
  const builder = createBaseBuilder();
  for await (const product of readPublicProducts(app.mongo.db)) {
    signal.throwIfAborted();
    const indexed = toIndexed(product, names);
    if (!indexed) continue;
    builder.add(indexed);
    onProduct(product);
  }
  return builder.finish();
}

export async function loadNames(app: Pick<App, "mongo">): Promise<TaxonomyNames> {
  const [categories, tags] = await Promise.all([findCategories(app.mongo.db), findTags(app.mongo.db)]);
  return {
    categories: new Map(categories.map(({ _id, name, parent }) => [_id, { name, parent }])),
    tags: new Map(tags.map(({ _id, name }) => [_id, name])),
  };
}

function buildInThread(
  { mongo }: Pick<App, "mongo">,
  names: TaxonomyNames,
  signal: AbortSignal,
): Promise<Base> {
  const order: BuildOrder = { uri: mongo.uri, database: mongo.db.databaseName, names };
  return runThread<Base>("build-thread.ts", "atelier-catalog-build", order, signal);
}
