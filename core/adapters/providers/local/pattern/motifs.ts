// What a tile of 100 by 100 holds. Whatever crosses an edge is drawn again where it comes in on the other side.
import { type Color, mix } from "../art/color.ts";
import type { Random } from "../art/random.ts";
import { tag } from "../art/svg.ts";

export type Motif = (tile: {
  readonly ground: Color;
  readonly inks: readonly Color[];
  readonly random: Random;
  /** Inks lie over each other, a little out of register. */
  readonly riso: boolean;
}) => string;

const ink = (inks: readonly Color[], i: number): Color => inks[i % Math.max(1, inks.length)] ?? "#1b1a1e";

/** At a place of the tile, and again beyond each edge. */
function wrapped(x: number, y: number, turn: number, body: string): string {
  return [-100, 0, 100]
    .flatMap((dx) => [-100, 0, 100].map((dy) => [x + dx, y + dy] as const))
    .filter(([px, py]) => px > -40 && px < 140 && py > -40 && py < 140)
    .map(([px, py]) => tag("g", { transform: `translate(${px} ${py}) rotate(${turn})` }, body))
    .join("");
}

/** Even, and yet by chance: of places that are tried, the one that is farthest from all others, over the edges too. */
function scatter(random: Random, count: number, draw: (i: number) => string, upright = false): string {
  const taken: (readonly [number, number])[] = [];
  const gap = (a: number, b: number): number => Math.min(Math.abs(a - b), 100 - Math.abs(a - b));
  return Array.from({ length: count }, (_, i) => {
    const tries = Array.from({ length: 24 }, () => [random.between(0, 100), random.between(0, 100)] as const);
    const room = ([x, y]: readonly [number, number]): number =>
      Math.min(1e9, ...taken.map(([ox, oy]) => Math.hypot(gap(x, ox), gap(y, oy))));
    const [x, y] = tries.reduce((best, next) => (room(next) > room(best) ? next : best));
    taken.push([x, y]);
    return wrapped(x, y, upright ? 0 : random.between(0, 360), draw(i));
  }).join("");
}

function leaf(color: Color, vein: Color, size: number): string {
  const side = [0.25, 0.45, 0.65].map(
    (at) =>
      `M0 ${-size * at}L${size * 0.2} ${-size * (at + 0.17)}M0 ${-size * at}L${-size * 0.2} ${-size * (at + 0.17)}`,
  );
  return (
    tag("path", {
      d: `M0 0C${size * 0.5} ${-size * 0.3} ${size * 0.36} ${-size * 0.8} 0 ${-size}C${-size * 0.36} ${-size * 0.8} ${-size * 0.5} ${-size * 0.3} 0 0Z`,
      fill: color,
    }) +
    tag("path", {
      d: `M0 ${size * 0.22}V${-size * 0.88}${side.join("")}`,
      stroke: vein,
      "stroke-width": 0.7,
      fill: "none",
      "stroke-linecap": "round",
    })
  );
}

function star(size: number, points = 5): string {
  return (
    Array.from({ length: points * 2 }, (_, i) => {
      const [turn, r] = [
        (Math.PI * i) / points - Math.PI / 2,
        i % 2 === 0 ? size : size * (points > 6 ? 0.55 : 0.42),
      ];
      return `${i === 0 ? "M" : "L"}${(Math.cos(turn) * r).toFixed(2)} ${(Math.sin(turn) * r).toFixed(2)}`;
    }).join("") + "Z"
  );
}

/** Rows of overlapping scales, each second one moved by half, from the top down. */
function scales(count: number, draw: (r: number) => string): string {
  const w = 100 / count;
  const rows = Array.from({ length: count * 2 + 4 }, (_, row) =>
    Array.from({ length: count + 3 }, (_, i) =>
      tag("g", { transform: `translate(${(i - 1 + (row % 2) / 2) * w} ${(row / 2) * w})` }, draw(w / 2)),
    ).join(""),
  );
  return rows.join("");
}

