// What the signed-in person has of a product, on its page: licence, download, receipt and help.
import type { LibraryLicenceResource } from "../../../proto/resources/library.ts";
import { orderNumber } from "../../../proto/resources/order.ts";
import { linkButton } from "../design/button.ts";
import { label } from "../design/format.ts";
import { html, type Markup } from "../design/markup.js";
import { dateOf } from "../design/time.ts";
import { downloadPath } from "../layout/library-paths.ts";
import { orderPath } from "../shop/shop-paths.ts";
import { askPath } from "../support/support-paths.ts";

export function ownedPart(owned: readonly LibraryLicenceResource[]): Markup {
  return html`<div class="owned">${owned.map((licence) => ownedLicence(licence))}</div>`;
}

function ownedLicence(licence: LibraryLicenceResource): Markup {
  const { kind, granted_at, order_id, files } = licence;
  return html`<div class="stack">
    <p class="owned__what">
      <strong>You own this</strong>: ${label(kind)} licence, since ${dateOf(granted_at)}
    </p>
    <p class="cluster">
      ${linkButton({ href: downloadPath(licence), label: files.length > 0 ? "Download" : "Open the library" })}
      ${order_id !== null && html`<a href=${orderPath(order_id)}>Receipt</a>`}
      <a href=${askPath("licence", order_id === null ? undefined : orderNumber(order_id))}>Help</a>
    </p>
  </div>`;
}
