// /library: what the person has licences of, each with its files, its terms and its receipt.
import { currentTerms, findTerms } from "../../../proto/resources/licence-terms.ts";
import type { LibraryLicenceResource, ProductFileResource } from "../../../proto/resources/library.ts";
import { csrfField } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { copyButton } from "../design/copy-button.ts";
import { fileSize, label } from "../design/format.ts";
import { dateOf, timeOf } from "../design/time.ts";
import { emptyState, notice } from "../design/notice.ts";
import { termsLine } from "../design/terms.ts";
import { html, type Markup } from "../design/markup.js";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { askPath } from "../support/support-paths.ts";
import { DOWNLOADS_PATH, filePath, LIBRARY_PATH, termsPath } from "../layout/library-paths.ts";

/** One that was made by the press that this page answers. */
export type CopiedLink = { fileId: string; url: string; expiresAt: string };

export type LibraryView = {
  person: Person;
  licences: readonly LibraryLicenceResource[];
  /** Empty on the first page. */
  cursor: string;
  /** Empty on the last page. */
  nextCursor: string;
  link?: CopiedLink;
};

export function libraryPage(view: LibraryView): Page {
  const { person, licences, cursor, nextCursor } = view;
  return {
    title: "Library",
    person,
    path: LIBRARY_PATH,
    styles: ["account.css", "studio.css", "library.css"],
    scripts: ["copy.js"],
    body: html`<div class="stack stack--loose">
      <div class="cluster cluster--apart">
        <h1>Library</h1>
        <a href=${DOWNLOADS_PATH}>Downloads</a>
      </div>
      ${licences.length > 0 ? html`<div class="stack">${licences.map((licence) => card(view, licence))}</div>` : nothingYet(cursor)}
      ${nextCursor !== "" && html`<p>${linkButton({ href: `${LIBRARY_PATH}?cursor=${encodeURIComponent(nextCursor)}`, label: "Older purchases", kind: "quiet" })}</p>`}
    </div>`,
  };
}

function nothingYet(cursor: string): Markup {
  if (cursor !== "") return html`<p>That’s everything.</p>`;
  return emptyState({
    title: "Nothing here yet",
    body: "Everything you buy or get for free is kept here: files, updates and receipts.",
    action: linkButton({ href: "/products", label: "Browse products" }),
  });
}

const SOURCES: Readonly<Record<LibraryLicenceResource["source"], string>> = {
  purchase: "Bought",
  membership: "Included in your membership, since",
  grant: "Given to you by support",
};

function card(view: LibraryView, licence: LibraryLicenceResource): Markup {
  const { licence_id, product_slug, product_name, kind, source, status, granted_at, order_id } = licence;
  const terms = findTerms(kind, licence.terms_version) ?? currentTerms(kind);
  const isRevoked = status === "revoked";
  return html`<section class="card stack licence" aria-labelledby=${licence_id}>
    <div class="cluster cluster--apart">
      <h2 class="licence__name" id=${licence_id}>
        <a href=${`/products/${product_slug}`}>${product_name}</a>
      </h2>
      <p class="cluster">
        ${badge({ label: `${label(kind)} licence`, tone: "accent" })}
        ${isRevoked && badge({ label: "revoked", tone: "danger" })}
      </p>
    </div>
    <p class="note">
      ${SOURCES[source]} ${source === "membership" ? "" : "on "}${dateOf(granted_at)}.
      ${order_id !== null && html` <a href=${`/account/orders/${order_id}`}>Order and receipt<span class="aside-from-sight"> of ${product_name}</span></a>`}
    </p>
    ${isRevoked ? html`<p>This licence was revoked on ${dateOf(licence.revoked_at ?? granted_at)}, so its files are no longer here.</p>` : files(view, licence)}
    ${termsLine(terms, termsPath(kind, terms.version), kind)}
  </section>`;
}

function files(view: LibraryView, licence: LibraryLicenceResource): Markup {
  if (licence.files.length === 0) {
    return html`<p>
      Its files are not here yet. They will be as soon as they are ready;${" "}
      <a href=${askPath("licence")}>ask support</a> if you are waiting for them.
    </p>`;
  }
  return html`<ul class="files">
    ${licence.files.map((file) => fileRow(view, licence, file))}
  </ul>`;
}

function fileRow(view: LibraryView, licence: LibraryLicenceResource, file: ProductFileResource): Markup {
  const { file_id, name, version, bytes, sha256, added_at } = file;
  const { person, cursor, link } = view;
  const again = cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`;
  // The same file may stand under two licences.
  const isLinked = link?.fileId === file_id && isFirstOf(view, licence, file_id);
  return html`<li class="file stack">
    <div class="cluster cluster--apart">
      <div>
        <p class="file__name">${name}</p>
        <p class="note">Version ${version}, ${fileSize(bytes)}, ${dateOf(added_at)}</p>
      </div>
      <div class="cluster">
        ${linkButton({ href: filePath(file_id), label: "Download" })}
        <form method="post" action=${`${filePath(file_id)}/link${again}`}>
          ${csrfField(person)} ${button({ label: "Temporary link", of: `to ${name}`, kind: "quiet" })}
        </form>
      </div>
    </div>
    ${isLinked && linkNotice(link)}
    <details class="more">
      <summary>Checksum<span class="aside-from-sight"> of ${name}, version ${version}</span></summary>
      <p class="note">SHA-256: <code>${sha256}</code></p>
    </details>
  </li>`;
}

function isFirstOf({ licences }: LibraryView, licence: LibraryLicenceResource, fileId: string): boolean {
  return licences.find(({ files }) => files.some(({ file_id }) => file_id === fileId)) === licence;
}

function linkNotice({ url, expiresAt }: CopiedLink): Markup {
  return notice({
    tone: "success",
    title: "This link works for ten minutes",
    body: html`<p>
        Until ${timeOf(expiresAt)} it downloads the file without signing in, for example on one of your
        servers. It counts as your download, so keep it to yourself.
      </p>
      <div class="secret">
        <code id="file-link">${url}</code>${copyButton({ of: "file-link", what: "the link" })}
      </div>`,
  });
}
