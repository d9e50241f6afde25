// The part of the Admin service for the library: product files, downloads and reviews.
import { parseRequest } from "../../../proto/resources/issues.ts";
import { productFileHeadlineSchema } from "../../../proto/resources/library.ts";
import type { AddProductFilePart } from "../../../proto/types/atelier/v1/AddProductFilePart.ts";
import type { AdminDefinition } from "../../../proto/types/atelier/v1/Admin.ts";
import { getAnyAccount } from "../../identity/accounts/get-account.ts";
import { recordWrite } from "../../identity/audit-trail/record-write.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { addProductFile, listProductFiles, removeProductFile } from "../../shop/library/add-product-file.ts";
import { hideReview, listProductReviews, toReviewForOperators } from "../../shop/library/reviews.ts";
import { downloadPage, productFileMessage } from "../../shop/library/rpc.ts";

const NO_HEADLINE = { product_slug: "", name: "", version: "", bytes: 0, sha256: "" };

export function libraryHandlers(app: App) {
  return {
    AddProductFile: async (requests, call) => {
      const parts = requests[Symbol.asyncIterator]();
      // Every upload is recorded, including one that does not begin with a headline.
      const headline = (await parts.next()).value?.headline ?? NO_HEADLINE;
      const { product_slug: target, name, version } = headline;
      return recordWrite(app, call, { target, detail: `${name} ${version}` }, async () => {
        const wanted = parseRequest(productFileHeadlineSchema, headline);
        const { file, added } = await addProductFile(app, wanted, dataOf(parts));
        return { file: productFileMessage(file), added };
      });
    },

    ListProductFiles: async ({ product_slug }) => ({
      files: (await listProductFiles(app, product_slug)).map(productFileMessage),
    }),

    RemoveProductFile: ({ product_slug: productSlug, file_id: fileId }, call) =>
      recordWrite(app, call, { target: productSlug, detail: fileId }, async () =>
        productFileMessage(await removeProductFile(app, { productSlug, fileId })),
      ),

    ListAccountDownloads: async ({ account, ...request }) =>
      downloadPage(app, (await getAnyAccount(app, account))._id, request),

    ListProductReviews: async ({ product_slug: slug, ...request }) => {
      const { rows, nextCursor } = await listProductReviews(app, slug, request);
      return { reviews: rows.map(toReviewForOperators), next_cursor: nextCursor };
    },

    HideReview: ({ review_id: reviewId, undo }, call) =>
      recordWrite(app, call, { target: reviewId, detail: undo ? "undo" : "" }, async () =>
        toReviewForOperators(await hideReview(app, reviewId, !undo)),
      ),
  } satisfies Partial<Handlers<AdminDefinition>>;
}

async function* dataOf(parts: AsyncIterator<AddProductFilePart>): AsyncGenerator<Uint8Array> {
  for (let part = await parts.next(); part.done !== true; part = await parts.next()) yield part.value.data;
}
