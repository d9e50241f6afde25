// Texts in Markdown as markup, as much of it as plain pages need: headings, paragraphs, lists, quotes, bold words, code and links. Whatever
// else stands in a text is shown as it is typed; HTML in it is text.
import { html, type Markup } from "../design/markup.js";

export type Text = { readonly title: string; readonly blocks: readonly Markup[] };

const INLINE = /\*\*(?<bold>[^*]+)\*\*|`(?<code>[^`]+)`|\[(?<label>[^\]]+)\]\((?<href>[^)\s]+)\)/g;
/** Within this site, or to where a browser may be sent. */
const SAFE_HREF = /^(?:https:\/\/|mailto:|\/(?!\/)|#)/;

/** The first heading is the title of the page. Throws without one. */
export function readText(markdown: string): Text {
  const [first = "", ...others] = markdown
    .replaceAll("\r\n", "\n")
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== "");
  if (!first.startsWith("# ")) throw new Error("a text begins with its title: # Title");
  return { title: first.slice(2).trim(), blocks: others.map(block) };
}

function block(source: string): Markup {
  const lines = source.split("\n");
  if (source.startsWith("### ")) return html`<h3>${inline(source.slice(4))}</h3>`;
  if (source.startsWith("## ")) return html`<h2>${inline(source.slice(3))}</h2>`;
  if (lines.every((line) => line.startsWith(">")))
    return html`<blockquote><p>${inline(joined(lines, /^>\s?/))}</p></blockquote>`;
  if (/^[-*] /.test(source))
    return html`<ul>
      ${items(lines, /^[-*] /)}
    </ul>`;
  if (/^\d+\. /.test(source))
    return html`<ol>
      ${items(lines, /^\d+\. /)}
    </ol>`;
  return html`<p>${inline(lines.join(" "))}</p>`;
}

/** A line that begins no item goes on with the one before. */
function items(lines: readonly string[], mark: RegExp): Markup[] {
  const found: string[] = [];
  for (const line of lines) {
    if (mark.test(line)) found.push(line.replace(mark, ""));
    else found.push(`${found.pop() ?? ""} ${line.trim()}`);
  }
  return found.map((item) => html`<li>${inline(item)}</li>`);
}

function joined(lines: readonly string[], mark: RegExp): string {
  return lines.map((line) => line.replace(mark, "")).join(" ");
}

function inline(text: string): (Markup | string)[] {
  const parts: (Markup | string)[] = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    const { bold, code, label, href } = found.groups ?? {};
    parts.push(text.slice(end, found.index));
    if (bold !== undefined) parts.push(html`<strong>${bold}</strong>`);
    else if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (label !== undefined && href !== undefined)
      parts.push(SAFE_HREF.test(href) ? html`<a href=${href}>${label}</a>` : found[0]);
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}
