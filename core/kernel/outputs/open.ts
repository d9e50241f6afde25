// Opens a stored file for reading, whole or in part.
import { AppError } from "../../../proto/codes.ts";
import { createPermits, type Permits } from "../../../runtime/permits.ts";
import type { App } from "../app.ts";
import { type ByteRange, clipRange, objectKey } from "./rules.ts";
import {
  type FileDoc,
  findFile,
  findFiles,
  findOutputOf,
  type OutputDoc,
  type OutputFile,
  readFile,
} from "./store.ts";

export type OutputHead = ByteRange & {
  mimeType: string;
  /** The size of the whole file. */
  bytes: number;
  sha256: string;
  expiresAt: Date;
};

export type OpenedOutput = {
  head: OutputHead;
  /** Reads the range that head names, again with each call. */ stream(): AsyncIterable<Uint8Array>;
};

/** Throws not_found, the same for a file that never existed, belongs to another account or job, has expired or was deleted. */
export async function openOutput(
  app: App,
  wanted: { accountId: string; jobId: string; outputId: string } & ByteRange,
): Promise<OpenedOutput> {
  const { db } = app.mongo;
  const file = await findFile(db, wanted);
  // The sweep comes later; readers lose an expired file immediately.
  if (!file || isGone(file, app.clock.now())) throw new AppError("not_found");
  return opened(app, file, wanted, file.metadata.expires_at);
}

function isGone({ metadata }: OutputFile, now: Date): boolean {
  return metadata.deleted_at !== undefined || metadata.expires_at <= now;
}

/** Returns any file that something names; undefined if it is not kept any more. */
export async function openFile(
  app: App,
  fileId: string,
  wanted: ByteRange,
): Promise<OpenedOutput | undefined> {
  const [file] = await findFiles(app.mongo.db, [fileId]);
  const now = app.clock.now();
  const { expires_at = now, needed_until: neededUntil = now } = file?.metadata ?? {};
  // A deleted file is kept for jobs that were given it, and for no one else.
  const expiresAt = file && "deleted_at" in file.metadata ? now : expires_at;
  const until = neededUntil > expiresAt ? neededUntil : expiresAt;
  return file && until > now ? opened(app, file, wanted, until) : undefined;
}

function opened(app: App, file: FileDoc, wanted: ByteRange, expiresAt: Date): OpenedOutput {
  const range = clipRange(file.length, wanted);
  const { mime_type: mimeType, sha256 } = file.metadata;
  return {
    head: { mimeType, bytes: file.length, sha256, expiresAt, ...range },
    stream: () => readBytes(app, file, range),
  };
}

/** Returns an output of any job of the account; undefined if there is none, or not any more. */
export async function findOwnOutput(
  app: App,
  key: { accountId: string; outputId: string },
): Promise<OutputDoc | undefined> {
  const file = await findOutputOf(app.mongo.db, key);
  if (!file || isGone(file, app.clock.now())) return undefined;
  const { mime_type, sha256, width, height, duration_seconds, expires_at } = file.metadata;
  const facts = { mime_type, sha256, width, height, duration_seconds, expires_at };
  return { output_id: file._id, bytes: file.length, ...facts };
}

/** Everything that is needed to read stored files. */
export type FilesApp = Pick<App, "mongo" | "objects">;

/** Reads a range of any stored file. */
export function readBytes(
  app: FilesApp,
  file: FileDoc,
  { offset, length }: ByteRange,
): AsyncIterable<Uint8Array> {
  if (!file.metadata.stored_in) return readFile(app.mongo.db, file, offset, length);
  if (!app.objects)
    throw new Error(`file ${file._id} is in an object store, and none is configured here any more`);
  return app.objects.read(objectKey(file.metadata, file._id), offset, length);
}

/** The bytes of a file in one message. Streams hold sixteen messages at each end, for as long as their reader lets them. */
const PIECE_BYTES = 32 * 1024;

/** Permits for files that are being read, by account. */
export function createDownloads(app: App): Permits<"account"> {
  const { rateLimits, downloadsPerAccount } = app.config;
  const most = rateLimits ? downloadsPerAccount : Number.POSITIVE_INFINITY;
  return createPermits({ account: { most, words: "files of this account being read" } });
}

export async function* inMessages(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const data of bytes)
    for (let at = 0; at < data.length; at += PIECE_BYTES) yield data.subarray(at, at + PIECE_BYTES);
}
