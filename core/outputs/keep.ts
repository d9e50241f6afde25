// Keeps the bytes of a product's file, which arrive piece by piece and are more than one wants in memory. Until its product names the
// file it is left to the sweep, as what an upload that broke off has stored.
import { createHash } from "node:crypto";
import { AppError } from "../../proto/codes.ts";
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { objectKey, uploadExpiry, type Range } from "./rules.ts";
import { readBytes } from "./open.ts";
import {
  CHUNK_BYTES,
  deleteParts,
  findFiles,
  insertFacts,
  insertPart,
  type ProductBytes,
  saveArrived,
  setExpiry,
} from "./store.ts";

/** An upload to the object store has this long. */
const STORE_MS = 30 * 60_000;

export type Kept = { readonly bytes: number; readonly sha256: string };

/** Throws invalid_request where there are more bytes than `maxBytes`, ObjectStoreError, and what `pieces` throws. */
export async function keepBytes(
  app: App,
  wanted: { fileId: string; productId: string; name: string; mimeType: string; maxBytes: number },
  pieces: AsyncIterable<Uint8Array>,
): Promise<Kept> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const file: ProductBytes = {
    _id: wanted.fileId,
    length: 0,
    chunkSize: CHUNK_BYTES,
    uploadDate: now,
    filename: wanted.name,
    metadata: {
      mime_type: wanted.mimeType,
      sha256: "",
      expires_at: uploadExpiry(now),
      product_id: wanted.productId,
    },
  };
  // The facts go first: bytes without facts would never be swept.
  await insertFacts(db, [file]);
  const hash = createHash("sha256");
  let bytes = 0;
  let parts = 0;
  for await (const part of inParts(pieces)) {
    bytes += part.length;
    if (bytes > wanted.maxBytes) throw tooLarge(wanted.maxBytes);
    hash.update(part);
    await insertPart(db, file._id, parts++, part);
  }
  const sha256 = hash.digest("hex");
  await saveArrived(db, file._id, { bytes, sha256, inObjectStore: app.objects !== undefined });
  if (app.objects) await moveToObjectStore(app, app.objects, { ...file, length: bytes }, sha256);
  return { bytes, sha256 };
}

export function tooLarge(maxBytes: number): AppError {
  const message = `must have at most ${maxBytes / 2 ** 20} MiB`;
  return new AppError("invalid_request", {
    message: `The file ${message}.`,
    hint: "Make it smaller or in several parts, or raise ATELIER_MAX_PRODUCT_FILE_MB.",
    issues: [{ path: "file", message }],
  });
}

/** Exactly as large as GridFS has them, whatever they arrive in. */
async function* inParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (let piece of pieces) {
    while (heldBytes + piece.length >= CHUNK_BYTES) {
      const taken = CHUNK_BYTES - heldBytes;
      yield Buffer.concat([...held, piece.subarray(0, taken)]);
      piece = piece.subarray(taken);
      held = [];
      heldBytes = 0;
    }
    if (piece.length > 0) held.push(piece);
    heldBytes += piece.length;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}

async function moveToObjectStore(
  app: App,
  objects: NonNullable<App["objects"]>,
  file: ProductBytes,
  sha256: string,
): Promise<void> {
  const { _id, length, metadata } = file;
  const bytes = { length, stream: () => readBytes(app, file, { offset: 0, length }) };
  const key = objectKey(metadata, _id);
  await objects.put({ key, bytes, mimeType: metadata.mime_type, sha256 }, AbortSignal.timeout(STORE_MS));
  await deleteParts(app.mongo.db, _id);
}

/** Its product names it now, in the same transaction. */
export async function keepForGood(app: App, fileId: string, session: ClientSession): Promise<void> {
  await setExpiry(app.mongo.db, fileId, null, session);
}

/** Nothing names it any more: the next sweep removes it. */
export async function letGo(app: App, fileId: string, session?: ClientSession): Promise<void> {
  await setExpiry(app.mongo.db, fileId, app.clock.now(), session);
}

/** A range that lies within the file. Throws where it is not there, which is a fault of ours: its product names it. */
export async function* readKept(app: App, fileId: string, range: Range): AsyncGenerator<Uint8Array> {
  const [file] = await findFiles(app.mongo.db, [fileId]);
  if (!file) throw new Error(`the file ${fileId} of a product is not stored`);
  yield* readBytes(app, file, range);
}
