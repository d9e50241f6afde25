// The form as code: exactly this request in several languages, one of them in sight. The tabs are radio buttons and work before scripts.
import type { CodeSample } from "../../answers/code-samples.ts";
import { copyButton } from "../design/copy-button.ts";
import { type Markup, html } from "../design/markup.js";

const NAMES: Readonly<Record<CodeSample["id"], Markup>> = {
  curl: html`In a terminal.`,
  javascript: html`With our client for Node and browsers: <a href="/docs/clients">how to get it</a>.`,
  python: html`With our client for Python: <a href="/docs/clients">how to get it</a>.`,
  mcp: html`The request of an assistant for the same job.${" "}<a href="/connect">Connect an assistant</a>`,
};

/** `waits` says whether the sample for curl waits for the end. */
export function codePanel(
  samples: readonly CodeSample[],
  { isOpen, waits = true }: { isOpen: boolean; waits?: boolean },
): Markup {
  return html`<section class="request-code" id="code" aria-label="Code" hidden=${!isOpen}>
    <p class="note">
      This request as code. Your key comes from <code>ATELIER_KEY</code>.${" "}
      <a href="/account/keys">Make a key</a>
    </p>
    <fieldset class="request-code__tabs">
      <legend class="aside-from-sight">Language</legend>
      ${samples.map(
        ({ id, label }, i) =>
          html`<label class="request-code__tab">
            <input
              class="aside-from-sight"
              type="radio"
              name="language"
              value=${id}
              checked=${i === 0}
            />${label}
          </label>`,
      )}
    </fieldset>
    ${samples.map(
      (sample) =>
        html`<div class="stack request-code__panel" data-language=${sample.id}>
          <pre tabindex="0" role="region" aria-label=${sample.label}>${codeOf(sample)}</pre>
          <div class="cluster cluster--apart">
            <p class="note">
              ${NAMES[sample.id]}
              ${sample.id === "curl" && (waits ? " It waits for the result and prints where the files are." : " It prints the id of the workflow.")}
            </p>
            ${copyButton({ of: codeId(sample), what: sample.label })}
          </div>
        </div>`,
    )}
  </section>`;
}

export function codeOf(sample: CodeSample): Markup {
  return html`<code id=${codeId(sample)}>${sample.code}</code>`;
}

function codeId({ id }: CodeSample): string {
  return `code-${id}`;
}
