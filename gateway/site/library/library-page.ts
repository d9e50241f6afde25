// /library: what the person has licences of, each with its files, its terms and its receipt.
import type { LibraryLicenceResource, ProductFileResource } from "../../../proto/resources/library.ts";
import { type LicenceTerms, currentTerms, findTerms } from "../../../proto/resources/licence-terms.ts";
import { MAX_SEARCH_CHARACTERS } from "../../../proto/resources/product.ts";
import { actionForm } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { copyButton } from "../design/copy-button.ts";
import { fileSize, label } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import { emptyState, notice } from "../design/notice.ts";
import { dateOf, timeOf } from "../design/time.ts";
import { DOWNLOADS_PATH, filePath, LIBRARY_PATH, termsPath } from "../layout/library-paths.ts";
import { coverPath, productPath } from "../layout/product-paths.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { askPath } from "../support/support-paths.ts";

/** One that was made by the press that this page answers. */
export type CopiedLink = { fileId: string; url: string; expiresAt: string };

export type LibraryView = {
  person: Person;
  licences: readonly LibraryLicenceResource[];
  /** Ids of products that have no page and no cover any more. */
  withdrawn: ReadonlySet<string>;
  /** Words that the names of these products contain; empty for all products. */
  search: string;
  /** Empty on the first page. */
  cursor: string;
  /** Empty on the last page. */
  nextCursor: string;
  link?: CopiedLink;
};

export function libraryPage(view: LibraryView): Page {
  const { person, licences, cursor, search, nextCursor } = view;
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
      ${(licences.length > 0 || search !== "" || cursor !== "") && searchForm(search)}
      ${licences.length > 0 ? html`<div class="stack">${licences.map((licence) => card(view, licence))}</div>` : nothing(view)}
      ${nextCursor !== "" && html`<p>${linkButton({ href: LIBRARY_PATH + queryOf({ search, cursor: nextCursor }), label: "Older purchases", kind: "quiet" })}</p>`}
    </div>`,
  };
}

function searchForm(search: string): Markup {
  return html`<form class="cluster library-search" action=${LIBRARY_PATH} method="get" role="search">
    <label class="aside-from-sight" for="search">Search your library</label>
    <input
      class="input"
      type="search"
      id="search"
      name="search"
      value=${search}
      maxlength=${MAX_SEARCH_CHARACTERS}
      placeholder="Search your library"
    />
    ${button({ label: "Search", kind: "quiet" })}
  </form>`;
}

/** With its question mark; empty where nothing is asked for. */
function queryOf({ search, cursor }: Pick<LibraryView, "search" | "cursor">): string {
  const given = Object.entries({ search, cursor }).filter(([, value]) => value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}

function nothing({ cursor, search }: LibraryView): Markup {
  if (cursor !== "") return html`<p>That’s everything.</p>`;
  if (search !== "")
    return emptyState({
      title: "Nothing found",
      body: `No product of your library has “${search}” in its name.`,
      action: linkButton({ href: LIBRARY_PATH, label: "Show everything", kind: "quiet" }),
    });
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
  const isWithdrawn = view.withdrawn.has(licence.product_id);
  return html`<section class="card stack licence" aria-labelledby=${licence_id}>
    <div class="licence__head">
      ${!isWithdrawn && html`<img src=${coverPath(product_slug)} alt="" width="800" height="600" loading="lazy" decoding="async" />`}
      <div class="stack">
        <div class="cluster cluster--apart">
          <h2 class="licence__name" id=${licence_id}>
            ${isWithdrawn ? product_name : html`<a href=${productPath(product_slug)}>${product_name}</a>`}
          </h2>
          <p class="cluster">
            ${badge({ label: `${label(kind)} licence`, tone: "accent" })}
            ${isRevoked && badge({ label: "revoked", tone: "danger" })}
          </p>
        </div>
        <p class="note">
          ${SOURCES[source]} ${source === "membership" ? "" : "on "}${dateOf(granted_at)}.
          ${isWithdrawn && !isRevoked && " It is not sold any more; your licence stays."}
          ${order_id !== null && html` <a href=${`/account/orders/${order_id}`}>Order and receipt<span class="aside-from-sight"> of ${product_name}</span></a>`}
        </p>
      </div>
    </div>
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
  return html`<ul class="stack stack--snug">
    ${licence.files.map((file) => fileRow(view, licence, file))}
  </ul>`;
}

function fileRow(view: LibraryView, licence: LibraryLicenceResource, file: ProductFileResource): Markup {
  const { file_id, name, version, bytes, sha256, added_at } = file;
  const { person, link } = view;
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
        ${actionForm(person, { action: `${filePath(file_id)}/link${queryOf(view)}`, label: "Temporary link", of: `to ${name}` })}
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

function termsLine({ summary }: LicenceTerms, href: string, of: string): Markup {
  return html`<p class="note">
    ${summary} <a href=${href}>All terms<span class="aside-from-sight"> of the ${of} licence</span></a>
  </p>`;
}
