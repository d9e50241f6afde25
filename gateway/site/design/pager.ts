// Links to the pages of a list: the first, the last and those around the current one. They are plain links and work without scripts.
import { type Markup, html } from "./markup.js";

const AROUND = 1;

export function pager({
  page,
  totalPages,
  hrefOf,
}: {
  page: number;
  totalPages: number;
  hrefOf: (page: number) => string;
}): Markup | undefined {
  if (totalPages <= 1) return undefined;
  return html`<nav class="pager" aria-label="Pages">
    <ul>
      <li>${step(page - 1, "Previous", page > 1, hrefOf)}</li>
      ${shownPages(page, totalPages).map((shown) =>
        shown === undefined
          ? html`<li class="pager__gap" aria-hidden="true">…</li>`
          : html`<li class="pager__page">
              <a
                href=${hrefOf(shown)}
                aria-label=${`Page ${shown}`}
                aria-current=${shown === page ? "page" : undefined}
                >${shown}</a
              >
            </li>`,
      )}
      <li>${step(page + 1, "Next", page < totalPages, hrefOf)}</li>
    </ul>
  </nav>`;
}

function step(page: number, label: string, exists: boolean, hrefOf: (page: number) => string): Markup {
  return exists
    ? html`<a href=${hrefOf(page)} rel=${label === "Next" ? "next" : "prev"}>${label}</a>`
    : html`<span aria-disabled="true">${label}</span>`;
}

/** Ascending page numbers; undefined marks a gap. A gap of one page shows that page instead. */
function shownPages(page: number, totalPages: number): (number | undefined)[] {
  const near = (candidate: number) => Math.abs(candidate - page) <= AROUND;
  const edges = [
    1,
    2,
    page - AROUND - 1,
    page - AROUND,
    page,
    page + AROUND,
    page + AROUND + 1,
    totalPages - 1,
    totalPages,
  ];
  const pages = [...new Set(edges)]
    .filter((candidate) => candidate >= 1 && candidate <= totalPages)
    .sort((a, b) => a - b);
  const kept = pages.filter(
    (candidate) =>
      candidate === 1 ||
      candidate === totalPages ||
      near(candidate) ||
      (candidate === 2 && near(3)) ||
      (candidate === totalPages - 1 && near(totalPages - 2)),
  );
  return kept.flatMap((candidate, i) =>
    i > 0 && candidate - (kept[i - 1] ?? 0) > 1 ? [undefined, candidate] : [candidate],
  );
}
