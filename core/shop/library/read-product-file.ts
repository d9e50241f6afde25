// Opens a product's file, whole or in part, for the holder of a live licence, and records the download.
import { AppError } from "../../../proto/codes.ts";
import { networkSubject } from "../../../runtime/networks.ts";
import type { App } from "../../kernel/app.ts";
import { readKept } from "../../kernel/outputs/keep.ts";
import { clipRange, type ByteRange } from "../../kernel/outputs/rules.ts";
import { findLiveLicence } from "../memberships/licences.ts";
import type { LicenceDoc } from "../memberships/store.ts";
import { hourOf } from "./rules.ts";
import { countDownload, findProductFile, type ProductFileDoc } from "./store.ts";

/** After this many bytes the licence is checked again. */
const TRUSTED_BYTES = 4 * 2 ** 20;

export type OpenedFile = {
  readonly file: ProductFileDoc;
  /** The requested part. */
  readonly range: ByteRange;
  /** Reads that part, and records the download. Throws not_found in the middle if the licence has ended in the meantime. */
  read(from: { address: string }): AsyncIterable<Uint8Array>;
};

/** Throws the same not_found for a file that never existed, one that was removed, and one for which the account has no live licence. */
export async function openProductFile(
  app: App,
  { accountId, fileId, ...wanted }: { accountId: string; fileId: string } & ByteRange,
): Promise<OpenedFile> {
  const { file, licence } = await allowedFile(app, accountId, fileId);
  const range = clipRange(file.bytes, wanted);
  return {
    file,
    range,
    async *read({ address }) {
      await note(app, { accountId, file, licence, address });
      let trusted = TRUSTED_BYTES;
      for await (const piece of readKept(app, fileId, range)) {
        if (trusted <= 0) {
          await allowedFile(app, accountId, fileId);
          trusted = TRUSTED_BYTES;
        }
        trusted -= piece.length;
        yield piece;
      }
    },
  };
}

/** Throws not_found. */
export async function allowedFile(
  app: App,
  accountId: string,
  fileId: string,
): Promise<{ file: ProductFileDoc; licence: LicenceDoc }> {
  const file = await findProductFile(app.mongo.db, fileId);
  const licence = file && (await findLiveLicence(app, accountId, file.product_id));
  if (!licence) throw new AppError("not_found");
  return { file, licence };
}

async function note(
  app: App,
  {
    accountId,
    file,
    licence,
    address,
  }: { accountId: string; file: ProductFileDoc; licence: LicenceDoc; address: string },
): Promise<void> {
  const now = app.clock.now();
  await countDownload(app.mongo.db, {
    _id: app.newId("dwn"),
    account_id: accountId,
    file_id: file._id,
    network: networkSubject(address),
    hour: hourOf(now),
    licence_id: licence._id,
    product_slug: licence.product_slug,
    name: file.name,
    version: file.version,
    requests: 1,
    first_at: now,
    last_at: now,
  });
}
