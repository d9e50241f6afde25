// The frame of every docs page: navigation through the chapters, search, and links to the previous and next page.
import { icon } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import { DOCS_PATH } from "./chapters.ts";

/** More headings would hide the links to other pages. */
const MOST_HEADINGS = 14;

export type DocsEntry = { readonly path: string; readonly title: string };
export type DocsGroup = { readonly group: string; readonly entries: readonly DocsEntry[] };

export type FrameOptions = {
  readonly groups: readonly DocsGroup[];
  /** The path of the page. */
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  /** The headings of the page for its table of contents. */
  readonly headings: readonly { id: string; text: string }[];
  readonly body: Markup;
  /** The search terms. */
  readonly query?: string;
};

export function docsFrame(options: FrameOptions): Markup {
  const { groups, path, title, lead, headings, body, query = "" } = options;
  const here = groups.find(({ entries }) => entries.some((entry) => entry.path === path));
  return html`<div class="docs">
    <div class="docs__side">
      ${searchForm(query)}
      <nav class="docs__contents" aria-label="Docs">${contents(groups, path, headings)}</nav>
      <details class="page-menu">
        <summary class="button button--quiet">
          <span>${here ? `${here.group}: ${title}` : "All chapters"}</span>
        </summary>
        <nav aria-label="Docs, all chapters">${contents(groups, path, [])}</nav>
      </details>
    </div>
    <article class="stack docs__page">
      <nav class="breadcrumb docs__where" aria-label="Where you are">
        <ol>
          <li>${path === DOCS_PATH ? "Docs" : html`<a href=${DOCS_PATH}>Docs</a>`}</li>
          ${here && html`<li>${here.group}</li>`}
        </ol>
      </nav>
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
      ${body} ${neighbours(groups, path)}
    </article>
  </div>`;
}

function searchForm(query: string): Markup {
  return html`<form class="docs__search" role="search" action=${`${DOCS_PATH}/search`}>
    <label class="aside-from-sight" for="docs-search">Search the docs</label>
    <input
      class="input"
      id="docs-search"
      name="q"
      type="search"
      value=${query}
      placeholder="Search the docs"
      maxlength="200"
    />
    <button class="button button--quiet" type="submit" aria-label="Search">${icon("search")}</button>
  </form>`;
}

/** Only the group of the current page is open, so that it is visible. */
function contents(groups: readonly DocsGroup[], path: string, headings: FrameOptions["headings"]): Markup {
  const shown = headings.length > 1 && headings.length <= MOST_HEADINGS ? headings : [];
  return html`${groups.map(({ group, entries }) => {
    const isOpen = path === DOCS_PATH || entries.some((entry) => entry.path === path);
    return html`<details class="docs__group" open=${isOpen}>
      <summary>${group}</summary>
      <ul>
        ${entries.map((entry) => {
          const isHere = entry.path === path;
          return html`<li>
            <a href=${entry.path} aria-current=${isHere ? "page" : undefined}>${entry.title}</a>
            ${
              isHere &&
              shown.length > 0 &&
              html`<ul>
                ${shown.map(({ id, text }) => html`<li><a href=${`#${id}`}>${text}</a></li>`)}
              </ul>`
            }
          </li>`;
        })}
      </ul>
    </details>`;
  })}`;
}

function neighbours(groups: readonly DocsGroup[], path: string): Markup | undefined {
  const all = groups.flatMap(({ entries }) => entries);
  const place = all.findIndex((entry) => entry.path === path);
  if (place === -1) return undefined;
  const [before, after] = [all[place - 1], all[place + 1]];
  const link = ({ path, title }: DocsEntry, word: string, rel: string) =>
    html`<a class=${`docs__${rel}`} href=${path} rel=${rel}><span class="note">${word}</span> ${title}</a>`;
  return html`<nav class="docs__neighbours" aria-label="Previous and next">
    ${before && link(before, "Previous", "prev")} ${after && link(after, "Next", "next")}
  </nav>`;
}
