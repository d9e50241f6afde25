// A product in a grid: cover, name, what it is, what it costs and how it is rated. The whole card is its link.
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import { badge, type BadgeTone } from "../design/badge.ts";
import { money } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import { coverPath, productPath } from "../layout/product-paths.ts";
import { isOnSale, statusLabel } from "./ask-catalog.ts";

/** Pictures of the first row or two are in sight immediately; the rest loads when it comes near. */
const EAGER = 4;

/** What is simply there to be bought has none. */
const STATUS_TONES: Readonly<Record<string, BadgeTone>> = {
  featured: "accent",
  beta: "warning",
  coming_soon: "neutral",
};

type GridOptions = {
  /** Of the headings under which the grid stands, plus one. */
  level?: 2 | 3;
  /** The first one is larger. */
  hasLead?: boolean;
};

export function productGrid(
  products: readonly CatalogProductResource[],
  { level = 2, hasLead = false }: GridOptions = {},
): Markup {
  // Where most are featured, the badge would say nothing.
  const featured = products.filter(({ status }) => status === "featured").length;
  const tellsFeatured = featured * 3 <= products.length;
  return html`<ul class=${hasLead ? "product-grid product-grid--lead" : "product-grid"}>
    ${products.map((product, i) => html`<li>${productCard(product, { level, isEager: i < EAGER, tellsFeatured })}</li>`)}
  </ul>`;
}

function productCard(
  product: CatalogProductResource,
  { level, isEager, tellsFeatured }: { level: 2 | 3; isEager: boolean; tellsFeatured: boolean },
): Markup {
  const { slug, name, tagline } = product;
  const link = html`<a href=${productPath(slug)}>${name}</a>`;
  return html`<article class="product-card">
    <img
      src=${coverPath(slug)}
      alt=""
      width="800"
      height="600"
      loading=${isEager ? "eager" : "lazy"}
      decoding="async"
    />
    <div class="product-card__text">
      ${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
      ${tagline !== null && html`<p class="note clamp">${tagline}</p>`}
      <p class="product-card__facts">${price(product)} ${rating(product)}</p>
    </div>
    ${badges(product, tellsFeatured)}
  </article>`;
}

/** Price at this moment; while a sale runs, with the usual price. */
export function price(product: CatalogProductResource): Markup {
  const { effective_price: now, price_regular: regular } = product;
  if (!isOnSale(product) || now === null) return html`<span class="price">Not on sale yet</span>`;
  if (now === 0) return html`<span class="price">Free</span>`;
  if (regular === null || now >= regular) return html`<span class="price">${money(now)}</span>`;
  return html`<span class="price price--sale"
    ><span class="aside-from-sight">Sale price </span>${money(now)}
    <s><span class="aside-from-sight">instead of </span>${money(regular)}</s></span
  >`;
}

/** What one should know before opening it. */
export function badges(product: CatalogProductResource, tellsFeatured = true): Markup {
  const { status, plus_only: isForMembers } = product;
  const tone = status === "featured" && !tellsFeatured ? undefined : STATUS_TONES[status];
  const percent = percentOff(product);
  return html`<span class="badges">
    ${percent > 0 && badge({ label: `${percent}% off`, tone: "success" })}
    ${tone && badge({ label: statusLabel(status), tone })}
    ${isForMembers && badge({ label: "Members only", tone: "neutral" })}
  </span>`;
}

function percentOff({ effective_price: now, price_regular: regular }: CatalogProductResource): number {
  if (now === null || regular === null || now >= regular) return 0;
  return Math.round((1 - now / regular) * 100);
}

/** 4.7 of 5, by 212 people. */
export function rating({
  rating_average: average,
  rating_count: count,
}: Pick<CatalogProductResource, "rating_average" | "rating_count">): Markup | undefined {
  if (average === null) return undefined;
  return html`<span class="rating"
    >${icon("star")}${average.toFixed(1)}<span class="aside-from-sight"> of 5</span>
    <span class="note"
      >(${count}<span class="aside-from-sight"> ${count === 1 ? "rating" : "ratings"}</span>)</span
    ></span
  >`;
}
