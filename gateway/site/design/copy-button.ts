// A button that copies what stands elsewhere on the page. Shown by browser/copy.js, which the page must load.
import { type Markup, html } from "./markup.js";

/** `of` is the id of the element with the text; `what` says it aloud, since there may be several. */
export function copyButton({ of, what }: { of: string; what: string }): Markup {
  return html`<button class="button button--quiet button--small" type="button" hidden data-copy=${of}>
    Copy<span class="aside-from-sight"> ${what}</span>
  </button>`;
}
