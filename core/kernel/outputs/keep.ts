// Keeps the bytes of a file of a product or an upload, which arrive piece by piece and are too many for memory. Until something names the
// file, the sweep may remove it, as it removes the rest of an interrupted upload.
import { createHash } from "node:crypto";
import type { AppError } from "../../../proto/codes.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../app.ts";
import { type FilesApp, readBytes } from "./open.ts";
import { fullHour, objectKey, uploadExpiry, type ByteRange } from "./rules.ts";
import {
  CHUNK_BYTES,
  deleteParts,
  findFiles,
  insertFacts,
  insertPart,
  type KeptFile,
  type KeptFor,
  saveArrived,
  saveNeeded,
  setExpiry,
} from "./store.ts";

/** The time limit of an upload to the object store. */
const STORE_MS = 30 * 60_000;

/** Everything that is needed to keep a file. */
type KeepApp = FilesApp & Pick<App, "clock">;

export type Kept = { readonly bytes: number; readonly sha256: string };

export type WantedFile = {
  readonly fileId: string;
  readonly owner: KeptFor;
  readonly name: string;
  /** Asked again at the end, when every kind is known. */
  readonly mimeType: () => string;
  readonly maxBytes: number;
  /** The error if there are more bytes. */
  readonly tooLarge: () => AppError;
};

/** Throws `tooLarge` if there are more bytes than `maxBytes`, ObjectStoreError, and what `pieces` throws. */
export async function keepBytes(
  app: KeepApp,
  wanted: WantedFile,
  pieces: AsyncIterable<Uint8Array>,
): Promise<Kept> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const file: KeptFile = {
    _id: wanted.fileId,
    length: 0,
    chunkSize: CHUNK_BYTES,
    uploadDate: now,
    filename: wanted.name,
    metadata: {
      mime_type: wanted.mimeType(),
      sha256: "",
      expires_at: uploadExpiry(now),
      ...wanted.owner,
    },
  };
  // The facts are written first: bytes without facts would never be swept.
  await insertFacts(db, [file]);
  const hash = createHash("sha256");
  let bytes = 0;
  let parts = 0;
  for await (const part of inParts(pieces)) {
    bytes += part.length;
    if (bytes > wanted.maxBytes) throw wanted.tooLarge();
    hash.update(part);
    await insertPart(db, file._id, parts++, part);
  }
  const sha256 = hash.digest("hex");
  const mimeType = wanted.mimeType();
  await saveArrived(db, file._id, { bytes, sha256, mimeType, inObjectStore: app.objects !== undefined });
  const metadata = { ...file.metadata, mime_type: mimeType };
  if (app.objects) await moveToObjectStore(app, app.objects, { ...file, metadata, length: bytes }, sha256);
  return { bytes, sha256 };
}

/** Registers an object that someone else will put into the object store: the sweep finds it by its facts. Returns its key. */
export async function expectObject(
  app: App,
  { fileId, owner, expiresAt }: { fileId: string; owner: KeptFor; expiresAt: Date },
): Promise<string> {
  const metadata = {
    mime_type: "application/octet-stream",
    sha256: "",
    expires_at: fullHour(expiresAt),
    stored_in: "object store" as const,
    ...owner,
  };
  const place = { length: 0, chunkSize: CHUNK_BYTES, uploadDate: app.clock.now(), filename: fileId };
  await insertFacts(app.mongo.db, [{ _id: fileId, ...place, metadata }]);
  return objectKey(owner, fileId);
}

/** Cuts the pieces to exactly the size that GridFS uses, whatever their size on arrival. */
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
  app: FilesApp,
  objects: NonNullable<App["objects"]>,
  file: KeptFile,
  sha256: string,
): Promise<void> {
  const { _id, length, metadata } = file;
  const bytes = { length, stream: () => readBytes(app, file, { offset: 0, length }) };
  const key = objectKey(metadata, _id);
  await objects.put({ key, bytes, mimeType: metadata.mime_type, sha256 }, AbortSignal.timeout(STORE_MS));
  await deleteParts(app.mongo.db, _id);
}

/** The product names it now, in the same transaction. */
export async function keepPermanently(app: Pick<App, "mongo">, fileId: string, tx: TxContext): Promise<void> {
  await setExpiry(app.mongo.db, fileId, null, tx);
}

/** The upload names it now, for this long. */
export async function keepUntil(app: App, fileId: string, at: Date): Promise<void> {
  await setExpiry(app.mongo.db, fileId, fullHour(at));
}

/** A job may want to read these files until then, whatever happens to what names them. Returns whether all of them exist. */
export async function keepForJob(app: App, fileIds: readonly string[], until: Date): Promise<boolean> {
  return (await saveNeeded(app.mongo.db, fileIds, { now: app.clock.now(), until })) === fileIds.length;
}

/** Nothing names it any more: the next sweep removes it. */
export async function letGo(
  app: Pick<App, "mongo">,
  fileId: string,
  at: Date,
  tx?: ReadContext,
): Promise<void> {
  await setExpiry(app.mongo.db, fileId, at, tx);
}

/** Reads a range inside the file. Throws if the file is missing, which is a fault of the service, because a document names it. */
export async function* readKept(app: FilesApp, fileId: string, range: ByteRange): AsyncGenerator<Uint8Array> {
  const [file] = await findFiles(app.mongo.db, [fileId]);
  if (!file) throw new Error(`the file ${fileId}, which something names, is not stored`);
  yield* readBytes(app, file, range);
}
