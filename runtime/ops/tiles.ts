// The cards of the operator's page: a number or a timing each, with its chart. Cards that were zero all the time are named and not drawn.
import { type Html, escaped } from "../html.ts";
import { KEPT_MINUTES, KEPT_SAMPLES, type Measure, type Reading } from "./history.ts";
import { type Buckets, countOf, percentile, PERCENTILES, type Timing } from "./timings.ts";

/** As wide as the kept samples and the current reading. */
const KEPT = { minutes: KEPT_MINUTES, slots: KEPT_SAMPLES + 1 } as const;
const WIDTH = 300;
const HEIGHT = 64;

/** `html` is undefined if there is nothing to draw: then only the title is shown. */
export type Tile = { readonly title: string; readonly html: Html | undefined; readonly isTrouble?: boolean };

/** Cards with problems come first. Returns nothing if no tile is drawn. */
export function tilesPart(heading: string, tiles: readonly Tile[]): Html | undefined {
  const drawn = tiles
    .toSorted((a, b) => Number(b.isTrouble ?? false) - Number(a.isTrouble ?? false))
    .flatMap(({ html }) => (html ? [html] : []));
  if (drawn.length === 0) return undefined;
  return escaped`<section class="group group--${drawn.length}">
    <h2>${heading}</h2>
    <div class="tiles">${drawn}</div>
  </section>`;
}

/** Names the tiles that have nothing to draw. */
export function quietPart(words: string, tiles: readonly Tile[]): Html | undefined {
  const quiet = tiles.filter(({ html }) => !html).map(({ title }) => title);
  return quiet.length === 0
    ? undefined
    : escaped`<p class="quiet">${words} in the last quarter of an hour: ${quiet.join(", ")}.</p>`;
}

export function tile(
  measure: Measure,
  { value, parts }: Reading,
  kept: readonly (number | undefined)[],
): Tile {
  const { title, kind } = measure;
  const write = (amount: number) => withUnit(amount, measure.unit);
  const points = kind === "count" ? growth(kept, value) : [...kept, value];
  const recent = kind === "count" ? points.reduce<number>((sum, point) => sum + (point ?? 0), 0) : value;
  if (value === 0 && points.every((point) => !point)) return { title, html: undefined };
  const isTrouble = measure.isTrouble === true && recent > 0;
  const note = kind === "count" ? `since the start, ${write(recent)} in the last quarter of an hour` : "now";
  const html = escaped`<section class="tile ${isTrouble ? "trouble" : ""}">
    <h3>${title}</h3>
    <p class="value">${write(value)}</p>
    <p class="note">${note}</p>
    ${lineOf(title, points, write)}
    <ul class="parts">
      ${parts.map(([label, part]) => escaped`<li>${label}: ${write(part)}</li>`)}
    </ul>
  </section>`;
  return { title, html, isTrouble };
}

/**
 * Returns how much a count grew from each sample to the next, and since the last one. A count never falls: it ends with its process, as
 * this history does, so a process without a whole history has counted from nothing.
 */
function growth(kept: readonly (number | undefined)[], now: number): (number | undefined)[] {
  const values = [...(kept.length < KEPT_SAMPLES ? [0] : []), ...kept, now];
  return values.slice(1).map((value, i) => (value === undefined ? undefined : value - (values[i] ?? 0)));
}

/** Draws a level or a growth as a line. */
function lineOf(
  title: string,
  points: readonly (number | undefined)[],
  write: (value: number) => string,
): Html {
  const highest = Math.max(0, ...points.filter((point) => point !== undefined));
  const label = `${title}: at most ${write(highest)} in the chart`;
  return chart({ label, lines: [{ name: title, points }], ...KEPT }, write);
}

type Timed = { readonly recent: Buckets; readonly steps: readonly Buckets[] };

export function timingTile({ title }: Timing, { recent, steps }: Timed): Tile {
  const total = countOf(recent);
  if (total === 0) return { title, html: undefined };
  const line = (percent: number) => ({
    name: `p${percent}`,
    // What is beyond the last bound cannot be drawn, so there is a gap.
    points: steps
      .map((step) => percentile(step, percent))
      .map((value) => (value === Infinity ? undefined : value)),
  });
  const label = `${title}: median and 95th percentile over time`;
  const html = escaped`<section class="tile">
    <h3>${title}</h3>
    <dl class="percentiles">
      ${PERCENTILES.map(
        (percent) => escaped`<div><dt>p${percent}</dt><dd>${time(percentile(recent, percent))}</dd></div>`,
      )}
    </dl>
    ${chart({ label, lines: [line(50), line(95)], ...KEPT }, time)}
    <p class="note">${number(total)} in the last quarter of an hour. Lines: p50, and p95 dashed.</p>
  </section>`;
  return { title, html };
}

/** For example 0.8 ms, 12 ms or 1.4 s. */
function time(seconds: number | undefined): string {
  if (seconds === undefined) return "–";
  if (seconds === Infinity) return "> 1 min";
  if (seconds === 0) return "0";
  return seconds < 1 ? `${number(seconds * 1000)} ms` : `${number(seconds)} s`;
}

function withUnit(value: number, unit: Measure["unit"]): string {
  if (unit === "cents") return (value / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
  return unit === undefined ? number(value) : `${number(value)} ${unit}`;
}

function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 1 });
}

/** The values from the oldest to the newest; undefined where nothing could be read. */
type Line = { readonly name: string; readonly points: readonly (number | undefined)[] };

/**
 * Screen readers read `label` instead of the chart. `write` formats a value of the axis. The newest value is at the right edge; a line with
 * fewer than `slots` values begins further right.
 */
function chart(
  { label, lines, minutes, slots }: { label: string; lines: readonly Line[]; minutes: number; slots: number },
  write: (value: number) => string,
): Html {
  const known = lines.flatMap(({ points }) => points).filter((point) => point !== undefined);
  const highest = niceAbove(Math.max(0, ...known));
  return escaped`<figure class="chart">
    <div class="axis axis--value" aria-hidden="true">
      <span>${write(highest)}</span><span>${write(highest / 2)}</span><span>${write(0)}</span>
    </div>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
      ${lines.map(
        ({ points }, i) =>
          escaped`<path class="line line--${i}" d="${pathOf(points, slots, highest)}" vector-effect="non-scaling-stroke" />`,
      )}
      ${[0, 0.5, 1].map((part) => {
        const y = (HEIGHT * part).toFixed(1);
        return escaped`<path class="grid" d="M0 ${y}H${WIDTH}" vector-effect="non-scaling-stroke" />`;
      })}
    </svg>
    <div class="axis axis--time" aria-hidden="true"><span>${minutes} min ago</span><span>now</span></div>
  </figure>`;
}

function pathOf(points: Line["points"], slots: number, highest: number): string {
  const step = WIDTH / (slots - 1);
  let path = "";
  points.forEach((point, i) => {
    if (point === undefined) return;
    const x = (WIDTH - (points.length - 1 - i) * step).toFixed(1);
    const y = (HEIGHT - (point / highest) * HEIGHT).toFixed(1);
    const begins = points[i - 1] === undefined;
    path += `${begins ? "M" : "L"}${x} ${y}`;
    // A value between two gaps is drawn as a dot.
    if (begins && points[i + 1] === undefined) path += "h0";
  });
  return path;
}

/** Returns the smallest 1, 2 or 5 times a power of ten at or above the value, as a round end for an axis. */
export function niceAbove(value: number): number {
  if (value <= 0 || !Number.isFinite(value)) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * size).find((nice) => nice >= value * (1 - 1e-9)) ?? 10 * size;
}
