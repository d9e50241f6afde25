// URLs that accept a file: the service's own, or one of the object store, from which the file is fetched and examined once it was sent.
import { AppError, invalidField } from "../../../proto/codes.ts";
import { MAX_UPLOAD_BYTES, type UploadAddressResource } from "../../../proto/resources/upload.ts";
import { type ObjectStore, ObjectStoreError } from "../../base/objects/object-store.ts";
import type { App } from "../../kernel/app.ts";
import { expectObject } from "../../kernel/outputs/keep.ts";
import { objectKey } from "../../kernel/outputs/rules.ts";
import {
  addUpload,
  type Arrival,
  fillUpload,
  forgetFile,
  type UploadReceiver,
  newUpload,
} from "./receive.ts";
import { ADDRESS_MS, ARRIVAL_MS } from "./rules.ts";
import { signUploadUrl, spentAddress } from "./sign.ts";
import { type ReadyUpload, saveArriving, type UploadDoc } from "./store.ts";

/** The stored object of a file that was sent but not yet examined. It is swept like any file. */
const rawFileOf = (uploadId: string) => `${uploadId}_raw`;

/** Throws invalid_request and upload_limit_reached. `bytes` 0 means unknown. */
export async function createUploadAddress(
  app: App,
  accountId: string,
  { bytes, direct }: { bytes: number; direct: boolean },
): Promise<UploadAddressResource> {
  checkBytes(bytes, direct);
  const expiresAt = new Date(app.clock.now().getTime() + ADDRESS_MS);
  const maxBytes = bytes || MAX_UPLOAD_BYTES;
  const upload = newUpload(app, accountId, { state: "awaited", origin: "sent", expiresAt, maxBytes });
  await addUpload(app, upload);
  const told = {
    upload_id: upload._id,
    method: "PUT",
    max_bytes: maxBytes,
    expires_at: expiresAt.toISOString(),
  };
  if (!direct || !app.objects)
    return { ...told, url: signUploadUrl(app, upload), headers: {}, finish_url: null };
  const key = await expectObject(app, {
    fileId: rawFileOf(upload._id),
    owner: { account_id: accountId, upload_id: upload._id },
    // Later than the expiry of the URL, so that a file sent in time can still be completed.
    expiresAt: new Date(expiresAt.getTime() + ARRIVAL_MS),
  });
  const { url, headers } = await app.objects.signPut(key, { bytes, seconds: ADDRESS_MS / 1000 });
  return { ...told, url, headers, finish_url: `${app.generationBaseUrl}/api/uploads/${upload._id}/finish` };
}

/**
 * Stores the file of an upload that was announced by a URL; the caller holds a place for it. Throws upload_not_found if the URL was used or
 * has expired.
 */
export async function sendToAddress(
  app: App,
  receiver: UploadReceiver,
  key: { accountId: string; uploadId: string },
  arrival: Arrival,
): Promise<ReadyUpload> {
  return fillUpload(app, receiver, await takeAddress(app, key), arrival);
}

/** Like sendToAddress, for a file that was sent to the object store. Throws upload_not_found if none was sent. */
export async function finishUpload(
  app: App,
  receiver: UploadReceiver,
  key: { accountId: string; uploadId: string },
  signal: AbortSignal,
): Promise<ReadyUpload> {
  const { objects } = app;
  if (!objects) throw spentAddress();
  const leave = receiver.places.take({ account: key.accountId });
  try {
    const upload = await takeAddress(app, key);
    const rawId = rawFileOf(key.uploadId);
    const raw = objectKey({ account_id: key.accountId, upload_id: key.uploadId }, rawId);
    try {
      return await fillUpload(app, receiver, upload, {
        pieces: readRaw(objects, raw, upload.max_bytes),
        signal,
      });
    } finally {
      await forgetFile(app, rawId);
    }
  } finally {
    leave();
  }
}

async function* readRaw(objects: ObjectStore, key: string, bytes: number): AsyncGenerator<Uint8Array> {
  try {
    yield* objects.read(key, 0, bytes);
  } catch (error) {
    if (!(error instanceof ObjectStoreError && error.status === 404)) throw error;
    throw new AppError("upload_not_found", {
      message: "No file was sent to the address of this upload.",
      hint: "Ask for a new address, PUT the file there, and finish it then.",
    });
  }
}

async function takeAddress(app: App, key: { accountId: string; uploadId: string }): Promise<UploadDoc> {
  const now = app.clock.now();
  const expiresAt = new Date(now.getTime() + ARRIVAL_MS);
  const upload = await saveArriving(app.mongo.db, key, { now, expiresAt });
  if (!upload) throw spentAddress();
  return upload;
}

function checkBytes(bytes: number, direct: boolean): void {
  if (Number.isSafeInteger(bytes) && bytes <= MAX_UPLOAD_BYTES && bytes >= (direct ? 1 : 0)) return;
  throw invalidField("bytes", `must be a number of bytes up to ${MAX_UPLOAD_BYTES}`);
}
