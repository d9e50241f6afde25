// Builds the index from the database: a small one right here, a large one in a thread, so that core goes on answering.
import { Worker } from "node:worker_threads";
import type { App } from "../../kernel/app.ts";
import type { BuildOrder } from "./build-thread.ts";
import { type Base, createBaseBuilder } from "./index/base.ts";
import { type TaxonomyNames, toIndexed } from "./indexed-product.ts";
import { estimateProducts, findCategories, findTags, type ProductDoc, readPublicProducts } from "./store.ts";

/**
 * From this many products on a build takes a thread, so that nobody waits for its steps. Not for fewer: the longest of theirs takes less
 * than a tenth of a second, and part of what a thread allocates stays with the process when the thread has ended.
 */
export const THREAD_FROM = 12_000;

const MAX_YOUNG_MB = 4;

type BuildOptions = {
  names: TaxonomyNames;
  signal: AbortSignal;
  /** Told of each product in the order of the slots, when the build is made here. */
  onProduct: (product: ProductDoc) => void;
  /** How many products take a thread. */
  threadFrom?: number;
};

/** Rejects if the database is away, or with the signal's reason. */
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
  const worker = new Worker(new URL("build-thread.ts", import.meta.url), {
    name: "atelier-catalog-build",
    execArgv: [],
    workerData: order,
    // What a build throws away is short-lived; a large nursery would only stay with the process.
    resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Base>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("the thread that builds the index ended without one")));
  return promise.finally(() => {
    signal.removeEventListener("abort", onAbort);
    void worker.terminate();
  });
}
