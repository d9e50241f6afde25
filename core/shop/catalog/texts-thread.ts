// The entry of the thread that makes the texts of a large catalog: it reads the public products over its own connection.
import { parentPort, workerData } from "node:worker_threads";
import { connectMongo } from "../../base/mongo/client.ts";
import { type Base, buffersOf, findInBase } from "./index/base.ts";
import { idText } from "./index/keys.ts";
import { renderProduct, toText } from "./product-json.ts";
import { createTextsBuilder, DICTIONARY_BYTES } from "./product-texts.ts";
import { findProductsByIds, type ProductDoc, readPublicProducts } from "./store.ts";

export type TextsOrder = {
  uri: string;
  database: string;
  baseUrl: string;
  /** The index whose slots the texts get. */
  base: Pick<Base, "count" | "ids" | "idTable" | "versions">;
};

/** Samples from the whole catalog, together longer than a dictionary. */
const SAMPLES = 100;

if (parentPort) {
  const { uri, database, baseUrl, base } = workerData as TextsOrder;
  const mongo = await connectMongo(uri, database);
  const textOf = (product: ProductDoc) => {
    const rendered = renderProduct(product, baseUrl);
    return rendered && toText(rendered);
  };
  try {
    const samples = (await findProductsByIds(mongo.db, sampleIds(base))).map(
      (product) => textOf(product) ?? "",
    );
    const dictionary = Uint8Array.from(Buffer.from(samples.join("")).subarray(-DICTIONARY_BYTES));
    const builder = createTextsBuilder(base.count, dictionary);
    for await (const product of readPublicProducts(mongo.db)) {
      const slot = findInBase(base, product._id);
      // Products that changed after the index was built are not served from their slot any more.
      if (slot < 0 || base.versions[slot] !== (product.catalog_version ?? 0)) continue;
      const text = textOf(product);
      if (text !== undefined) builder.add(slot, text);
    }
    const texts = builder.finish();
    parentPort.postMessage(texts, [...buffersOf(texts)]);
  } finally {
    await mongo.client.close();
  }
}

function sampleIds({ count, ids }: Pick<Base, "count" | "ids">): string[] {
  const slots = new Set(Array.from({ length: SAMPLES }, (_, i) => Math.floor((i * count) / SAMPLES)));
  return [...slots]
    .filter((slot) => slot < count)
    .map((slot) => {
      const [a = 0, b = 0, c = 0, d = 0] = ids.subarray(slot * 4, slot * 4 + 4);
      return idText([a, b, c, d]);
    });
}
