// The Library service: decode, call the verb, encode.
import { toMessage, toMessages } from "../../../proto/codec.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { downloadSchema, libraryLicenceSchema, productFileSchema } from "../../../proto/resources/library.ts";
import { reviewTextSchema } from "../../../proto/resources/review.ts";
import type { LibraryDefinition } from "../../../proto/types/atelier/v1/Library.ts";
import type { ListDownloadsReplyInput } from "../../../proto/types/atelier/v1/ListDownloadsReply.ts";
import type { ProductFileInput } from "../../../proto/types/atelier/v1/ProductFile.ts";
import type { ReadProductFileChunkInput } from "../../../proto/types/atelier/v1/ReadProductFileChunk.ts";
import type { ReadProductFileRequest } from "../../../proto/types/atelier/v1/ReadProductFileRequest.ts";
import type { Permits } from "../../../runtime/permits.ts";
import { checkStanding } from "../../identity/accounts/get-account.ts";
import { signedInAccount } from "../../identity/accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import { createDownloads, inMessages } from "../../kernel/outputs/open.ts";
import type { PageRequest } from "../../kernel/page.ts";
import type { Call, Handlers } from "../../kernel/rpc.ts";
import { namedProductsOf, withdrawnOf } from "../catalog/find-product.ts";
import { endAlert, isAlertWanted, wantAlert } from "./alerts.ts";
import { describeFiles } from "./describe-files.ts";
import { listDownloads, listLibrary } from "./list-library.ts";
import { openProductFile } from "./read-product-file.ts";
import { toDownload, toLibraryLicence, toProductFile } from "./resource.ts";
import { listRatings, listReviews, removeOwnReview, toReview, writeReview } from "./reviews.ts";
import { signFileAccess, verifyFileAccess } from "./sign.ts";
import type { ProductFileDoc } from "./store.ts";

export function libraryHandlers(app: App): Handlers<LibraryDefinition> {
  const downloads = createDownloads(app);
  const begun = app.metrics.counter(
    "downloads_total",
    "Requests for a product's file, or a part of one, that were answered with bytes.",
    [],
  );
  return {
    async ListLibrary(request, { caller }) {
      const { rows, nextCursor } = await listLibrary(app, await signedInAccount(app, caller), request);
      return {
        licences: toMessages(libraryLicenceSchema, rows.map(toLibraryLicence)),
        next_cursor: nextCursor,
        withdrawn_product_ids: await withdrawnOf(
          app,
          rows.map(({ licence }) => licence.product_id),
        ),
      };
    },
    async SignFile({ file_id: fileId }, { caller }) {
      const access = await signFileAccess(app, { accountId: await signedInAccount(app, caller), fileId });
      return { access, expires_at: new Date(access.expires * 1000).toISOString() };
    },
    ListDownloads: async (request, { caller }) =>
      downloadPage(app, await signedInAccount(app, caller), request),
    DescribeFiles: async ({ product_slug: slug }) => ({ files: await describeFiles(app, slug) }),
    ListReviews: async ({ product_slug: slug }, { caller }) =>
      listReviews(app, slug, caller.kind === "none" ? undefined : await signedInAccount(app, caller)),
    ListRatings: async ({ product_ids: ids }) => ({ ratings: await listRatings(app, ids) }),
    async PutReview({ product_slug: slug, ...request }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      return toReview(
        await writeReview(app, accountId, { slug, ...parseRequest(reviewTextSchema, request) }),
      );
    },
    async RemoveReview({ product_slug: slug }, { caller }) {
      await removeOwnReview(app, await signedInAccount(app, caller), slug);
      return {};
    },
    GetProductAlert: async ({ product_slug: slug }, { caller }) => ({
      wanted: await isAlertWanted(app, await signedInAccount(app, caller), slug),
    }),
    async SetProductAlert({ product_slug: slug, wanted }, { caller }) {
      await (wanted ? wantAlert : endAlert)(app, await signedInAccount(app, caller), slug);
      return { wanted };
    },
    ReadProductFile: (request, call) =>
      readFile(app, { downloads, onBegin: () => begun.inc() }, request, call),
  };
}

export async function downloadPage(
  app: App,
  accountId: string,
  request: PageRequest,
): Promise<ListDownloadsReplyInput> {
  const { rows, nextCursor } = await listDownloads(app, accountId, request);
  return {
    downloads: toMessages(downloadSchema, rows.map(toDownload)),
    next_cursor: nextCursor,
    products: await namedProductsOf(
      app,
      rows.map(({ product_slug }) => product_slug),
    ),
  };
}

export function productFileMessage(file: ProductFileDoc): ProductFileInput {
  return toMessage(productFileSchema, toProductFile(file));
}

async function* readFile(
  app: App,
  { downloads, onBegin }: { downloads: Permits<"account">; onBegin: () => void },
  request: ReadProductFileRequest,
  { caller, address }: Call,
): AsyncGenerator<ReadProductFileChunkInput> {
  const { file_id: fileId, signed, offset, length } = request;
  const accountId = signed
    ? verifyFileAccess(app, { ...signed, fileId })
    : await signedInAccount(app, caller);
  if (signed) await checkStanding(app, accountId);
  const { file, range, read } = await openProductFile(app, { accountId, fileId, offset, length });
  const leave = request.head_only ? () => {} : downloads.take({ account: accountId });
  try {
    yield { head: { file: productFileMessage(file), ...range } };
    if (request.head_only) return;
    onBegin();
    for await (const data of inMessages(read({ address }))) yield { data };
  } finally {
    leave();
  }
}
