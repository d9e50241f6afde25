// /products/{slug}: one product, what it costs and whether it can be had.
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import { type Markup, html } from "../design/markup.js";
import type { Page } from "../layout/render-page.ts";
import { PRODUCTS_PATH, productPath } from "../layout/product-paths.ts";
import { type Buyer, buySection } from "./buy-section.ts";
import { blurbOf, type Names, type ProductView } from "./ask-catalog.ts";
import { productInfo } from "./product-facts.ts";
import { productFile } from "./product-file.ts";
import { gallery } from "./gallery.ts";
import { productHead } from "./product-head.ts";
import { badges, productGrid, rating } from "./product-card.ts";
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
    body: html`<article class="product">
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
        ${reviewsSection(slug, reviews, owner && { person: owner.person, isOwner: owner.owned.length > 0, draft })}
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
