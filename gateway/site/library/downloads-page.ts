// /library/downloads: what was downloaded with the person's licences, so that one that was not them is noticed.
import type { DownloadResource } from "../../../proto/resources/library.ts";
import type { DownloadedProduct } from "../../../proto/types/atelier/v1/DownloadedProduct.ts";
import { linkButton } from "../design/button.ts";
import { count } from "../design/format.ts";
import { type Children, html } from "../design/markup.js";
import { emptyState } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { timeOf } from "../design/time.ts";
import { DOWNLOADS_PATH, LIBRARY_PATH } from "../layout/library-paths.ts";
import { productPath } from "../layout/product-paths.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { askPath } from "../support/support-paths.ts";

export type DownloadsView = {
  person: Person;
  downloads: readonly DownloadResource[];
  /** By slug. */
  products: ReadonlyMap<string, DownloadedProduct>;
  cursor: string;
  nextCursor: string;
};

export function downloadsPage({ person, downloads, products, cursor, nextCursor }: DownloadsView): Page {
  return {
    title: "Downloads",
    person,
    path: DOWNLOADS_PATH,
    body: html`<div class="stack stack--loose">
      <div class="cluster cluster--apart">
        <h1>Downloads</h1>
        <a href=${LIBRARY_PATH}>Back to the library</a>
      </div>
      <p>
        We keep this list for 400 days. See one that wasn’t you? End the sessions you don’t recognise in${" "}
        <a href="/account/sessions">your settings</a>, and <a href=${askPath("licence")}>tell us</a>.
      </p>
      ${
        downloads.length === 0
          ? emptyState({
              title: cursor === "" ? "No downloads yet" : "That’s all of them",
              body: "Each file you download is listed here, with when and from which network.",
            })
          : table({
              caption: "Downloads, newest first",
              columns: ["File", "Version", "Product", "When", "Network", { label: "Times", isNumber: true }],
              rows: downloads.map((download) => [
                download.name,
                download.version,
                productName(download, products.get(download.product_slug)),
                timeOf(download.first_at),
                download.network === "" ? "unknown" : download.network,
                count(download.requests),
              ]),
            })
      }
      ${nextCursor !== "" && html`<p>${linkButton({ href: `${DOWNLOADS_PATH}?cursor=${encodeURIComponent(nextCursor)}`, label: "Older downloads", kind: "quiet" })}</p>`}
    </div>`,
  };
}

function productName(
  { product_slug: slug }: DownloadResource,
  product: DownloadedProduct | undefined,
): Children {
  return product?.has_page ? html`<a href=${productPath(slug)}>${product.name}</a>` : (product?.name ?? slug);
}
