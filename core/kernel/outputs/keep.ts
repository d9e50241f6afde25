// Keeps the bytes of a file of a product or an upload, which arrive piece by piece and are more than one wants in memory. Until somebody
// names the file it is left to the sweep, as what an upload that broke off has stored.
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import { createHash } from "node:crypto";
import type { AppError } from "../../../proto/codes.ts";
import type { App } from "../app.ts";
import { fullHour, objectKey, uploadExpiry, type ByteRange } from "./rules.ts";
import { type FilesApp, readBytes } from "./open.ts";
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

/** An upload to the object store has this long. */
const STORE_MS = 30 * 60_000;

/** All that it takes to keep a file. */
type KeepApp = FilesApp & Pick<App, "clock">;

export type Kept = { readonly bytes: number; readonly sha256: string };

export type WantedFile = {
  readonly fileId: string;
  readonly owner: KeptFor;
  readonly name: string;
  /** Asked once more at the end: some kinds are known by then. */
  readonly mimeType: () => string;
  readonly maxBytes: number;
  /** What to refuse more with. */
  readonly tooLarge: () => AppError;
};

/** Throws `tooLarge` where there are more bytes than `maxBytes`, ObjectStoreError, and what `pieces` throws. */
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
  // The facts go first: bytes without facts would never be swept.
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

/** An object that somebody else will put into the object store: the sweep finds it by its facts. Answers its key. */
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

/** Its product names it now, in the same transaction. */
export async function keepForGood(app: Pick<App, "mongo">, fileId: string, tx: TxContext): Promise<void> {
  await setExpiry(app.mongo.db, fileId, null, tx);
}

/** Its upload names it now, for so long. */
export async function keepUntil(app: App, fileId: string, at: Date): Promise<void> {
  await setExpiry(app.mongo.db, fileId, fullHour(at));
}

/** A job may want to read these files until then, whatever becomes of what names them. Answers whether all of them are there. */
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

/** A range that lies within the file. Throws where it is not there, which is a fault of ours: somebody names it. */
export async function* readKept(app: FilesApp, fileId: string, range: ByteRange): AsyncGenerator<Uint8Array> {
  const [file] = await findFiles(app.mongo.db, [fileId]);
  if (!file) throw new Error(`the file ${fileId}, which something names, is not stored`);
  yield* readBytes(app, file, range);
}
