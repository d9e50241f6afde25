// What there is to know of a product before one has it: what it comes as, and where it belongs.
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import { REFUND_DAYS } from "../../../proto/resources/order.ts";
import type { FileFacts } from "../../../proto/types/atelier/v1/FileFacts.ts";
import { fileSize } from "../design/format.ts";
import { dateOf } from "../design/time.ts";
import { type Children, html, type Markup } from "../design/markup.js";
import { SELLER } from "../../feeds/feed.ts";
import type { Names } from "./ask-catalog.ts";

export function productInfo(
  product: CatalogProductResource,
  { names, files }: { names: Names; files: readonly FileFacts[] },
): Markup {
  const { category, subcategory, published_at: published, updated_at: updated } = product;
  const rows: [string, Children | undefined][] = [
    ["Sold by", SELLER],
    ["Refunds", refundWords(product)],
    ["Format", formatsOf(files)],
    ["Size", files.length === 0 ? undefined : fileSize(files.reduce((sum, { bytes }) => sum + bytes, 0))],
    ["Version", newestVersion(files)],
    ["Category", category === null ? undefined : names.category(category)],
    ["Type", subcategory === null ? undefined : names.category(subcategory)],
    ["Published", published === null ? undefined : dateOf(published)],
    ["Last updated", dateOf(updated)],
  ];
  return html`<dl class="product-facts">
    ${rows.map(
      ([name, value]) =>
        value !== undefined &&
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function refundWords({ effective_price: now, client_price_usd: client }: CatalogProductResource) {
  return (now ?? 0) > 0 || (client ?? 0) > 0
    ? `On the page of your order, for ${REFUND_DAYS} days after paying`
    : undefined;
}

/** ZIP, PDF */
function formatsOf(files: readonly FileFacts[]): string | undefined {
  const endings = files.flatMap(({ name }) => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toUpperCase() ?? []);
  return endings.length === 0 ? undefined : [...new Set(endings)].sort().join(", ");
}

function newestVersion(files: readonly FileFacts[]): string | undefined {
  return files.map(({ version }) => version).sort((a, b) => b.localeCompare(a, "en", { numeric: true }))[0];
}
