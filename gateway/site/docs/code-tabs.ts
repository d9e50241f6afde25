// Code in the docs: one block, or the same in several languages behind tabs. The tabs are radio buttons and work without scripts;
// browser/code-tabs.js switches all groups of a page together and stores the choice.
import { copyButton } from "../design/copy-button.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { highlight } from "./highlight.ts";
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
