// Reading, listing and deleting the uploads of an account. Uploads of other accounts are not found.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { forgetOutputs } from "../../kernel/outputs/expire.ts";
import { letGo } from "../../kernel/outputs/keep.ts";
import { pageById, type PageRequest } from "../../kernel/page.ts";
import { deleteUpload, deleteUploads, findUpload, findUploads, type ReadyUpload } from "./store.ts";

const ERASED_AT_A_TIME = 100;

/** Throws upload_not_found, also for an upload that has not arrived. */
export async function findOwnUpload(app: App, accountId: string, uploadId: string): Promise<ReadyUpload> {
  const upload = await findUpload(app.mongo.db, { accountId, uploadId });
  // MongoDB removes it later; for its owner it is gone when it expires.
  if (!upload?.facts || upload.expires_at <= app.clock.now()) throw new AppError("upload_not_found");
  return { ...upload, facts: upload.facts };
}

/** The next sweep removes the file, unless an accepted job may still need it. Throws upload_not_found. */
export async function deleteOwnUpload(app: App, accountId: string, uploadId: string): Promise<void> {
  const deleted = await deleteUpload(app.mongo.db, { accountId, uploadId });
  if (!deleted) throw new AppError("upload_not_found");
  await letGo(app, uploadId, app.clock.now());
}

/** Newest first, including incomplete uploads. Throws invalid_request naming the parameter. */
export function listUploads(app: App, accountId: string, request: PageRequest) {
  return pageById(request, (beforeId, limit) => findUploads(app.mongo.db, { accountId, beforeId }, limit));
}

/** Deletes all uploads of a deleted account with their files. */
export async function forgetUploads(app: App, accountId: string): Promise<void> {
  for (;;) {
    const found = await findUploads(app.mongo.db, { accountId, beforeId: undefined }, ERASED_AT_A_TIME);
    if (found.length === 0) return;
    const ids = found.map(({ _id }) => _id);
    // Files are deleted first, so that an interrupted deletion finds them again.
    await forgetOutputs(app, ids);
    await deleteUploads(app.mongo.db, ids);
  }
}
