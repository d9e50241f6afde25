// Renders Markdown from the tokens of `marked`, never from its HTML. Elements that pages do not support, such as HTML, are shown as typed.
import { Lexer, type MarkedToken, type Token } from "marked";
import { type Children, html } from "./markup.js";

/** The attributes of a link; undefined if browsers may not open the target, so that the link is shown as typed. */
export type LinkTo = (target: string) => { readonly href: string; readonly rel?: string } | undefined;

/** Whether a target is within this site or safe to open. Browsers read `/\` as `//` and ignore tabs. */
const SAFE_HREF = /^(?:https:\/\/|mailto:|\/(?![/\\\s])|#)/;

export const safeLink: LinkTo = (href) => (SAFE_HREF.test(href) ? { href } : undefined);

export function readMarkdown(text: string): MarkedToken[] {
  return Lexer.lex(text) as MarkedToken[];
}

export function readInline(text: string): Token[] {
  return Lexer.lexInline(text);
}

export function renderBlocks(tokens: readonly Token[], linkTo: LinkTo): Children {
  return (tokens as MarkedToken[]).map((token): Children => {
    switch (token.type) {
      case "space":
        return undefined;
      case "text": // Items of a list without blank lines.
        return renderInline(token.tokens ?? [token], linkTo);
      case "list": {
        const items = token.items.map((item) => html`<li>${renderBlocks(item.tokens, linkTo)}</li>`);
        return html`<${token.ordered ? "ol" : "ul"}>${items}<//>`;
      }
      case "blockquote":
        return html`<blockquote>${renderBlocks(token.tokens, linkTo)}</blockquote>`;
      case "heading": // The first level is the title of the page.
        return html`<${`h${Math.max(2, token.depth)}`}>${renderInline(token.tokens, linkTo)}<//>`;
      case "paragraph":
        return html`<p>${renderInline(token.tokens, linkTo)}</p>`;
      default:
        return html`<p>${renderInline(readInline(token.raw.trim()), linkTo)}</p>`;
    }
  });
}

export function renderInline(tokens: readonly Token[], linkTo: LinkTo): Children {
  return (tokens as MarkedToken[]).map((token): Children => {
    switch (token.type) {
      case "text":
      case "escape":
        return token.text.replaceAll("\n", " ");
      case "codespan":
        return html`<code>${token.text}</code>`;
      case "strong":
      case "em":
        return html`<${token.type}>${renderInline(token.tokens, linkTo)}<//>`;
      case "link": {
        const attributes = linkTo(token.href);
        return attributes ? html`<a ...${attributes}>${renderInline(token.tokens, linkTo)}</a>` : token.raw;
      }
      default:
        return token.raw;
    }
  });
}

/** The text without markup. */
export function plainText(tokens: readonly Token[]): string {
  return (tokens as MarkedToken[])
    .map((token) => {
      if (token.type === "list") return token.items.map(({ tokens }) => plainText(tokens)).join(" ");
      if ("tokens" in token && token.tokens) return plainText(token.tokens);
      return ("text" in token ? token.text : token.raw).replaceAll("\n", " ");
    })
    .join("");
}
