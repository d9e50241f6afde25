// What stands next to the words: bars and circles of a grid, frames, fans of rays.
import type { Color } from "../art/color.ts";
import type { Random } from "../art/random.ts";
import type { Frame } from "../art/stage.ts";
import { tag } from "../art/svg.ts";
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

/** In the room above the headline. */
function shapes({ width, margin, unit, accent, ink, random }: Sheet, { top }: Block): string {
  const room = top - margin - unit * 60;
  const side = Math.min(room, width - 2 * margin);
  const own = random.fork("shapes");
  const x = width - margin - side;
  const half = side / 2;
  const big = own.pick([
    tag("circle", { cx: x + half, cy: margin + half, r: half, fill: accent }),
    tag("path", {
      d: `M${x} ${margin}A${side} ${side} 0 0 0 ${x + side} ${margin + side}V${margin}Z`,
      fill: accent,
    }),
    [0, 1, 2, 3]
      .map((i) =>
        tag("rect", {
          x: x + (i * side) / 4,
          y: margin + (i * side) / 8,
          width: side / 6,
          height: side - (i * side) / 8,
          fill: accent,
        }),
      )
      .join(""),
  ]);
  const little = own.pick([
    tag("circle", { cx: margin + side * 0.16, cy: margin + side * 0.16, r: side * 0.16, fill: ink }),
    tag("rect", { x: margin, y: margin, width: side * 0.3, height: unit * 22, fill: ink }),
  ]);
  return room > unit * 120 ? big + little : "";
}

function frame({ width, height, unit, accent }: Sheet, lines: number): string {
  return Array.from({ length: lines }, (_, i) => {
    const inset = unit * (34 + 13 * i);
    const look = { fill: "none", stroke: accent, "stroke-width": unit * (i === 1 ? 6 : 2.5) };
    return tag("rect", { ...look, x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset });
  }).join("");
}

/** A half sun over the words. */
function rays({ width, margin, unit, accent, ink, paper }: Sheet, { top }: Block): string {
  const foot = top - unit * 52;
  const reach = Math.min(foot - margin - unit * 50, width * 0.4);
  if (reach < unit * 60) return "";
  const lines = Array.from({ length: 25 }, (_, i) => {
    const turn = (Math.PI * i) / 24;
    const [from, to] = [reach * 0.3, reach * (i % 2 === 0 ? 1 : 0.78)];
    return `M${width / 2 - Math.cos(turn) * from} ${foot - Math.sin(turn) * from}L${width / 2 - Math.cos(turn) * to} ${foot - Math.sin(turn) * to}`;
  });
  const dome = (r: number, fill: string): string =>
    tag("path", { d: `M${width / 2 - r} ${foot}A${r} ${r} 0 0 1 ${width / 2 + r} ${foot}Z`, fill });
  return (
    tag("path", { d: lines.join(""), stroke: accent, "stroke-width": unit * 5 }) +
    dome(reach * 0.3, accent) +
    dome(reach * 0.22, paper) +
    dome(reach * 0.14, ink)
  );
}

/** Two branches that meet over the words, and a rule with a dot under them. */
function sprigs({ width, unit, accent }: Sheet, { top, tall }: Block): string {
  const y = top - unit * 110;
  const branch = (side: number): string => {
    const leaves = Array.from({ length: 6 }, (_, i) => {
      const [x, rise] = [
        width / 2 + side * unit * (34 + 34 * i),
        y - unit * 26 * Math.sin((i / 6) * Math.PI * 0.9),
      ];
      const size = unit * (36 - 3 * i);
      return [-1, 1]
        .map((up) =>
          tag("path", {
            d: `M${x} ${rise}q${side * size * 0.2} ${up * size * 0.7} ${side * size} ${up * size * 0.62}q${-side * size * 0.3} ${-up * size * 0.75} ${-side * size} ${-up * size * 0.62}Z`,
            fill: accent,
          }),
        )
        .join("");
    });
    const stem = `M${width / 2 + side * unit * 14} ${y}q${side * unit * 90} ${-unit * 52} ${side * unit * 230} ${unit * 4}`;
    return leaves.join("") + tag("path", { d: stem, fill: "none", stroke: accent, "stroke-width": unit * 3 });
  };
  const under = top + tall + unit * 62;
  const rule = tag("path", {
    d: `M${width / 2 - unit * 130} ${under}h${unit * 105}M${width / 2 + unit * 25} ${under}h${unit * 105}`,
    stroke: accent,
    "stroke-width": unit * 3,
  });
  return (
    branch(-1) + branch(1) + rule + tag("circle", { cx: width / 2, cy: under, r: unit * 7, fill: accent })
  );
}
