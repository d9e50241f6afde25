// What stands next to the words: bars and circles of a grid, frames, fans of rays.
import outlines from "../art/outlines.json" with { type: "json" };
import type { Color } from "../art/palette.ts";
import type { Random } from "../art/random.ts";
import type { Frame } from "../art/stage.ts";
import { circle, path, placed, rect } from "../art/svg.ts";
import type { Style } from "./copy.ts";

export type Sheet = Frame & {
  readonly margin: number;
  readonly paper: Color;
  readonly ink: Color;
  readonly accent: Color;
  readonly random: Random;
};

type Block = { readonly top: number; readonly tall: number };

export function ornament(sheet: Sheet, style: Style, block: Block): string {
  if (style === "swiss") return shapes(sheet, block);
  if (style === "deco") return frame(sheet, 3) + rays(sheet, block);
  if (style === "elegant") return frame(sheet, 1) + sprigs(sheet, block);
  return "";
}

/** In the room above the headline: something large, and something small next to it. */
function shapes({ width, margin, unit, accent, ink, random }: Sheet, { top }: Block): string {
  const room = top - margin - unit * 60;
  if (room <= unit * 120) return "";
  const side = Math.min(room, width - 2 * margin);
  const own = random.fork("shapes");
  const [x, half, small] = [width - margin - side, side / 2, side * 0.16];
  const bars = [0, 1, 2, 3].map((i) => {
    const drop = (i * side) / 8;
    return rect({ x: x + drop * 2, y: margin + drop, width: side / 6, height: side - drop }, accent);
  });
  const large = own.pick([
    circle(x + half, margin + half, half, accent),
    path(`M${x} ${margin}A${side} ${side} 0 0 0 ${x + side} ${margin + side}V${margin}Z`, accent),
    bars.join(""),
  ]);
  const bar = rect({ x: margin, y: margin, width: side * 0.3, height: unit * 22 }, ink);
  return large + own.pick([circle(margin + small, margin + small, small, ink), bar]);
}

function frame({ width, height, unit, accent }: Sheet, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const inset = unit * (34 + 13 * i);
    const box = { x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset };
    return rect(box, { fill: "none", stroke: accent, "stroke-width": unit * (i === 1 ? 6 : 2.5) });
  }).join("");
}

/** A half sun over the words. */
function rays({ width, margin, unit, accent, ink, paper }: Sheet, { top }: Block): string {
  const foot = top - unit * 52;
  const reach = Math.min(foot - margin - unit * 50, width * 0.4);
  if (reach < unit * 60) return "";
  const beams = Array.from({ length: 25 }, (_, i) => {
    const turn = (Math.PI * i) / 24;
    const at = (r: number): string => `${width / 2 - Math.cos(turn) * r} ${foot - Math.sin(turn) * r}`;
    return `M${at(reach * 0.3)}L${at(reach * (i % 2 === 0 ? 1 : 0.78))}`;
  });
  const dome = (r: number, fill: string): string =>
    path(`M${width / 2 - r} ${foot}A${r} ${r} 0 0 1 ${width / 2 + r} ${foot}Z`, fill);
  const sun = dome(reach * 0.3, accent) + dome(reach * 0.22, paper) + dome(reach * 0.14, ink);
  return path(beams, { stroke: accent, "stroke-width": unit * 5 }) + sun;
}

/** Two branches that meet over the words, and a rule with a dot under them. */
function sprigs({ width, unit, accent }: Sheet, { top, tall }: Block): string {
  const [middle, y, under] = [width / 2, top - unit * 110, top + tall + unit * 62];
  const line = { stroke: accent, "stroke-width": unit * 3, fill: "none" };
  const branches = [-1, 1].map((side) => {
    const leaves = [0, 1, 2, 3, 4, 5].flatMap((i) => {
      const [x, rise] = [middle + side * unit * (34 + 34 * i), y - unit * 26 * Math.sin(i * 0.47)];
      return [52, 128].map((turn) =>
        path(placed(outlines.leaf, [x, rise], unit * (40 - 3 * i)), {
          fill: accent,
          transform: `rotate(${side * turn} ${x} ${rise})`,
        }),
      );
    });
    const stem = `M${middle + side * unit * 14} ${y}q${side * unit * 90} ${-unit * 52} ${side * unit * 230} ${unit * 4}`;
    return leaves.join("") + path(stem, line);
  });
  const [long, gap] = [unit * 105, unit * 25];
  const rule = path(`M${middle - gap - long} ${under}h${long}M${middle + gap} ${under}h${long}`, line);
  return branches.join("") + rule + circle(middle, under, unit * 7, accent);
}
