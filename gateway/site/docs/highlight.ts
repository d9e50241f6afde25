// Highlights code on the server: comments, strings, keywords, names and numbers. It is a tokenizer, not a parser.
import { type Children, type Markup, html } from "../design/markup.js";

const WORDS: Readonly<Record<string, string>> = {
  bash: "if then else elif fi for while do done in case esac function return export echo",
  javascript:
    "import from export const let function return if else for of while await async new throw true false null undefined try catch",
  python:
    "import from def return if elif else for in while with as not and or is None True False class try except raise yield lambda",
  go: "package import func return if else for range var const type struct map string byte error nil true false defer switch case",
  json: "true false null",
  toml: "true false",
};
const COMMENTS: Readonly<Record<string, string>> = {
  bash: String.raw`(?<=^|\s)#[^\n]*`,
  console: String.raw`(?<=^|\s)#[^\n]*`,
  python: String.raw`#[^\n]*`,
  toml: String.raw`#[^\n]*`,
  javascript: String.raw`(?<=^|\s)//[^\n]*`,
  go: String.raw`(?<=^|\s)//[^\n]*`,
};
const SHORT: Readonly<Record<string, string>> = { js: "javascript", py: "python" };
const STRING = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|${"`"}[^${"`"}]*${"`"}`;
const NAME = String.raw`\$\{?\w+\}?`;
const NUMBER = String.raw`\b\d[\d_.]*\b`;

/** Wraps highlighted parts of `text` in elements. Text in unknown languages is unchanged. */
export function highlight(text: string, name: string): Markup {
  const language = SHORT[name] ?? name;
  const words = WORDS[language];
  if (words === undefined && COMMENTS[language] === undefined) return html`${text}`;
  const pattern = new RegExp(
    [
      `(?<comment>${COMMENTS[language] ?? "(?!)"})`,
      `(?<string>${STRING})`,
      `(?<word>\\b(?:${(words ?? "(?!)").replaceAll(" ", "|")})\\b)`,
      `(?<name>${NAME})`,
      `(?<number>${NUMBER})`,
    ].join("|"),
    "gm",
  );
  const parts: Children[] = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    const kind = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined)?.[0];
    parts.push(text.slice(end, found.index), html`<span class=${`code-${kind}`}>${found[0]}</span>`);
    end = found.index + found[0].length;
  }
  return html`${parts}${text.slice(end)}`;
}
