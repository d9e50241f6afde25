// The entry of the thread that builds a large index: it reads the public products over its own connection and hands the arrays over.
import { parentPort, workerData } from "node:worker_threads";
import { connectMongo } from "../../base/mongo/client.ts";
import { buffersOf, createBaseBuilder } from "./index/base.ts";
import { type TaxonomyNames, toIndexed } from "./indexed-product.ts";
import { readPublicProducts } from "./store.ts";

export type BuildOrder = { uri: string; database: string; names: TaxonomyNames };

if (parentPort) {
  const { uri, database, names } = workerData as BuildOrder;
  const mongo = await connectMongo(uri, database);
  try {
    const builder = createBaseBuilder();
    for await (const product of readPublicProducts(mongo.db)) {
      const indexed = toIndexed(product, names);
      if (indexed) builder.add(indexed);
    }
    const base = builder.finish();
    parentPort.postMessage(base, [...buffersOf(base)]);
  } finally {
    await mongo.client.close();
  }
}
