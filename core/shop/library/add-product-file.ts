// Adds a file to a product, or removes it. Holders of a licence of the product may download it from then on.
import { buffer } from "node:stream/consumers";
import { AppError } from "../../../proto/codes.ts";
import type { ProductFileHeadline } from "../../../proto/resources/library.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { keepBytes, keepPermanently, letGo, readKept } from "../../kernel/outputs/keep.ts";
import { findProduct } from "../catalog/find-product.ts";
import type { ProductDoc } from "../catalog/store.ts";
import { writeCatalog } from "../catalog/write-catalog.ts";
import {
  checkArrived,
  checkBeginning,
  checkFileCount,
  mediaTypeOf,
  refusedFile,
  TELLING_BYTES,
  tooLarge,
} from "./rules.ts";
import {
  deleteProductFile,
  findFileOfVersion,
  findProductFiles,
  insertProductFile,
  type ProductFileDoc,
} from "./store.ts";
import { type ArchiveContents, DIRECTORY_BYTES, zipContents } from "./zip-contents.ts";

const MIB = 2 ** 20;

export type AddedFile = { file: ProductFileDoc; added: boolean };

/**
 * `pieces` are the bytes, in order. Adding the same file again changes nothing, and the bytes are not read. Throws product_not_found, and
 * invalid_request for a file that differs from its announcement or its name, is too large, or would replace another.
 */
export async function addProductFile(
  app: App,
  headline: ProductFileHeadline,
  pieces: AsyncIterable<Uint8Array>,
): Promise<AddedFile> {
  const product = await productOf(app, headline.product_slug);
  const known = await findSame(app, product._id, headline);
  if (known) return { file: known, added: false };
  checkFileCount((await findProductFiles(app.mongo.db, [product._id])).length);
  const added = await putFile(app, product._id, headline, pieces);
  await noteFilesChanged(app);
  return added;
}

/** Like addProductFile, for a file whose space is already checked. */
export async function putFile(
  app: App,
  productId: string,
  headline: Omit<ProductFileHeadline, "product_slug">,
  pieces: AsyncIterable<Uint8Array>,
): Promise<AddedFile> {
  const { name, version, bytes, sha256 } = headline;
  const maxBytes = app.config.maxProductFileMb * MIB;
  if (bytes > maxBytes) throw tooLarge(maxBytes);
  const fileId = app.newId("fil");
  const mediaType = mediaTypeOf(name);
  const file: ProductFileDoc = {
    _id: fileId,
    product_id: productId,
    name,
    version,
    bytes,
    media_type: mediaType,
    sha256,
    added_at: app.clock.now(),
  };
  try {
    const wanted = {
      fileId,
      owner: { product_id: productId },
      name,
      mimeType: () => mediaType,
      maxBytes,
      tooLarge: () => tooLarge(maxBytes),
    };
    checkArrived(headline, await keepBytes(app, wanted, checked(name, pieces)));
    const contents = await contentsOf(app, file);
    if (contents) file.contents = contents;
    await inTx({ mongo: app.mongo, now: file.added_at }, async (tx) => {
      await insertProductFile(app.mongo.db, file, tx);
      await keepPermanently(app, fileId, tx);
    });
    return { file, added: true };
  } catch (error) {
    await letGo(app, fileId, app.clock.now());
    if (!isDuplicateKey(error)) throw error;
    // Someone else has added it in the meantime.
    const other = await findSame(app, productId, headline);
    if (other) return { file: other, added: false };
    throw error;
  }
}

/** Undefined for all but ZIPs. */
async function contentsOf(
  app: App,
  { _id, media_type: mediaType, bytes }: ProductFileDoc,
): Promise<ArchiveContents | undefined> {
  if (mediaType !== mediaTypeOf(".zip")) return undefined;
  const length = Math.min(bytes, DIRECTORY_BYTES);
  return zipContents(await buffer(readKept(app, _id, { offset: bytes - length, length })), bytes);
}

/** The files by name, the newest version of each first. Throws product_not_found. */
export async function listProductFiles(app: App, productSlug: string): Promise<ProductFileDoc[]> {
  return findProductFiles(app.mongo.db, [(await productOf(app, productSlug))._id]);
}

/** Throws product_not_found, not_found. */
export async function removeProductFile(
  app: App,
  { productSlug, fileId }: { productSlug: string; fileId: string },
): Promise<ProductFileDoc> {
  const product = await productOf(app, productSlug);
  const removed = await inTx(app, async (tx) => {
    const found = await deleteProductFile(app.mongo.db, { fileId, productId: product._id }, tx);
    if (found) await letGo(app, fileId, tx.now, tx);
    return found;
  });
  if (removed) {
    await noteFilesChanged(app);
    return removed;
  }
  throw new AppError("not_found", {
    message: "The product has no such file.",
    hint: "Use a file_id from product file list.",
  });
}

/** Pages of products describe their files, and are kept until the catalog changes. */
async function noteFilesChanged(app: App): Promise<void> {
  await writeCatalog(app, async () => ({ answer: undefined, isPublic: true }));
}

async function productOf(app: App, slug: string): Promise<ProductDoc> {
  const product = await findProduct(app, slug);
  if (product) return product;
  throw new AppError("product_not_found", {
    message: "No product has this slug.",
    hint: "Check the slug against product export.",
  });
}

/** The file with this name and version, if it is this one. Throws invalid_request if it is another. */
async function findSame(
  app: App,
  productId: string,
  { name, version, sha256 }: Pick<ProductFileHeadline, "name" | "version" | "sha256">,
): Promise<ProductFileDoc | undefined> {
  const found = await findFileOfVersion(app.mongo.db, { productId, name, version });
  if (!found) return undefined;
  if (found.sha256 === sha256) return found;
  throw refusedFile(
    `would take the place of another: version ${version} of ${name} is there with other contents. Give this one a version of its own`,
  );
}

/** The pieces as they come, once the first bytes match the name. */
async function* checked(name: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array();
  for await (const piece of pieces) {
    if (!head) {
      yield piece;
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < TELLING_BYTES) continue;
    checkBeginning(name, head);
    yield head;
    head = undefined;
  }
  if (!head) return;
  checkBeginning(name, head);
  yield head;
}
