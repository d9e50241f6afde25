// What the list can be narrowed by, as plain links: each leads to the list as it would be.
import { CATALOG_SORTS, type CatalogSort } from "../../../proto/resources/product.ts";
import type { ListQuery } from "../../catalog/list-query.ts";
import { button } from "../design/button.ts";
import { count, label, money } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import { PRODUCTS_PATH } from "../layout/product-paths.ts";
import { fieldsOf, productsAddress } from "./address.ts";
import { type FacetValue, type Facets, type ListView, type Names, statusLabel } from "./ask-catalog.ts";

const MAX_TAGS = 16;
const SORT_LABELS: Readonly<Record<CatalogSort, string>> = {
  featured: "Featured",
  newest: "Newest",
  popular: "Most popular",
  rating: "Best rated",
  alphabetical: "Name, A to Z",
  home: "Showcase",
};

/** Search and sort. `browser/product-search.js` sends it while one types; without it there is the button. */
export function searchForm(query: ListQuery): Markup {
  const kept = fieldsOf(query).filter(([name]) => !["search", "sort", "page"].includes(name));
  return html`<form class="product-search" action=${PRODUCTS_PATH} method="get" role="search">
    ${kept.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
    <div class="product-search__words">
      <label class="aside-from-sight" for="search">Search products</label>
      ${icon("search")}
      <input
        class="input"
        type="search"
        id="search"
        name="search"
        value=${query.search}
        placeholder="Icons, dashboards, fonts…"
        maxlength="200"
        autocomplete="off"
      />
    </div>
    <div class="product-search__sort">
      <label for="sort">Sort by</label>
      <select class="input" id="sort" name="sort" autocomplete="off">
        ${CATALOG_SORTS.map(
          (sort) => html`<option value=${sort} selected=${sort === query.sort}>${SORT_LABELS[sort]}</option>`,
        )}
      </select>
    </div>
    <button class="button button--primary" type="submit">Search</button>
  </form>`;
}

/** Beside the results where there is room; folded above them where there is not. */
export function filterPanel({ query, facets }: Pick<ListView, "query" | "facets">): Markup {
  return html`<details class="filters">
    <summary class="button button--quiet">Filters</summary>
    <nav class="stack" aria-label="Filters">
      ${group(
        "Category",
        oneOf(facets.category, query.category, (category) => ({ category, subcategory: "" }), query),
      )}
      ${group(
        "Availability",
        oneOf(
          facets.status,
          query.statuses.length === 1 ? (query.statuses[0] ?? "") : "",
          (status) => ({ statuses: status === "" ? [] : [status] }),
          query,
        ),
      )}
      ${priceForm(query)} ${group("Tags", tagLinks(facets, query))}
    </nav>
  </details>`;
}

function priceForm(query: ListQuery): Markup {
  const field = (name: "price_min" | "price_max", label: string, cents: number | undefined) =>
    html`<div class="field">
      <label for=${name}>${label}</label>
      <input
        class="input"
        type="number"
        id=${name}
        name=${name}
        min="0"
        max="1000000"
        step="0.01"
        value=${cents === undefined ? "" : cents / 100}
      />
    </div>`;
  const kept = fieldsOf({ ...query, priceMin: undefined, priceMax: undefined, page: 1 });
  return html`<section>
    <h2>Price in dollars</h2>
    <form class="filters__price" action=${PRODUCTS_PATH} method="get">
      ${kept.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      ${field("price_min", "From", query.priceMin)} ${field("price_max", "To", query.priceMax)}
      ${button({ label: "Apply", of: "the price", kind: "quiet" })}
    </form>
  </section>`;
}

type Active = [label: string, change: Partial<ListQuery>];

/** The filters that are set, each with a way to drop it. */
export function activeFilters(query: ListQuery, names: Names): Markup | undefined {
  const { category, subcategory, pricingTier, priceMin, priceMax, tags, statuses, search } = query;
  const set: (Active | false)[] = [
    search !== "" && [`“${search}”`, { search: "" }],
    category !== "" && [names.category(category), { category: "", subcategory: "" }],
    subcategory !== "" && [names.category(subcategory), { subcategory: "" }],
    pricingTier !== "" && [label(pricingTier), { pricingTier: "" }],
    priceMin !== undefined && [`From ${money(priceMin / 100)}`, { priceMin: undefined }],
    priceMax !== undefined && [`Up to ${money(priceMax / 100)}`, { priceMax: undefined }],
    ...tags.map((tag): Active => [names.tag(tag), { tags: tags.filter((other) => other !== tag) }]),
    ...statuses.map((status): Active => [
      statusLabel(status),
      { statuses: statuses.filter((other) => other !== status) },
    ]),
  ];
  const active = set.filter((one) => one !== false);
  if (active.length === 0) return undefined;
  return html`<ul class="active-filters" aria-label="Active filters">
    ${active.map(
      ([label, change]) =>
        html`<li>
          <a href=${productsAddress(query, change)} aria-label=${`${label}, remove`}>${label} ×</a>
        </li>`,
    )}
    <li><a href=${PRODUCTS_PATH}>Clear all</a></li>
  </ul>`;
}

function group(title: string, links: readonly Markup[]): Markup | undefined {
  if (links.length === 0) return undefined;
  return html`<section>
    <h2>${title}</h2>
    <ul>
      ${links.map((link) => html`<li>${link}</li>`)}
    </ul>
  </section>`;
}

/** One value or none: the chosen one leads back to all of them. */
function oneOf(
  values: readonly FacetValue[],
  chosen: string,
  change: (value: string) => Partial<ListQuery>,
  query: ListQuery,
): Markup[] {
  return values.map((facet) => {
    const isChosen = facet.value === chosen;
    return filterLink(facet, isChosen, productsAddress(query, change(isChosen ? "" : facet.value)));
  });
}

/** All must match, so a further tag narrows what is shown. */
function tagLinks({ tag: values }: Facets, query: ListQuery): Markup[] {
  const { tags } = query;
  const chosen = values.filter(({ value }) => tags.includes(value));
  const others = values.filter(({ value }) => !tags.includes(value));
  return [...chosen, ...others].slice(0, Math.max(MAX_TAGS, chosen.length)).map((facet) => {
    const isChosen = tags.includes(facet.value);
    const next = isChosen ? tags.filter((tag) => tag !== facet.value) : [...tags, facet.value].sort();
    return filterLink(facet, isChosen, productsAddress(query, { tags: next }));
  });
}

function filterLink({ label, count: products }: FacetValue, isChosen: boolean, href: string): Markup {
  return html`<a href=${href} aria-current=${isChosen ? "true" : undefined}>
    <span>${label}</span
    ><span class="filters__count"
      >${count(products)}<span class="aside-from-sight">
        ${products === 1 ? "product" : "products"}</span
      ></span
    >
  </a>`;
}
