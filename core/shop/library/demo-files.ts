// The files of the demonstration catalog: a ZIP for each product, made from its cover and its texts at the first request.
import { createHash } from "node:crypto";
import { strToU8, type Zippable, zipSync } from "fflate";
import { currentTerms } from "../../../proto/resources/licence-terms.ts";
import { LICENCE_KINDS, type LicenceKind } from "../../../proto/resources/membership.ts";
import { drawCover } from "../../../runtime/covers/cover-art.ts";
import type { App } from "../../kernel/app.ts";
import { findProductsOf } from "../catalog/find-product.ts";
import type { ProductDoc } from "../catalog/store.ts";
import { putFile } from "./add-product-file.ts";
import type { ProductFileDoc } from "./store.ts";
import { zipContents } from "./zip-contents.ts";

const VERSION = "1.0";

/** Makes the missing files of these products. Safe in several processes at the same time: only one of them makes each file. */
export async function makeDemoFiles(app: App, productIds: readonly string[]): Promise<ProductFileDoc[]> {
  if (app.config.profile === "production" || productIds.length === 0) return [];
  const made: ProductFileDoc[] = [];
  for (const product of await findProductsOf(app, productIds)) {
    if (!isDemonstration(product)) continue;
    const bytes = demoZip(product);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const headline = { name: `${product.slug}.zip`, version: VERSION, bytes: bytes.length, sha256 };
    made.push((await putFile(app, product._id, headline, once(bytes))).file);
  }
  return made;
}

/** For a product without a file: the file that would be made. */
export function describeDemoFile(
  { config }: Pick<App, "config">,
  product: ProductDoc,
): Pick<ProductFileDoc, "name" | "version" | "bytes" | "contents"> | undefined {
  if (config.profile === "production" || !isDemonstration(product)) return undefined;
  const zip = demoZip(product);
  const contents = zipContents(zip);
  return { name: `${product.slug}.zip`, version: VERSION, bytes: zip.length, ...(contents && { contents }) };
}

/** The key that core/shop/catalog/demo/ gives its products. */
function isDemonstration({ slug, download_key }: ProductDoc): boolean {
  return download_key === `demo/${slug}/v1.zip`;
}

function demoZip(product: ProductDoc): Uint8Array {
  const { slug, name, category, subcategory } = product;
  const files: Zippable = {
    "README.txt": strToU8(readme(product)),
    "cover.svg": strToU8(drawCover({ slug, name, category, subcategory })),
  };
  for (const kind of LICENCE_KINDS) files[`LICENCE-${kind}.txt`] = strToU8(termsText(kind));
  return zipSync({ [slug]: files }, { mtime: product.created_at });
}

function readme({ name, tagline, description, tags }: ProductDoc): string {
  return [
    name,
    ...(tagline === null ? [] : [tagline]),
    ...(description === null ? [] : [description]),
    ...(tags.length > 0 ? [`Tags: ${tags.join(", ")}`] : []),
    "This product belongs to the demonstration catalog. This file was made from its cover and its texts.",
  ]
    .join("\n\n")
    .concat("\n");
}

function termsText(kind: LicenceKind): string {
  const { version, paragraphs } = currentTerms(kind);
  return [`Terms of the ${kind} licence, version ${version}`, ...paragraphs].join("\n\n").concat("\n");
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
