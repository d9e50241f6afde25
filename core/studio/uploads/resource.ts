// An upload as its owner sees it.
import type { UploadResource } from "../../../proto/resources/upload.ts";
import type { ReadyUpload } from "./store.ts";

export function toUpload({ _id, facts, expires_at }: ReadyUpload): UploadResource {
  return { upload_id: _id, ...facts, expires_at: expires_at.toISOString() };
}
