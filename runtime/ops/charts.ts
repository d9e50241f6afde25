// The charts of the operator's page: lines drawn on the server as SVG, with axes for amount and time.
import { escaped, type Html } from "../html.ts";

const WIDTH = 300;
const HEIGHT = 64;

/** The values from the oldest to the newest; undefined where nothing could be read. */
export type Line = { readonly name: string; readonly points: readonly (number | undefined)[] };

/**
 * Screen readers read `label` instead of the chart. `write` formats a value of the axis. The newest value is at the right edge; a line with
 * fewer than `slots` values begins further right.
 */
export function chart(
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
