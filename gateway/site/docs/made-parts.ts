// Parts of chapters that are made from the code, so that no table of ours can say what the service does not do.
import { ERROR_TABLE } from "../../../proto/codes.ts";
import type { Config } from "../../../runtime/config.ts";
import { type Markup, html } from "../design/markup.js";
import { table } from "../design/table.ts";
import { codeTabs } from "./code-tabs.ts";
import type { Sample } from "./guide-text.ts";
import type { MadeParts } from "./render-blocks.ts";

/** `start`: what all samples begin with. */
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
  return table({
    caption: "Every code, its HTTP status, and what to do",
    columns: [
      { label: "Code" },
      { label: "HTTP" },
      { label: "Try again?" },
      { label: "What it means, and what to do" },
    ],
    rows: Object.entries(ERROR_TABLE).map(([code, { http, retryable, message, hint }]) => [
      html`<code id=${code}>${code}</code>`,
      http,
      retryable ? "yes" : "no",
      html`<span>${message} <span class="note">${hint}</span></span>`,
    ]),
  });
}

function limits(config: Config): Markup {
  const rows: [string, number, string][] = [
    ["Generate", config.rateGeneratePerMinute, "each key"],
    ["Everything else with a key", config.rateApiPerMinute, "each key"],
    ["Tools for members", config.rateMemberPerMinute, "each member key"],
    ["The catalog", config.rateCatalogPerMinute, "each network address"],
    ["Requests with a key that is not good", config.rateFailedKeysPerMinute, "each network address"],
  ];
  return table({
    caption: "Requests a minute",
    columns: [{ label: "What" }, { label: "A minute", isNumber: true }, { label: "Counted for" }],
    rows,
  });
}
