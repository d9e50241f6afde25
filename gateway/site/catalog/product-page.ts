// /products/{slug}: one product, what it costs and whether it can be had.
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import { date, label } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import type { Page } from "../layout/render-page.ts";
import { coverPath, PRODUCTS_PATH, productPath } from "./address.ts";
import { type Buyer, buySection } from "./buy-section.ts";
import { blurbOf, type Names, type ProductView } from "./ask-catalog.ts";
import { productHead } from "./product-head.ts";
import { badges, productGrid, rating } from "./product-card.ts";

export function productPage(
  { product, related, names }: ProductView,
  { baseUrl, ...buyer }: Buyer & { baseUrl: string },
): Page {
  const { slug, name, tagline, description, tags } = product;
  return {
    title: name,
    description: blurbOf(product),
    path: productPath(slug),
    styles: ["catalog.css"],
    head: productHead(product, { baseUrl, takesPayments: buyer.takesPayments }),
    body: html`<article class="product">
        <nav class="breadcrumb" aria-label="Breadcrumb">
          <ol>
            <li><a href=${PRODUCTS_PATH}>Products</a></li>
            ${categoryTrail(product, names)}
          </ol>
        </nav>
        <div class="product__top">
          <img
            class="product__cover"
            src=${coverPath(slug)}
            alt=${`Cover of ${name}`}
            width="800"
            height="600"
          />
          <div class="stack">
            <h1>${name}</h1>
            ${tagline !== null && html`<p class="lead">${tagline}</p>`}
            <p class="cluster">${rating(product)} ${badges(product)}</p>
            ${buySection(product, buyer)}
          </div>
        </div>
        <div class="product__details">
          <section class="stack">
            <h2>About</h2>
            ${description === null ? html`<p class="note">There is no description yet.</p>` : html`<p>${description}</p>`}
            ${
              tags.length > 0 &&
              html`<ul class="active-filters" aria-label="Tags">
                ${tags.map((tag) => html`<li><a href=${`${PRODUCTS_PATH}?tag=${encodeURIComponent(tag)}`}>${names.tag(tag)}</a></li>`)}
              </ul>`
            }
          </section>
          ${facts(product, names)}
        </div>
      </article>
      ${
        related.length > 0 &&
        html`<section class="stack product__related">
          <h2>Others of its kind</h2>
          ${productGrid(related, 3)}
        </section>`
      }`,
  };
}

function facts(
  {
    category,
    subcategory,
    pricing_tier: tier,
    published_at: published,
    updated_at: updated,
  }: CatalogProductResource,
  names: Names,
): Markup {
  const rows: [string, string | null][] = [
    ["Category", category === null ? null : names.category(category)],
    ["Kind", subcategory === null ? null : names.category(subcategory)],
    ["Tier", tier === null ? null : label(tier)],
    ["Published", published === null ? null : date(published)],
    ["Updated", date(updated)],
  ];
  return html`<dl class="facts">
    ${rows.map(
      ([name, value]) =>
        value !== null &&
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
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
