// Licences with their files, files and downloads as clients see them.
import type {
  DownloadResource,
  LibraryLicenceResource,
  ProductFileResource,
} from "../../../proto/resources/library.ts";
import { toLicence } from "../memberships/resource.ts";
import { termsVersion } from "../memberships/rules.ts";
import type { LibraryRow } from "./list-library.ts";
import type { DownloadDoc, ProductFileDoc } from "./store.ts";

/** The contents of a ZIP are shown with its product. */
export function toProductFile({
  _id,
  contents: _contents,
  added_at,
  ...file
}: ProductFileDoc): ProductFileResource {
  return { file_id: _id, ...file, added_at: added_at.toISOString() };
}

export function toLibraryLicence({ licence, files }: LibraryRow): LibraryLicenceResource {
  return {
    ...toLicence(licence),
    terms_version: termsVersion(licence),
    order_id: licence.order_id ?? null,
    files: files.map(toProductFile),
  };
}

export function toDownload(download: DownloadDoc): DownloadResource {
  const { _id, file_id, product_slug, name, version, licence_id, network, requests } = download;
  return {
    download_id: _id,
    file_id,
    product_slug,
    name,
    version,
    licence_id,
    network,
    requests,
    first_at: download.first_at.toISOString(),
    last_at: download.last_at.toISOString(),
  };
}
