// What anyone may know of a product's files: names, versions, sizes and contents.
import type { FileFactsInput } from "../../../proto/types/atelier/v1/FileFacts.ts";
import type { App } from "../../kernel/app.ts";
import { findProduct } from "../catalog/find-product.ts";
import { isPublicStatus } from "../catalog/rules.ts";
import { describeDemoFile } from "./demo-files.ts";
import { findProductFiles, type ProductFileDoc } from "./store.ts";

/** Empty if no such product is public. Files of the demonstration catalog are described as they will be once they are made. */
export async function describeFiles(app: App, slug: string): Promise<FileFactsInput[]> {
  const product = await findProduct(app, slug);
  if (!product || !isPublicStatus(product.status)) return [];
  const found = Map.groupBy(await findProductFiles(app.mongo.db, [product._id]), ({ name }) => name);
  if (found.size > 0)
    return [...found.values()].flatMap(([newest, ...earlier]) => (newest ? factsOf(newest, earlier) : []));
  const demo = describeDemoFile(app, product);
  return demo ? [factsOf(demo)] : [];
}

function factsOf(
  file: Pick<ProductFileDoc, "name" | "version" | "bytes" | "contents"> & { added_at?: Date },
  earlier: readonly ProductFileDoc[] = [],
): FileFactsInput {
  const { name, version, bytes, added_at: added, contents } = file;
  return {
    name,
    version,
    bytes,
    added_at: added?.toISOString(),
    ...(contents && { entries: [...contents.entries], entry_count: contents.count }),
    earlier: earlier.map((one) => ({ version: one.version, added_at: one.added_at.toISOString() })),
  };
}
