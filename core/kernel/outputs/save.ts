// Stores a provider's outputs, before the job is finalized. Files that no finalized job names are never shown and expire like the others.
import { createHash } from "node:crypto";
import type { ObjectStore } from "../../base/objects/object-store.ts";
import type { App } from "../app.ts";
import { objectKey, outputExpiry } from "./rules.ts";
import type { MarkedOutput } from "./sign-outputs.ts";
import {
  asOneDocument,
  CHUNK_BYTES,
  insertFacts,
  insertFiles,
  type OutputDoc,
  type OutputFile,
  type StoredFile,
  type ThumbnailDoc,
} from "./store.ts";
import { anyPicture, makeThumbnails, type Thumbnail } from "./thumbnails.ts";

type Owner = {
  accountId: string;
  jobId: string;
  /** For how long its request wants them kept; absent: as long as the operator keeps them, which is the longest. */
  keepDays?: number | undefined;
};

export type SavedOutputs = {
  /** The facts for the job's record, in the order of the outputs. */
  readonly outputs: OutputDoc[];
  /** Small files, which the transaction that finalizes the job still has to store. */
  readonly files: readonly StoredFile[];
};

/**
 * Outputs of a job that are together no larger than this are written in the finalizing transaction: no extra round trip and no orphans. A
 * file of at most this size has its bytes in its document.
 */
const MAX_SMALL_BYTES = 16 * 1024;

const THUMBNAIL_TYPE = "image/webp";

/**
 * Stores large files, or all files if there is an object store, with thumbnails of those that have a picture. Saving again makes new files
 * with new ids. Throws ObjectStoreError, or the reason of `signal`.
 */
export async function saveOutputs(
  app: App,
  owner: Owner,
  outputs: readonly MarkedOutput[],
  signal: AbortSignal,
): Promise<SavedOutputs> {
  const now = app.clock.now();
  const { outputDays } = app.config;
  const expiresAt = outputExpiry(now, Math.min(owner.keepDays ?? outputDays, outputDays));
  const thumbnails = anyPicture(outputs) ? await makeThumbnails(app, outputs) : undefined;
  const facts: OutputDoc[] = [];
  const made: StoredFile[] = [];
  for (const [index, output] of outputs.entries()) {
    const doc = toOutputDoc(app.newId("out"), output, expiresAt);
    const small = (thumbnails?.get(output) ?? []).map((thumbnail) => ({
      id: app.newId("thm"),
      ...thumbnail,
    }));
    made.push({ file: toFile(doc, owner, `${index}`, now), bytes: output.bytes });
    for (const thumbnail of small)
      made.push({ file: thumbnailFile(thumbnail, doc, owner, index, now), bytes: thumbnail.bytes });
    facts.push(small.length > 0 ? { ...doc, thumbnails: small.map(toThumbnailDoc) } : doc);
  }
  if (app.objects) {
    await uploadFiles(app, app.objects, made, signal);
    return { outputs: facts, files: [] };
  }
  const files = made.map(smallAsOne);
  if (made.reduce((sum, { bytes }) => sum + bytes.length, 0) <= MAX_SMALL_BYTES)
    return { outputs: facts, files };
  await insertFiles(app.mongo.db, files);
  return { outputs: facts, files: [] };
}

/** A small file becomes one document. */
function smallAsOne(stored: StoredFile): StoredFile {
  return stored.bytes.length > MAX_SMALL_BYTES ? stored : asOneDocument(stored);
}

/** The facts are written first: by them the sweep finds objects, including those of an upload that failed. */
async function uploadFiles(
  app: App,
  objects: ObjectStore,
  files: readonly StoredFile[],
  signal: AbortSignal,
): Promise<void> {
  await insertFacts(
    app.mongo.db,
    files.map(({ file }) => ({ ...file, metadata: { ...file.metadata, stored_in: "object store" } })),
  );
  await Promise.all(
    files.map(({ file: { _id, metadata }, bytes }) =>
      objects.put(
        { key: objectKey(metadata, _id), bytes, mimeType: metadata.mime_type, sha256: metadata.sha256 },
        signal,
      ),
    ),
  );
}

type Described = Omit<MarkedOutput, "contentCredentials"> & Partial<Pick<MarkedOutput, "contentCredentials">>;

function toOutputDoc(outputId: string, output: Described, expiresAt: Date): OutputDoc {
  return {
    output_id: outputId,
    mime_type: output.mimeType,
    bytes: output.bytes.length,
    sha256: createHash("sha256").update(output.bytes).digest("hex"),
    width: output.width ?? null,
    height: output.height ?? null,
    duration_seconds: output.durationSeconds ?? null,
    expires_at: expiresAt,
    ...(output.understood && { understood: output.understood }),
    ...(output.contentCredentials && { content_credentials: output.contentCredentials }),
  };
}

type Named = Thumbnail & { readonly id: string };

function toThumbnailDoc({ id, bytes, width, height }: Named): ThumbnailDoc {
  return { file_id: id, bytes: bytes.length, width, height };
}

/** A file like any other of the job, so that it is read, kept elsewhere, swept and erased in the same way. */
function thumbnailFile(
  { id, bytes, width, height }: Named,
  { expires_at }: OutputDoc,
  owner: Owner,
  index: number,
  now: Date,
): OutputFile {
  const output = { bytes, mimeType: THUMBNAIL_TYPE, width, height };
  return toFile(toOutputDoc(id, output, expires_at), owner, `${index}/${width}`, now);
}

function toFile(doc: OutputDoc, { accountId, jobId }: Owner, name: string, now: Date): OutputFile {
  const { output_id, bytes, understood: _, content_credentials: __, ...facts } = doc;
  return {
    _id: output_id,
    length: bytes,
    chunkSize: CHUNK_BYTES,
    uploadDate: now,
    filename: `${jobId}/${name}`,
    metadata: { ...facts, account_id: accountId, job_id: jobId },
  };
}
