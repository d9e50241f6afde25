// /products: search, filters and the grid. All of it is links and a GET form; browser/product-search.js only saves pressing the button.
import { linkButton } from "../design/button.ts";
import { counted } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import { emptyState } from "../design/notice.ts";
import { pager } from "../design/pager.ts";
import { PRODUCTS_PATH } from "../layout/product-paths.ts";
import type { Page } from "../layout/render-page.ts";
import { sharedHead } from "../layout/shared-head.ts";
import { productsAddress } from "./address.ts";
import type { ListView } from "./ask-catalog.ts";
import { activeFilters, filterPanel, searchForm } from "./filters.ts";
import { productGrid } from "./product-card.ts";

export function listPage(view: ListView, baseUrl: string): Page {
  const { query, page, names } = view;
  const title = query.category === "" ? "Products" : names.category(query.category);
  const isSearch = query.search !== "";
  const told = {
    title: isSearch ? `“${query.search}” in ${title}` : title,
    description: `${counted(page.total, "product")}: templates, component kits, icons, fonts, plugins and illustrations.`,
  };
  const path = productsAddress(query, { page: query.page });
  return {
    ...told,
    path: PRODUCTS_PATH,
    styles: ["catalog.css"],
    scripts: ["product-search.js"],
    head: [
      ...sharedHead({ ...told, type: "website", baseUrl, path }),
      // What people typed is no address that search engines should keep.
      ...(isSearch ? [html`<meta name="robots" content="noindex" />`] : []),
    ],
    body: html`<div class="stack stack--wide">
      <div class="stack">
        <h1>${title}</h1>
        ${searchForm(query)}
      </div>
      <div class="products__results" id="results" data-title=${title}>${results(view)}</div>
    </div>`,
  };
}

function results(view: ListView): Markup {
  const { query, page, names } = view;
  return html`<div class="products__columns">
    ${filterPanel(view)}
    <section class="stack" aria-label="Results">
      <div class="cluster cluster--apart">
        <p id="result-count" role="status">${countText(view)}</p>
        ${activeFilters(query, names)}
      </div>
      ${
        page.data.length > 0
          ? productGrid(page.data)
          : emptyState({
              title: page.total > 0 ? "That’s the end of the list" : "No products match",
              body:
                page.total > 0 ? "There are fewer pages than that." : "Try fewer words, or remove a filter.",
              action: linkButton({
                href: page.total > 0 ? productsAddress(query) : PRODUCTS_PATH,
                label: page.total > 0 ? "Back to the first page" : "Show all products",
                kind: "quiet",
              }),
            })
      }
      ${pager({
        page: page.page,
        totalPages: page.total_pages,
        hrefOf: (number) => productsAddress(query, { page: number }),
      })}
    </section>
  </div>`;
}

function countText({ page }: ListView): string {
  const total = counted(page.total, "product");
  return page.total_pages > 1 ? `${total}, page ${page.page} of ${page.total_pages}` : total;
}
