// Parts of chapters that are generated from the code, so that no table can differ from the service.
import { ERROR_TABLE } from "../../../proto/codes.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { limitRows } from "../../../edge/guide.ts";
import { type Markup, html } from "../design/markup.js";
import { table } from "../design/table.ts";
import { codeTabs } from "./code-tabs.ts";
import type { Sample } from "./guide-text.ts";
import type { MadeParts } from "./render-blocks.ts";

/** `start` contains the lines that all samples begin with. */
export function madeParts(config: Config, start: readonly Sample[]): MadeParts {
  return {
    "error-codes": errorCodes,
    limits: () => limits(config),
    start: (language) =>
      html`<details class="docs__start">
        <summary>The samples on this page begin like this</summary>
        ${codeTabs({ id: "start", samples: start, language, heading: "The beginning of every program" })}
      </details>`,
  };
}

function errorCodes(): Markup {
  return html`<dl class="docs__error-list">
    ${Object.entries(ERROR_TABLE).map(
      ([code, { http, retryable, message, hint }]) =>
        html`<dt id=${code}>
            <code>${code}</code> <span class="badge">${http}</span>${" "}
            ${retryable && html`<span class="badge badge--success">try again</span>`}
          </dt>
          <dd>${message} <span class="note">${hint}</span></dd>`,
    )}
  </dl>`;
}

function limits(config: Config): Markup {
  return table({
    caption: "Requests a minute",
    columns: [{ label: "What" }, { label: "A minute", isNumber: true }, { label: "Counted for" }],
    rows: limitRows(config).map(({ what, perMinute, countedFor }) => [what, perMinute, countedFor]),
  });
}
