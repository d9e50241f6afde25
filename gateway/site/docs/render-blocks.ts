// Renders the blocks of a chapter.
import {
  type LinkTo,
  plainText,
  readInline,
  renderBlocks as renderMarkdown,
  renderInline,
  safeLink,
} from "../design/markdown.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { table } from "../design/table.ts";
import { DOCS_PATH } from "./chapters.ts";
import { codeBlock, codeTabs } from "./code-tabs.ts";
import type { Block, Language } from "./guide-text.ts";

export type BlockOptions = {
  /** The language of the open tab. */
  readonly language: Language;
  readonly made: MadeParts;
};

/** Generated parts by name. */
export type MadeParts = Readonly<Record<string, (language: Language) => Markup>>;

export function renderBlocks(blocks: readonly Block[], options: BlockOptions): Markup {
  let heading = "";
  /** The blocks of code under this heading by language, because each needs a name of its own. */
  let counts = new Map<string, number>();
  return html`${blocks.map((block, i) => {
    if (block.kind === "heading") [heading, counts] = [block.text, new Map()];
    const language = block.kind === "code" ? block.language : block.kind;
    const count = (counts.get(language) ?? 0) + 1;
    counts.set(language, count);
    const named = count === 1 ? heading : `${heading} (${count})`;
    return renderBlock(block, { ...options, id: `code-${i + 1}`, heading: named });
  })}`;
}

/** `id` is unique on the page; `heading` names the section of the block, and which of several alike it is. */
function renderBlock(block: Block, options: BlockOptions & { id: string; heading: string }): Markup {
  const { id, heading, language, made } = options;
  switch (block.kind) {
    case "heading":
      return html`<${`h${block.level}`} id=${block.id}>
        <a class="docs__anchor" href=${`#${block.id}`}>${inline(block.text)}</a>
      <//>`;
    case "prose":
      return html`${renderMarkdown(block.tokens, linkTo)}`;
    case "note":
      return html`<p class="docs__note">${inline(block.text)}</p>`;
    case "table":
      return table({
        caption: plain(heading),
        columns: block.head.map(plain),
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

/** Links to other chapters name their file. */
const linkTo: LinkTo = (target) => {
  const [, slug, anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  const link = safeLink(slug === undefined ? target : `${DOCS_PATH}/${slug}${anchor}`);
  return link?.href.startsWith("https:") ? { ...link, rel: "external noopener" } : link;
};

/** Text with `code`, **bold** and links. */
export function inline(text: string): Children {
  return renderInline(readInline(text), linkTo);
}

/** The text without markup: for table headings, descriptions and search. */
export function plain(text: string): string {
  return plainText(readInline(text));
}
