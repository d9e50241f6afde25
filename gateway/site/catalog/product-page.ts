// /products/{slug}: one product, what it costs and whether it can be had.
import { REFUND_DAYS } from "../../../proto/resources/order.ts";
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import type { ArchiveEntry } from "../../../proto/types/atelier/v1/ArchiveEntry.ts";
import type { FileFacts } from "../../../proto/types/atelier/v1/FileFacts.ts";
import { SELLER } from "../../feeds/feed.ts";
import { count, fileSize } from "../design/format.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { dateOf } from "../design/time.ts";
import { PRODUCTS_PATH, coverPath, productPath } from "../layout/product-paths.ts";
import type { Page } from "../layout/render-page.ts";
import { type Names, type ProductView, blurbOf } from "./ask-catalog.ts";
import { type Buyer, buySection } from "./buy-section.ts";
import { badges, productGrid, rating } from "./product-card.ts";
import { productHead } from "./product-head.ts";
import { type TypedReview, reviewsSection } from "./reviews-section.ts";

export function productPage(
  { product, related, names, files, reviews }: ProductView,
  { baseUrl, draft, ...buyer }: Buyer & { baseUrl: string; draft?: TypedReview | undefined },
): Page {
  const { slug, name, tagline, description, tags } = product;
  const { owner } = buyer;
  return {
    title: name,
    description: blurbOf(product),
    path: productPath(slug),
    styles: ["catalog.css"],
    head: productHead(product, { baseUrl, takesPayments: buyer.takesPayments, reviews }),
    body: html`<article class="stack stack--wide">
        <nav class="breadcrumb" aria-label="Breadcrumb">
          <ol>
            <li><a href=${PRODUCTS_PATH}>Products</a></li>
            ${categoryTrail(product, names)}
          </ol>
        </nav>
        <div class="product__top">
          ${gallery(product)}
          <div class="stack">
            <h1>${name}</h1>
            ${tagline !== null && html`<p class="lead">${tagline}</p>`}
            <p class="cluster">${rating(product)} ${badges(product)}</p>
            ${buySection(product, buyer)}
          </div>
        </div>
        <div class="product__details">
          <section class="stack">
            <h2>About this product</h2>
            ${description === null ? html`<p class="note">No description yet.</p>` : html`<p>${description}</p>`}
            ${
              tags.length > 0 &&
              html`<ul class="active-filters" aria-label="Tags">
                ${tags.map((tag) => html`<li><a href=${`${PRODUCTS_PATH}?tag=${encodeURIComponent(tag)}`}>${names.tag(tag)}</a></li>`)}
              </ul>`
            }
            ${files.map((file) => productFile(file))}
          </section>
          ${productInfo(product, { names, files })}
        </div>
        ${reviewsSection(product, reviews, owner && { person: owner.person, isOwner: owner.owned.length > 0, draft })}
      </article>
      ${
        related.length > 0 &&
        html`<section class="stack product__related">
          <h2>Similar products</h2>
          ${productGrid(related, { level: 3 })}
        </section>`
      }`,
  };
}

function categoryTrail({ category, subcategory }: CatalogProductResource, names: Names): Markup[] {
  if (category === null) return [];
  const address = `${PRODUCTS_PATH}?category=${encodeURIComponent(category)}`;
  const trail = [html`<li><a href=${address}>${names.category(category)}</a></li>`];
  if (subcategory !== null)
    trail.push(
      html`<li>
        <a href=${`${address}&subcategory=${encodeURIComponent(subcategory)}`}
          >${names.category(subcategory)}</a
        >
      </li>`,
    );
  return trail;
}

const VIEWS = [
  { view: 1, label: "Cover" },
  { view: 2, label: "Another look" },
  { view: 3, label: "Close-up" },
] as const;

/** One large picture, and the others to choose from. Radio buttons work before scripts, and by arrow keys. */
function gallery({ slug, name }: Pick<CatalogProductResource, "slug" | "name">): Markup {
  return html`<div class="stack stack--snug gallery">
    ${VIEWS.map(
      ({ view, label }) =>
        html`<img
          class="gallery__large"
          src=${coverPath(slug, view)}
          alt=${`${label} of ${name}`}
          width="800"
          height="600"
          loading=${view === 1 ? "eager" : "lazy"}
        />`,
    )}
    <fieldset class="gallery__choices">
      <legend class="aside-from-sight">Picture to show</legend>
      ${VIEWS.map(
        ({ view, label }) =>
          html`<label>
            <input class="aside-from-sight" type="radio" name="view" value=${view} checked=${view === 1} />
            <img src=${coverPath(slug, view)} alt=${label} width="800" height="600" />
          </label>`,
      )}
    </fieldset>
  </div>`;
}

function productInfo(
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

/** More are folded. */
const IN_SIGHT = 8;

function productFile({ name, version, bytes, added_at: added, ...file }: FileFacts): Markup {
  const { entries, entry_count: total, earlier } = file;
  const unlisted = total - entries.length;
  return html`<section class="stack product-file">
    <h3>What’s in ${name}</h3>
    <p class="note">
      ${`Version ${version}, ${fileSize(bytes)}`}${added !== "" && html`, added ${dateOf(added)}`}${total > 0 && `, ${count(total)} ${total === 1 ? "file" : "files"}`}
    </p>
    ${entries.length > 0 && list(entries.slice(0, IN_SIGHT))}
    ${
      entries.length > IN_SIGHT &&
      html`<details>
        <summary>More files<span class="aside-from-sight"> in ${name}</span></summary>
        ${list(entries.slice(IN_SIGHT))}
        ${unlisted > 0 && html`<p class="note">And ${count(unlisted)} more.</p>`}
      </details>`
    }
    ${
      earlier.length > 0 &&
      html`<details>
        <summary>Earlier versions<span class="aside-from-sight"> of ${name}</span></summary>
        <ul class="product-file__list">
          ${earlier.map((one) => html`<li><span>Version ${one.version}</span> <span>${dateOf(one.added_at)}</span></li>`)}
        </ul>
        <p class="note">A licence includes all of them.</p>
      </details>`
    }
  </section>`;
}

function list(entries: readonly ArchiveEntry[]): Markup {
  return html`<ul class="product-file__list">
    ${entries.map(({ name, bytes }) => html`<li><span>${name}</span> <span>${fileSize(bytes)}</span></li>`)}
  </ul>`;
}
