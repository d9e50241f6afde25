// Receives a file: counts, cleans and stores it. A refused file leaves nothing behind.
import { AppError } from "../../../proto/codes.ts";
import { MODALITIES, type Modality } from "../../../proto/resources/job.ts";
import { MAX_UPLOAD_BYTES } from "../../../proto/resources/upload.ts";
import { createPermits, type Permits } from "../../../runtime/permits.ts";
import { ObjectStoreError } from "../../base/objects/object-store.ts";
import type { Resolve } from "../../base/outbound/dial.ts";
import type { App } from "../../kernel/app.ts";
import { forgetOutputs } from "../../kernel/outputs/expire.ts";
import { keepBytes, keepUntil } from "../../kernel/outputs/keep.ts";
import { clean } from "./clean.ts";
import { type AddressFetcher, createAddressFetcher } from "./fetch-address.ts";
import { createImageCleaner, type ImageCleaner } from "./image.ts";
import {
  ARRIVAL_MS,
  type CleanedMedia,
  MAX_KEPT_BYTES,
  refuseKept,
  tooLarge,
  uploadExpiry,
} from "./rules.ts";
import {
  deleteUpload,
  findSameUpload,
  insertUpload,
  type ReadyUpload,
  saveReady,
  sumUploads,
  type UploadDoc,
  type UploadInfo,
} from "./store.ts";

const MIB = 2 ** 20;

/** Shared by all uploads of a process. */
export type UploadReceiver = {
  readonly places: Permits<"account">;
  readonly cleanImage: ImageCleaner;
  readonly addresses: AddressFetcher;
  close(): Promise<void>;
};

export function createUploadReceiver(app: Pick<App, "config">, resolve?: Resolve): UploadReceiver {
  const { rateLimits, uploadsPerAccount } = app.config;
  const most = rateLimits ? uploadsPerAccount : Number.POSITIVE_INFINITY;
  const addresses = createAddressFetcher(app.config, resolve);
  return {
    places: createPermits({ account: { most, words: "files of this account on their way here" } }),
    cleanImage: createImageCleaner(),
    addresses,
    close: () => addresses.close(),
  };
}

export type Arrival = {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  /** Default: any kind. */
  readonly kinds?: readonly Modality[];
};

/**
 * Receives a new upload of the account, for which the caller holds a place. Throws unsupported_input, upload_too_large,
 * upload_limit_reached, and errors of `pieces`.
 */
export async function receiveUpload(
  app: App,
  receiver: UploadReceiver,
  accountId: string,
  arrival: Arrival & { readonly origin?: UploadDoc["origin"]; readonly expiresAt?: Date },
): Promise<ReadyUpload> {
  const { origin = "sent" } = arrival;
  const expiresAt = new Date(app.clock.now().getTime() + ARRIVAL_MS);
  const upload = newUpload(app, accountId, { state: "arriving", origin, expiresAt });
  await addUpload(app, upload);
  return fillUpload(app, receiver, upload, arrival);
}

/** An earlier upload of the account with the same content, which replaces `fresh`. */
export async function reuseEarlier(app: App, fresh: ReadyUpload): Promise<ReadyUpload> {
  const earlier = await findSameUpload(app.mongo.db, fresh, app.clock.now());
  if (earlier) await dropUpload(app, fresh);
  return earlier ?? fresh;
}

export function newUpload(
  app: App,
  accountId: string,
  {
    expiresAt,
    maxBytes = MAX_UPLOAD_BYTES,
    ...rest
  }: Pick<UploadDoc, "state" | "origin"> & { expiresAt: Date; maxBytes?: number },
): UploadDoc {
  return {
    _id: app.newId("upl"),
    account_id: accountId,
    max_bytes: maxBytes,
    facts: null,
    created_at: app.clock.now(),
    expires_at: expiresAt,
    ...rest,
  };
}

/** Counted after storing, so that concurrent uploads cannot exceed the limit. */
export async function addUpload(app: App, upload: UploadDoc): Promise<void> {
  await insertUpload(app.mongo.db, upload);
  const refusal = await checkKept(app, upload.account_id);
  if (!refusal) return;
  await dropUpload(app, upload);
  throw refusal;
}

/** Stores the bytes of an announced upload, which is deleted on any error. */
export async function fillUpload(
  app: App,
  receiver: UploadReceiver,
  upload: UploadDoc,
  { pieces, signal, kinds = MODALITIES, expiresAt }: Arrival & { readonly expiresAt?: Date },
): Promise<ReadyUpload> {
  const { _id: uploadId, account_id: accountId, max_bytes: maxBytes } = upload;
  try {
    const facts = await store(app, upload, {
      cleaned: clean(pieces, { maxBytes, kinds, cleanImage: receiver.cleanImage, signal }),
    });
    const until = expiresAt ?? uploadExpiry(app.clock.now(), app.config.uploadDays);
    await keepUntil(app, uploadId, until);
    const isWanted = await saveReady(app.mongo.db, { accountId, uploadId }, { facts, expiresAt: until });
    // Its account was deleted in the meantime, or it took too long.
    if (!isWanted) throw new AppError("upload_not_found");
    const refusal = await checkKept(app, accountId);
    if (refusal) throw refusal;
    return { ...upload, state: "ready", facts, expires_at: until };
  } catch (error) {
    await dropUpload(app, upload);
    throw error;
  }
}

export async function dropUpload(
  app: App,
  { _id: uploadId, account_id: accountId }: Pick<UploadDoc, "_id" | "account_id">,
): Promise<void> {
  await deleteUpload(app.mongo.db, { accountId, uploadId });
  await forgetFile(app, uploadId);
}

/** Removes a file. One that the object store does not remove now is removed when it expires: it must not change the answer. */
export async function forgetFile(app: App, fileId: string): Promise<void> {
  try {
    await forgetOutputs(app, [fileId]);
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    app.log.warn(
      { err: error, file: fileId },
      "the object store did not remove a file, which is removed later",
    );
  }
}

async function store(
  app: App,
  { _id: uploadId, account_id }: UploadDoc,
  { cleaned }: { cleaned: AsyncGenerator<Uint8Array, CleanedMedia> },
): Promise<UploadInfo> {
  let media: CleanedMedia | undefined;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    media = yield* cleaned;
  }
  const { bytes, sha256 } = await keepBytes(
    app,
    {
      fileId: uploadId,
      owner: { account_id, upload_id: uploadId },
      name: uploadId,
      mimeType: () => media?.mimeType ?? "application/octet-stream",
      maxBytes: MAX_KEPT_BYTES.video,
      tooLarge: () => tooLarge(MAX_KEPT_BYTES.video, "A file"),
    },
    pieces(),
  );
  if (!media) throw new Error("an upload ended before it was known what it is");
  const { kind, mimeType, width, height, durationSeconds } = media;
  if (bytes > MAX_KEPT_BYTES[kind]) throw tooLarge(MAX_KEPT_BYTES[kind], "Re-encoded, a file of this kind");
  return { kind, mime_type: mimeType, bytes, sha256, width, height, duration_seconds: durationSeconds };
}

async function checkKept(app: App, accountId: string): Promise<AppError | undefined> {
  const { uploadsKept, uploadsKeptMb } = app.config;
  const kept = await sumUploads(app.mongo.db, accountId, app.clock.now());
  return refuseKept(kept, { count: uploadsKept, bytes: uploadsKeptMb * MIB });
}
