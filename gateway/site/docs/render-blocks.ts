// Blocks of a chapter as markup.
import { type Children, type Markup, html } from "../design/markup.js";
import { table } from "../design/table.ts";
import { DOCS_PATH } from "./chapters.ts";
import { codeBlock, codeTabs } from "./code-tabs.ts";
import type { Block, Language } from "./guide-text.ts";

export type BlockOptions = {
  /** Which tab is open. */
  readonly language: Language;
  readonly made: MadeParts;
};

/** Parts that are not written in the chapter, by name. */
export type MadeParts = Readonly<Record<string, (language: Language) => Markup>>;

export function renderBlocks(blocks: readonly Block[], options: BlockOptions): Markup {
  let heading = "";
  return html`${blocks.map((block, i) => {
    if (block.kind === "heading") heading = block.text;
    return renderBlock(block, { ...options, id: `code-${i + 1}`, heading });
  })}`;
}

/** `id` is the block's own on its page, `heading` what it stands under. */
function renderBlock(block: Block, options: BlockOptions & { id: string; heading: string }): Markup {
  const { id, heading, language, made } = options;
  switch (block.kind) {
    case "heading":
      return html`<${block.level === 2 ? "h2" : "h3"} id=${block.id}>
        <a class="docs__anchor" href=${`#${block.id}`}>${inline(block.text)}</a>
      <//>`;
    case "paragraph":
      return html`<p>${inline(block.text)}</p>`;
    case "note":
      return html`<p class="docs__note">${inline(block.text)}</p>`;
    case "list": {
      const items = block.items.map((item) => html`<li>${inline(item)}</li>`);
      return block.isOrdered
        ? html`<ol>
            ${items}
          </ol>`
        : html`<ul>
            ${items}
          </ul>`;
    }
    case "table":
      return table({
        caption: plain(heading),
        columns: block.head.map((label) => ({ label: plain(label) })),
        rows: block.rows.map((cells) => cells.map(inline)),
      });
    case "code":
      return codeBlock({ id, language: block.language, text: block.text, heading: plain(heading) });
    case "samples":
      return codeTabs({ id, samples: block.samples, language, heading: plain(heading) });
    case "made": {
      const make = made[block.name];
      if (!make) throw new Error(`nothing makes ${block.name}`);
      return make(language);
    }
  }
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)/g;

/** Text with `code`, **weight** and links. Links to other chapters name their file. */
export function inline(text: string): Children {
  const parts: Children[] = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, label = "", target = ""] = found;
    parts.push(text.slice(end, found.index));
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${inline(strong)}</strong>`);
    else parts.push(link(label, target));
    end = found.index + whole.length;
  }
  return [...parts, text.slice(end)];
}

function link(label: string, target: string): Markup {
  const [, slug, anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  const href = slug === undefined ? target : `${DOCS_PATH}/${slug}${anchor}`;
  return html`<a href=${href} rel=${href.startsWith("https:") && "external noopener"}>${inline(label)}</a>`;
}

/** The text alone: for headings of tables, descriptions and search. */
export function plain(text: string): string {
  return text.replace(INLINE, (_whole, code, strong, label) => String(code ?? strong ?? label));
}