export const MOTIFS: Readonly<Record<string, Motif>> = {
  leaves: ({ inks, ground, random }) =>
    scatter(random, 13, (i) => leaf(ink(inks, i), mix(ink(inks, i), ground, 0.55), random.between(20, 30))),
  terrazzo: ({ inks, random }) =>
    scatter(random, 46, (i) => {
      const size = random.between(1.4, 7.5) * (i < 12 ? 1.25 : 0.8);
      const corners = Array.from({ length: 6 }, (_, at) => {
        const [turn, r] = [
          (at / 6) * 2 * Math.PI + random.between(-0.4, 0.4),
          size * random.between(0.55, 1.1),
        ];
        return `${at === 0 ? "M" : "L"}${(Math.cos(turn) * r).toFixed(2)} ${(Math.sin(turn) * r).toFixed(2)}`;
      });
      return tag("path", { d: `${corners.join("")}Z`, fill: ink(inks, i) });
    }),
  scales: ({ inks, ground }) =>
    scales(4, (r) =>
      [1, 0.8, 0.6, 0.4, 0.2]
        .map((part, i) =>
          tag("circle", { r: r * part, fill: i % 2 === 0 ? ink(inks, Math.floor(i / 2)) : ground }),
        )
        .join(""),
    ),
  fans: ({ inks, ground }) =>
    scales(3, (r) => {
      const rays = Array.from(
        { length: 13 },
        (_, i) =>
          `M0 ${r * 0.12}L${(Math.cos((Math.PI * (i + 0.5)) / 13) * -r * 0.88).toFixed(2)} ${(-Math.sin((Math.PI * (i + 0.5)) / 13) * r * 0.88).toFixed(2)}`,
      );
      const line = { fill: ground, stroke: ink(inks, 0), "stroke-width": 0.8 };
      return (
        tag("circle", { ...line, r: r * 0.99 }) +
        tag("circle", { ...line, r: r * 0.88 }) +
        tag("path", { d: rays.join(""), stroke: ink(inks, 0), "stroke-width": 0.7 }) +
        tag("circle", { r: r * 0.24, fill: ink(inks, 1), stroke: ink(inks, 0), "stroke-width": 0.8 })
      );
    }),
  arcs: ({ inks, ground, random }) =>
    Array.from({ length: 4 }, (_, i) => {
      const [x, y, turn] = [(i % 2) * 50, Math.floor(i / 2) * 50, Math.floor(random.next() * 4) * 90];
      const rings = [50, 40, 30, 20, 10].map((r, at) =>
        tag("path", {
          d: `M0 0H${r}A${r} ${r} 0 0 1 0 ${r}Z`,
          fill: [ink(inks, 0), ground, ink(inks, 1), ground, ink(inks, 2)][at] ?? ground,
        }),
      );
      return tag(
        "g",
        { transform: `translate(${x} ${y}) rotate(${turn} 25 25)` },
        tag("rect", { width: 50.05, height: 50.05, fill: ground }) + rings.join(""),
      );
    }).join(""),
  tiles: ({ inks, ground, random }) =>
    Array.from({ length: 16 }, (_, i) => {
      const shape = random.pick([
        "M0 0H25V25Z",
        "M0 0H25A25 25 0 0 1 0 25Z",
        "M0 12.5A12.5 12.5 0 0 1 25 12.5A12.5 12.5 0 0 1 0 12.5Z",
        "M0 0H12.5V25H0Z",
        "M0 25A12.5 12.5 0 0 1 25 25Z",
        "M12.5 0L25 12.5L12.5 25L0 12.5Z",
      ]);
      const [back, front] =
        random.next() < 0.5
          ? [ground, ink(inks, i)]
          : [ink(inks, i), inks.length > 1 && random.next() < 0.4 ? ink(inks, i + 1) : ground];
      const at = `translate(${(i % 4) * 25} ${Math.floor(i / 4) * 25})`;
      return tag(
        "g",
        { transform: at },
        tag("rect", { width: 25.05, height: 25.05, fill: back }) +
          tag("path", {
            d: shape,
            fill: front,
            transform: `rotate(${Math.floor(random.next() * 4) * 90} 12.5 12.5)`,
          }),
      );
    }).join(""),
  dots: ({ inks, riso }) =>
    Array.from({ length: 2 }, (_, layer) =>
      tag(
        "g",
        riso ? { style: "mix-blend-mode:multiply" } : {},
        Array.from({ length: 32 }, (_, i) => {
          const [column, row] = [i % 4, Math.floor(i / 4)];
          const r = riso
            ? 4.2 + 3.4 * Math.sin((row / 8) * 2 * Math.PI + layer * 2)
            : layer === row % 2
              ? 5
              : 0;
          return r > 0
            ? wrapped(
                column * 25 + (row % 2) * 12.5 + layer * (riso ? 4 : 0) + 6,
                row * 12.5 + layer * (riso ? 3 : 0) + 6,
                0,
                tag("circle", { r, fill: ink(inks, layer) }),
              )
            : "";
        }).join(""),
      ),
    ).join(""),
  stars: ({ inks, random }) =>
    scatter(random, 22, (i) =>
      tag("path", {
        d: star(i < 7 ? random.between(8, 12) : random.between(2.5, 5), i % 3 === 2 ? 8 : 5),
        fill: ink(inks, i),
      }),
    ),
  stripes: ({ inks, ground }) =>
    Array.from({ length: 12 }, (_, i) =>
      tag("rect", {
        x: 0,
        y: (i * 100) / 12,
        width: 100.05,
        height: i % 2 === 0 ? 6 : 2,
        fill: i % 2 === 0 ? ink(inks, i / 2) : mix(ground, ink(inks, 0), 0.4),
      }),
    ).join(""),
};
