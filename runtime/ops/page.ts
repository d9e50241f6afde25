// The operator's page: what is ready, and this process's numbers with small charts. One document with its own style and script, which its
// policy names by their hashes; nothing else is loaded.
import { createHash } from "node:crypto";
import { escaped, Html } from "../html.ts";
import { type Measure, MEASURES, type OperatorHistory, type Reading, SAMPLE_EVERY_MS } from "./history.ts";

const STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#faf8f4, #141311); --surface: light-dark(#fff, #1d1b18); --ink: light-dark(#1f1c18, #f3efe8); --soft: light-dark(#5c554b, #b7afa3); --line: light-dark(#ddd6ca, #3a362f); --accent: light-dark(#a83f1b, #f0916a); --bad: light-dark(#a5262b, #f79a9a); --good: light-dark(#1f6b45, #82d1a8); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1, h2, p, ul { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; }
h2 { font-size: .9375rem; font-weight: 600; color: var(--soft); }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center; justify-content: space-between; margin-bottom: 1.5rem; }
label { display: flex; gap: .5rem; align-items: center; min-height: 2rem; }
ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.checks { margin-bottom: 1.5rem; }
.ready { color: var(--good); } .away { color: var(--bad); font-weight: 700; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 1rem; }
.tile { display: flex; flex-direction: column; padding: 1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); }
.value { font-size: 2rem; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums; }
.trouble .value { color: var(--bad); }
.note, .parts { color: var(--soft); font-size: .875rem; }
svg { display: block; width: 100%; height: 3rem; margin: auto 0 .5rem; color: var(--accent); }
.trouble svg { color: var(--bad); }
footer { margin-top: 2rem; color: var(--soft); font-size: .875rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

const SCRIPT = `
const refresh = document.querySelector("#refresh");
refresh.closest("label").hidden = false;
setInterval(async () => {
  if (!refresh.checked || document.hidden) return;
  const state = document.querySelector("#state");
  try {
    const page = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
    state.textContent = "";
  } catch {
    state.textContent = "The process does not answer; this is what it said last.";
  }
}, ${SAMPLE_EVERY_MS});
`;

// Whole, so that nothing puts white space into what the hashes are of.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const SCRIPT_ELEMENT = new Html(`<script type="module">${SCRIPT}</script>`);

export const OPERATOR_PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src '${hash(STYLE)}'; script-src '${hash(SCRIPT)}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

export type OperatorFacts = {
  readonly role: string;
  readonly uptimeSeconds: number;
  readonly checks: readonly { readonly name: string; readonly passes: boolean }[];
  readonly history: Pick<OperatorHistory, "read" | "series">;
};

export async function operatorPage({ role, uptimeSeconds, checks, history }: OperatorFacts): Promise<string> {
  const readings = await history.read();
  const shown = MEASURES.flatMap((measure) => {
    const reading = readings.get(measure);
    return reading ? [tile(measure, reading, history.series(measure))] : [];
  });
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
            <h2>Ready for work, up ${duration(uptimeSeconds)}</h2>
            <ul>
              ${checks.map(({ name, passes }) =>
                passes
                  ? escaped`<li class="ready">${name}: yes</li>`
                  : escaped`<li class="away">${name}: no</li>`,
              )}
            </ul>
          </section>
          <div class="tiles">
            ${shown.length > 0 ? shown : escaped`<p>This process keeps none of the numbers that this page shows.</p>`}
          </div>
        </main>
        <footer>
          Of this process alone; others have their own page. Charts: the last quarter of an hour, from memory.
          <a href="/metrics">All metrics</a> · <a href="/readyz">Readiness</a>
        </footer>
        ${SCRIPT_ELEMENT}
      </body>
    </html>`.text;
}

function tile(measure: Measure, { value, parts }: Reading, series: readonly (number | undefined)[]): Html {
  const { title, kind, unit = "", isTrouble } = measure;
  const points = kind === "count" ? growth(series) : series;
  const recent = kind === "count" ? points.reduce<number>((sum, point) => sum + (point ?? 0), 0) : value;
  const note = kind === "count" ? `since the start, ${number(recent)} in the last quarter of an hour` : "now";
  return escaped`<section class="tile ${isTrouble && recent > 0 ? "trouble" : ""}">
    <h2>${title}</h2>
    <p class="value">${number(value)}${unit && ` ${unit}`}</p>
    <p class="note">${note}</p>
    ${chart(title, points)}
    <ul class="parts">
      ${parts.map(([label, part]) => escaped`<li>${label}: ${number(part)}</li>`)}
    </ul>
  </section>`;
}

/** By how much a count grew from each sample to the next. A count never falls: it ends with its process, as this history does. */
function growth(series: readonly (number | undefined)[]): (number | undefined)[] {
  return series.slice(1).map((value, i) => {
    const before = series[i];
    return value === undefined || before === undefined ? undefined : value - before;
  });
}

const WIDTH = 300;
const HEIGHT = 48;

/** A line from the oldest to the newest, with 0 at the foot; gaps where nothing could be read. */
function chart(title: string, points: readonly (number | undefined)[]): Html {
  const known = points.filter((point) => point !== undefined);
  const highest = Math.max(1, ...known);
  const step = WIDTH / Math.max(1, points.length - 1);
  let path = "";
  let isBroken = true;
  points.forEach((point, i) => {
    if (point !== undefined)
      path += `${isBroken ? "M" : "L"}${(i * step).toFixed(1)} ${(HEIGHT - 2 - (point / highest) * (HEIGHT - 4)).toFixed(1)}`;
    isBroken = point === undefined;
  });
  const label =
    known.length < 2
      ? `${title}: too early for a chart`
      : `${title}: at most ${number(Math.max(...known))} in the chart`;
  return escaped`<svg
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    <path d="${path}" fill="none" stroke="currentColor" stroke-width="2" vector-effect="non-scaling-stroke" />
  </svg>`;
}

function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 1 });
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h`;
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
