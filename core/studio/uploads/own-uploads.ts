// What an account does with its uploads: look, list, take away. Another account's looks exactly like one that does not exist.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { letGo } from "../../kernel/outputs/keep.ts";
import { type Page, type PageRequest, readPage, toPage } from "../../kernel/page.ts";
import { forgetOutputs } from "../../kernel/outputs/forget.ts";
import {
  deleteUpload,
  deleteUploads,
  findUpload,
  findUploads,
  type ReadyUpload,
  type UploadDoc,
} from "./store.ts";

const ERASED_AT_A_TIME = 100;

/** Throws upload_not_found, also for one that has not arrived. */
export async function findOwnUpload(app: App, accountId: string, uploadId: string): Promise<ReadyUpload> {
  const upload = await findUpload(app.mongo.db, { accountId, uploadId });
  // MongoDB removes it later; what has expired is gone for its owner immediately.
  if (!upload?.facts || upload.expires_at <= app.clock.now()) throw new AppError("upload_not_found");
  return { ...upload, facts: upload.facts };
}

/** The next sweep removes the file, unless a job that was accepted with it may still run. Throws upload_not_found. */
export async function deleteOwnUpload(app: App, accountId: string, uploadId: string): Promise<void> {
  const deleted = await deleteUpload(app.mongo.db, { accountId, uploadId });
  if (!deleted) throw new AppError("upload_not_found");
  await letGo(app, uploadId, app.clock.now());
}

/** Newest first, on their way or here. Throws invalid_request naming the parameter. */
export async function listUploads(
  app: App,
  accountId: string,
  request: PageRequest,
): Promise<Page<UploadDoc>> {
  const { limit, after } = readPage(request);
  const found = await findUploads(app.mongo.db, { accountId, beforeId: after }, limit + 1);
  return toPage(found, limit, ({ _id }) => _id);
}

/** All of an account that is deleted, files included. */
export async function forgetUploads(app: App, accountId: string): Promise<void> {
  for (;;) {
    const found = await findUploads(app.mongo.db, { accountId, beforeId: undefined }, ERASED_AT_A_TIME);
    if (found.length === 0) return;
    const ids = found.map(({ _id }) => _id);
    // The files first: interrupted in between, they are found again.
    await forgetOutputs(app, ids);
    await deleteUploads(app.mongo.db, ids);
  }
}
