// Code in the docs: one block, or the same in several languages behind tabs. The tabs are radio buttons and work without scripts;
// browser/code-tabs.js switches all groups of a page together and stores the choice.
import { copyButton } from "../design/copy-button.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { type Language, LANGUAGES, type Sample } from "./guide-text.ts";

/** The cookie that the script sets. The server reads it, so the page arrives with the right tabs open and nothing moves. */
export const LANGUAGE_COOKIE = "docs_language";

const WHAT: Readonly<Record<string, string>> = {
  json: "Answer",
  text: "It prints",
  console: "In a terminal",
  http: "As it is sent",
  js: "Before, in JavaScript",
  py: "Before, in Python",
};

export function codeBlock({
  id,
  language,
  text,
  heading,
}: {
  id: string;
  language: string;
  text: string;
  heading: string;
}): Markup {
  const what = WHAT[language] ?? language.toUpperCase();
  return html`<div class=${`code code--${language}`}>
    <div class="code__bar">
      <span class="code__what">${what}</span>${copyButton({ of: id, what: `${what}: ${heading}` })}
    </div>
    ${pre({ id, language, text, label: `${what}: ${heading}` })}
  </div>`;
}

export function codeTabs({
  id,
  samples,
  language,
  heading,
}: {
  id: string;
  samples: readonly Pick<Sample, "language" | "text">[];
  language: Language;
  heading: string;
}): Markup {
  const open = samples.some((sample) => sample.language === language) ? language : samples[0]?.language;
  return html`<div class="code code--tabs">
    <fieldset class="code__bar">
      <legend class="aside-from-sight">Language of the sample: ${heading}</legend>
      ${samples.map(
        (sample) =>
          html`<label class="code__tab">
            <input type="radio" name=${id} value=${sample.language} checked=${sample.language === open} />
            <span>${LANGUAGES[sample.language]}</span>
          </label>`,
      )}
    </fieldset>
    ${samples.map((sample) => {
      const label = `${LANGUAGES[sample.language]}: ${heading}`;
      const own = `${id}-${sample.language}`;
      return html`<div class="code__panel" data-language=${sample.language}>
        ${copyButton({ of: own, what: label })}
        ${pre({ id: own, language: sample.language, text: sample.text, label })}
      </div>`;
    })}
  </div>`;
}

function pre({
  id,
  language,
  text,
  label,
}: {
  id: string;
  language: string;
  text: string;
  label: string;
}): Children {
  return html`<pre
    tabindex="0"
    role="region"
    aria-label=${label}
  ><code id=${id}>${highlight(text, language)}</code></pre>`;
}

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
function highlight(text: string, name: string): Markup {
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
