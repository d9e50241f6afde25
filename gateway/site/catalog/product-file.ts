// A file of a product, as its page describes it to everyone: what it holds, and the versions that a licence includes.
import type { ArchiveEntry } from "../../../proto/types/atelier/v1/ArchiveEntry.ts";
import type { FileFacts } from "../../../proto/types/atelier/v1/FileFacts.ts";
import { count, fileSize } from "../design/format.ts";
import { html, type Markup } from "../design/markup.js";
import { dateOf } from "../design/time.ts";

/** More are folded. */
const IN_SIGHT = 8;

export function productFile({ name, version, bytes, added_at: added, ...file }: FileFacts): Markup {
  const { entries, entry_count: total, earlier } = file;
  const unlisted = total - entries.length;
  return html`<section class="stack product-file">
    <h3>What’s in ${name}</h3>
    <p class="note">
      ${`Version ${version}, ${fileSize(bytes)}`}${added !== "" && html`, added ${dateOf(added)}`}${total > 0 && `, ${count(total)} ${total === 1 ? "file" : "files"}`}
    </p>
    ${entries.length > 0 && list(entries.slice(0, IN_SIGHT))}
    ${
      entries.length > IN_SIGHT &&
      html`<details>
        <summary>More files<span class="aside-from-sight"> in ${name}</span></summary>
        ${list(entries.slice(IN_SIGHT))}
        ${unlisted > 0 && html`<p class="note">And ${count(unlisted)} more.</p>`}
      </details>`
    }
    ${
      earlier.length > 0 &&
      html`<details>
        <summary>Earlier versions<span class="aside-from-sight"> of ${name}</span></summary>
        <ul class="product-file__list">
          ${earlier.map((one) => html`<li><span>Version ${one.version}</span> <span>${dateOf(one.added_at)}</span></li>`)}
        </ul>
        <p class="note">A licence includes all of them.</p>
      </details>`
    }
  </section>`;
}

function list(entries: readonly ArchiveEntry[]): Markup {
  return html`<ul class="product-file__list">
    ${entries.map(({ name, bytes }) => html`<li><span>${name}</span> <span>${fileSize(bytes)}</span></li>`)}
  </ul>`;
}
