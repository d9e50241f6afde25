// The operator's page: what is ready, and this process's numbers with small charts. It is one document with its own style and script, which
// its content security policy names by hash. Nothing else is loaded.
import { escaped, hashSource, Html } from "../html.ts";
import { RELEASE } from "../release.ts";
import { MEASURES, type OperatorHistory, SAMPLE_EVERY_MS } from "./history.ts";
import type { Cell, PanelContents, ReadPanel } from "./panels.ts";
import { quietPart, tile, tilesPart, timingTile } from "./tiles.ts";

const STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#faf8f4, #141311); --surface: light-dark(#fff, #1d1b18); --ink: light-dark(#1f1c18, #f3efe8); --soft: light-dark(#5c554b, #b7afa3); --line: light-dark(#ddd6ca, #3a362f); --accent: light-dark(#a83f1b, #f0916a); --bad: light-dark(#a5262b, #f79a9a); --good: light-dark(#1f6b45, #82d1a8); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1, h2, h3, p, ul, dl, dd, figure { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; }
h2 { margin: 2rem 0 .75rem; font-size: 1.125rem; }
.checks h2, .panel h2 { margin-top: 0; }
h3 { font-size: .9375rem; font-weight: 600; color: var(--soft); }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center; justify-content: space-between; margin-bottom: 1.5rem; }
label { display: flex; gap: .5rem; align-items: center; min-height: 2rem; }
ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.checks { margin-bottom: 1.5rem; }
.ready { color: var(--good); } .away { color: var(--bad); font-weight: 700; }
.groups { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); grid-auto-flow: dense; gap: 0 1rem; }
.group { grid-column: 1 / -1; }
@media (min-width: 70rem) { .group--1 { grid-column: span 1; } .group--2 { grid-column: span 2; } .group--3 { grid-column: span 3; } }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: 1rem; }
.tile { display: flex; flex-direction: column; padding: 1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); }
.value { font-size: 2rem; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums; }
.trouble .value { color: var(--bad); }
.note, .parts { color: var(--soft); font-size: .875rem; }
.chart { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .125rem .5rem; margin: auto 0 .5rem; padding-top: .5rem; }
svg { display: block; width: 100%; height: 4rem; color: var(--accent); overflow: visible; }
.trouble svg { color: var(--bad); }
.line { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
.line--1 { stroke-dasharray: 4 5; opacity: .75; }
.grid { fill: none; stroke: var(--line); stroke-width: 1; }
.axis { display: flex; justify-content: space-between; color: var(--soft); font-size: .75rem; font-variant-numeric: tabular-nums; line-height: 1; }
.axis--value { flex-direction: column; min-width: 2.5rem; text-align: right; }
.axis--time { grid-column: 2; padding-top: .25rem; }
.percentiles { display: flex; justify-content: space-between; gap: 1rem; margin-top: .25rem; }
.percentiles dt { color: var(--soft); font-size: .8125rem; }
.percentiles dd { font-size: 1.125rem; font-weight: 700; white-space: nowrap; font-variant-numeric: tabular-nums; }
.panels { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: 2rem; }
.quiet { margin-top: 1rem; color: var(--soft); }
.panel { flex: 1 1 28rem; min-width: 0; padding: 1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); }
.panel:has(.prose) { flex-basis: 100%; }
.frame { overflow-x: auto; margin-bottom: .5rem; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .375rem .75rem .375rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
.long { overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
time { white-space: nowrap; }
thead th { border-top: 0; color: var(--soft); font-weight: 600; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 700; }
footer { margin-top: 2rem; color: var(--soft); font-size: .875rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

const SCRIPT = `
const local = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const tellTimes = () => {
  for (const time of document.querySelectorAll("time")) time.textContent = local.format(new Date(time.dateTime));
};
tellTimes();
const refresh = document.querySelector("#refresh");
refresh.closest("label").hidden = false;
setInterval(async () => {
  if (!refresh.checked || document.hidden) return;
  const state = document.querySelector("#state");
  try {
    const page = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
    tellTimes();
    state.textContent = "";
  } catch {
    state.textContent = "The process does not answer; this is what it said last.";
  }
}, ${SAMPLE_EVERY_MS});
`;

// Both are written out unchanged, so that no white space is added to what the hashes cover.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const SCRIPT_ELEMENT = new Html(`<script type="module">${SCRIPT}</script>`);

export const OPERATOR_PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src '${hashSource(STYLE)}'; script-src '${hashSource(SCRIPT)}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/** The result of a readiness check. */
export type Assessment = {
  readonly name: string;
  /** The process stays ready without this part. */
  readonly isMinor: boolean;
  readonly passes: boolean;
  readonly reason?: string;
};

export type OperatorInfo = {
  readonly role: string;
  readonly uptimeSeconds: number;
  readonly checks: readonly Assessment[];
  readonly history: Pick<OperatorHistory, "read" | "series" | "timings">;
  readonly panels: readonly ReadPanel[];
};

export async function operatorPage({
  role,
  uptimeSeconds,
  checks,
  history,
  panels,
}: OperatorInfo): Promise<string> {
  const [readings, timings] = await Promise.all([history.read(), history.timings()]);
  const isReady = checks.every(({ passes, isMinor }) => passes || isMinor);
  const groups = Object.entries(MEASURES).map(([subject, measures]) => {
    const tiles = measures.flatMap((measure) => {
      const reading = readings.get(measure);
      return reading ? [tile(measure, reading, history.series(measure))] : [];
    });
    return { subject, tiles };
  });
  const tiles = groups.flatMap((group) => group.tiles);
  const timingTiles = [...timings].map(([timing, timed]) => timingTile(timing, timed));
  return escaped`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Operations: ${role}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header>
          <h1>Operations: ${role}</h1>
          <label hidden
            ><input type="checkbox" id="refresh" checked /> Refresh every ${SAMPLE_EVERY_MS / 1000}
            seconds</label
          >
        </header>
        <p id="state" role="status" class="away"></p>
        <main>
          <section class="checks">
            <h2>${isReady ? "Ready for work" : "Not ready for work"}, up ${duration(uptimeSeconds)}</h2>
            <ul>${checks.map(checkPart)}</ul>
          </section>
          ${panels.length > 0 ? panelsPart(panels) : undefined}
          <div class="groups">
          ${groups.map((group) => tilesPart(group.subject, group.tiles) ?? new Html(""))}
          ${tilesPart("How long it takes", timingTiles)}
          </div>
          ${quietPart("Zero", tiles)} ${quietPart("Not measured", timingTiles)}
          ${
            tiles.length > 0
              ? undefined
              : escaped`<p>This process keeps none of the numbers that this page shows.</p>`
          }
        </main>
        <footer>
          Release ${RELEASE}. Numbers and charts: of this process alone and the last quarter of an hour, from memory;
          other processes have their own page. Tables: of all that the database holds.
          <a href="/metrics">All metrics</a> · <a href="/readyz">Readiness</a>
        </footer>
        ${SCRIPT_ELEMENT}
      </body>
    </html>`.text;
}

function checkPart({ name, passes, reason }: Assessment): Html {
  return passes
    ? escaped`<li class="ready">${name}: yes</li>`
    : escaped`<li class="away">${name}: no${reason === undefined ? "" : ` (${reason})`}</li>`;
}

/** Draws tables that have rows; for the others a sentence says that there is nothing to show. */
function panelsPart(panels: readonly ReadPanel[]): Html {
  const isEmpty = ({ contents }: ReadPanel) => contents?.rows.length === 0;
  const empty = panels.filter(isEmpty).map((panel) => panel.empty);
  return escaped`<div class="panels">${panels.filter((panel) => !isEmpty(panel)).map(panelPart)}</div>
    ${empty.length > 0 ? escaped`<p class="quiet">${empty.join(" ")}</p>` : undefined}`;
}

function panelPart({ title, note, contents }: ReadPanel): Html {
  return escaped`<section class="panel">
    <h2>${title}</h2>
    ${contents ? panelTable(title, contents) : escaped`<p class="away">This could not be read now.</p>`}
    ${note === undefined ? undefined : escaped`<p class="note">${note}</p>`}
  </section>`;
}

function panelTable(title: string, { columns, rows }: PanelContents): Html {
  const kinds = columns.map((_column, i) => (rows.every((row) => isNumber(row[i])) ? "number" : ""));
  return escaped`<div class="frame" tabindex="0" role="region" aria-label="${title}">
    <table>
      <thead>
        <tr>${columns.map((column, i) => escaped`<th scope="col" class="${kinds[i]}">${column}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map((row) => escaped`<tr>${row.map((contents, i) => cell(contents, kinds[i] ?? ""))}</tr>`)}
      </tbody>
    </table>
  </div>`;
}

/** Ids stay whole, so that they can be read and copied; longer than one, text breaks where it must. */
const LONG = /\S{40}/;

/** In characters: a table with more in one cell has the whole width. */
const MOST_SHORT = 80;

function cell(contents: Cell, kind: string): Html {
  if (typeof contents === "string") {
    const prose = contents.length > MOST_SHORT ? "prose" : "";
    return escaped`<td class="${LONG.test(contents) ? "long" : kind} ${prose}">${contents}</td>`;
  }
  return "at" in contents
    ? escaped`<td>${timePart(contents.at)}</td>`
    : escaped`<td class="${kind} ${contents.tone}">${contents.text}</td>`;
}

/** A count or an amount; a dash or "nothing" stands for none. */
function isNumber(contents: Cell | undefined): boolean {
  const text = typeof contents === "object" && "text" in contents ? contents.text : contents;
  return typeof text === "string" && /^(?:−?\$?\d[\d.,]*|–|nothing)$/.test(text);
}

/** In UTC; the script shows it in the reader's zone. */
function timePart(at: Date): Html {
  const utc = `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return escaped`<time datetime="${at.toISOString()}" title="${utc}">${utc}</time>`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h`;
}
