// A button that copies the text of another element. browser/copy.js, which the page must load, shows it.
import { type Markup, html } from "./markup.js";

/** `of` is the id of the element with the text; `what` names it for screen readers, since a page may have several. */
export function copyButton({ of, what }: { of: string; what: string }): Markup {
  return html`<button class="button button--quiet button--small" type="button" hidden data-copy=${of}>
    Copy<span class="aside-from-sight"> ${what}</span>
  </button>`;
}
