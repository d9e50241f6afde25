// Addresses of the library.
import type { LibraryLicenceResource } from "../../../proto/resources/library.ts";
import type { LicenceKind } from "../../../proto/resources/membership.ts";

export const LIBRARY_PATH = "/library";
export const DOWNLOADS_PATH = `${LIBRARY_PATH}/downloads`;

/** Addresses that need a session. */
export function filePath(fileId: string): string {
  return `${LIBRARY_PATH}/files/${fileId}`;
}

export function termsPath(kind: LicenceKind, version?: number): string {
  return `/licences/${kind}${version === undefined ? "" : `?version=${version}`}`;
}

type SignedAccess = { account: string; expires: number; signature: string };

/** A signed address that needs no session and is valid for ten minutes. */
export function linkedFilePath(fileId: string, { account, expires, signature }: SignedAccess): string {
  const query = new URLSearchParams({ account, expires: String(expires), signature });
  return `${LIBRARY_PATH}/linked/${fileId}?${query.toString()}`;
}

/** The file of a licence that has one, otherwise the list of its files. */
export function downloadPath({
  licence_id,
  files: [file, ...others],
}: Pick<LibraryLicenceResource, "licence_id" | "files">): string {
  return file && others.length === 0 ? filePath(file.file_id) : `${LIBRARY_PATH}#${licence_id}`;
}
