// /products/{slug}: one product, what it costs and whether it can be had.
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import { currentTerms } from "../../../proto/resources/licence-terms.ts";
import { linkButton } from "../design/button.ts";
import { date, label, money } from "../design/format.ts";
import { notice } from "../design/notice.ts";
import { termsLine } from "../design/terms.ts";
import { type Markup, html } from "../design/markup.js";
import type { Page } from "../layout/render-page.ts";
import { termsPath } from "../library/library-paths.ts";
import { coverPath, PRODUCTS_PATH, productPath } from "./address.ts";
import { blurbOf, type Names, type ProductView } from "./ask-catalog.ts";
import { productHead } from "./product-head.ts";
import { badges, price, productGrid, rating } from "./product-card.ts";

export function productPage({ product, related, names }: ProductView, baseUrl: string): Page {
  const { slug, name, tagline, description, tags } = product;
  return {
    title: name,
    description: blurbOf(product),
    path: productPath(slug),
    styles: ["catalog.css"],
    head: productHead(product, baseUrl),
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
            ${buy(product)}
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

/** What it costs, and how it can be bought. Nothing on this page buys: purchases are confirmed by the person. */
function buy(product: CatalogProductResource): Markup {
  const { status, client_price_usd: clientPrice, plus_only: isForMembers, demo_url: demo } = product;
  const isOnSale = status !== "coming_soon" && product.effective_price !== null;
  return html`<section class="card stack buy" id="buy" aria-labelledby="buy-title">
    <h2 class="aside-from-sight" id="buy-title">Buy</h2>
    ${
      isOnSale
        ? html`<dl class="licences">
              <div>
                <dt>Standard licence</dt>
                <dd>${price(product)}</dd>
              </div>
              ${
                clientPrice !== null &&
                html`<div>
                  <dt>Client licence</dt>
                  <dd><span class="price">${money(clientPrice)}</span></dd>
                </div>`
              }
            </dl>
            ${termsLine(currentTerms("standard"), termsPath("standard"), "standard")}
            ${clientPrice !== null && termsLine(currentTerms("client"), termsPath("client"), "client")}`
        : html`<p>${price(product)}</p>`
    }
    ${isForMembers && html`<p>For members: buying it takes an active membership. <a href="/account/membership">Your membership</a></p>`}
    ${
      isOnSale
        ? notice({
            tone: "info",
            title: "Checkout is not open on this installation",
            body: "A purchase is confirmed by you, on this page. Until checkout opens, nothing can be bought here and nothing is charged.",
            isNews: false,
          })
        : notice({
            tone: "info",
            title: "Coming soon",
            body: "It can be looked at, and not be bought yet.",
            isNews: false,
          })
    }
    ${demo !== null && html`<p>${linkButton({ href: demo, label: "See the demo", kind: "quiet", isElsewhere: true })}</p>`}
  </section>`;
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
