// /docs/search: what the docs say about some words.
import { html } from "../design/markup.js";
import { emptyState } from "../design/notice.ts";
import type { Page } from "../layout/render-page.ts";
import { DOCS_PATH } from "./chapters.ts";
import { searchForm } from "./docs-frame.ts";
import type { Found } from "./search.ts";

export function searchPage(found: readonly Found[], query: string): Page {
  return {
    title: query === "" ? "Search the docs" : `“${query}” in the docs`,
    path: `${DOCS_PATH}/search`,
    styles: ["docs.css"],
    body: html`<div class="docs-search stack">
      <p class="docs__where"><a href=${DOCS_PATH}>Docs</a></p>
      <h1>Search the docs</h1>
      ${searchForm(query)} ${query !== "" && results(found, query)}
    </div>`,
  };
}

function results(found: readonly Found[], query: string) {
  if (found.length === 0)
    return emptyState({
      title: `Nothing about “${query}”`,
      body: "Try fewer words, or another name for the same thing.",
      action: html`<a href=${DOCS_PATH}>All chapters</a>`,
    });
  return html`<p class="note" role="status">${found.length === 1 ? "1 place" : `${found.length} places`}</p>
    <ol class="docs-search__found">
      ${found.map(
        ({ path, title, heading, excerpt }) =>
          html`<li>
            <a href=${path}>${heading === "" ? title : `${title}: ${heading}`}</a>
            <p>${excerpt.map((piece, i) => (i % 2 === 1 ? html`<mark>${piece}</mark>` : piece))}</p>
          </li>`,
      )}
    </ol>`;
}
