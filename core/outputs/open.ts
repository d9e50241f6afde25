// Opens a stored file for reading, whole or in part.
import { AppError } from "../../proto/codes.ts";
import type { App } from "../app.ts";
import { clipRange, objectKey, type Range } from "./rules.ts";
import { type FileDoc, findFile, readFile } from "./store.ts";

export type OutputHead = Range & {
  mimeType: string;
  /** Of the whole file. */
  bytes: number;
  sha256: string;
  expiresAt: Date;
};

export type OpenedOutput = {
  head: OutputHead;
  /** Reads the range that head names, anew with each call. */ stream(): AsyncIterable<Uint8Array>;
};

/** Throws not_found, the same for a file that never was, is another account's or job's, or has expired. */
export async function openOutput(
  app: App,
  wanted: { accountId: string; jobId: string; outputId: string } & Range,
): Promise<OpenedOutput> {
  const { db } = app.mongo;
  const file = await findFile(db, wanted);
  // The sweep comes later; what has expired is gone for readers at once.
  if (!file || file.metadata.expires_at <= app.clock.now()) throw new AppError("not_found");
  const range = clipRange(file.length, wanted);
  const { mime_type: mimeType, sha256, expires_at: expiresAt } = file.metadata;
  return {
    head: { mimeType, bytes: file.length, sha256, expiresAt, ...range },
    stream: () => readBytes(app, file, range),
  };
}

/** A range of any stored file. */
export function readBytes(app: App, file: FileDoc, { offset, length }: Range): AsyncIterable<Uint8Array> {
  if (!file.metadata.stored_in) return readFile(app.mongo.db, file, offset, length);
  if (!app.objects)
    throw new Error(`file ${file._id} is in an object store, and none is configured here any more`);
  return app.objects.read(objectKey(file.metadata, file._id), offset, length);
}
