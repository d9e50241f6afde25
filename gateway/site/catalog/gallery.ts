// The pictures of a product: one of them large, the others to choose from. Radio buttons, so that it works before scripts and by arrow keys.
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import { html, type Markup } from "../design/markup.js";
import { coverPath } from "../layout/product-paths.ts";

const VIEWS = [
  { view: 1, label: "Cover" },
  { view: 2, label: "Another look" },
  { view: 3, label: "Close-up" },
] as const;

export function gallery({ slug, name }: Pick<CatalogProductResource, "slug" | "name">): Markup {
  return html`<div class="gallery">
    ${VIEWS.map(
      ({ view, label }) =>
        html`<img
          class="gallery__large"
          src=${coverPath(slug, view)}
          alt=${`${label} of ${name}`}
          width="800"
          height="600"
          loading=${view === 1 ? "eager" : "lazy"}
        />`,
    )}
    <fieldset class="gallery__choices">
      <legend class="aside-from-sight">Picture to show</legend>
      ${VIEWS.map(
        ({ view, label }) =>
          html`<label>
            <input class="aside-from-sight" type="radio" name="view" value=${view} checked=${view === 1} />
            <img src=${coverPath(slug, view)} alt=${label} width="800" height="600" />
          </label>`,
      )}
    </fieldset>
  </div>`;
}
