// What a product consists of, for anyone: the newest version of each file, with name and size.
import type { App } from "../../kernel/app.ts";
import { isPublicStatus } from "../catalog/rules.ts";
import { findProduct } from "../catalog/find-product.ts";
import { describeDemoFile } from "./demo-files.ts";
import { findProductFiles } from "./store.ts";

export type FileFacts = { readonly name: string; readonly version: string; readonly bytes: number };

/** Empty if no such product is public. Files of the demonstration catalog are described as they will be once they are made. */
export async function describeFiles(app: App, slug: string): Promise<FileFacts[]> {
  const product = await findProduct(app, slug);
  if (!product || !isPublicStatus(product.status)) return [];
  const newest = new Map<string, FileFacts>();
  for (const { name, version, bytes } of await findProductFiles(app.mongo.db, [product._id]))
    if (!newest.has(name)) newest.set(name, { name, version, bytes });
  if (newest.size > 0) return [...newest.values()];
  const demo = describeDemoFile(app, product);
  return demo ? [demo] : [];
}
