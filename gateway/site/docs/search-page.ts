// /docs/search: the results of a search in the docs.
import { type Markup, html } from "../design/markup.js";
import { emptyState } from "../design/notice.ts";
import type { Page } from "../layout/render-page.ts";
import { DOCS_PATH } from "./chapters.ts";
import { type DocsGroup, docsFrame } from "./docs-frame.ts";
import { type Found, MOST_FOUND } from "./search.ts";

export function searchPage(found: readonly Found[], query: string, groups: readonly DocsGroup[]): Page {
  const path = `${DOCS_PATH}/search`;
  return {
    title: query === "" ? "Search the docs" : `“${query}” in the docs`,
    path,
    styles: ["docs.css"],
    body: docsFrame({
      groups,
      path,
      query,
      title: "Search the docs",
      lead: leadFor(found.length, query),
      headings: [],
      body: query === "" ? html`` : results(found, query),
    }),
  };
}

function leadFor(count: number, query: string): string {
  if (query === "") return "Words of a chapter, the name of a field, the code of an error.";
  if (count === MOST_FOUND) return `The ${MOST_FOUND} best places for “${query}”.`;
  return `${count === 1 ? "1 place" : `${count} places`} for “${query}”.`;
}

function results(found: readonly Found[], query: string): Markup {
  if (found.length === 0)
    return emptyState({
      title: `Nothing about “${query}”`,
      body: "Try fewer words, or another name for the same thing.",
      action: html`<a href=${DOCS_PATH}>All chapters</a>`,
    });
  return html`<ol class="docs-search__found">
    ${found.map(
      ({ path, title, heading, excerpt }) =>
        html`<li>
          <a href=${path}>${heading === "" ? title : `${title}: ${heading}`}</a>
          <p>${excerpt.map((piece, i) => (i % 2 === 1 ? html`<mark>${piece}</mark>` : piece))}</p>
        </li>`,
    )}
  </ol>`;
}
