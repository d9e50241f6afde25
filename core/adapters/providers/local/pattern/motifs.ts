// What a tile of 100 by 100 holds. Whatever crosses an edge is drawn again where it comes in on the other side.
import { type Color, mix } from "../art/palette.ts";
import type { Random } from "../art/random.ts";
import { circle, path, type Point, rect, type SceneBox, shifted, tag } from "../art/svg.ts";

export type Motif = (tile: {
  readonly ground: Color;
  readonly inks: readonly Color[];
  readonly random: Random;
  /** Inks lie over each other, a little out of register. */
  readonly riso: boolean;
}) => string;

const ink = (inks: readonly Color[], i: number): Color => inks[i % Math.max(1, inks.length)] ?? "#1b1a1e";

const list = (count: number, draw: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => draw(i)).join("");

/** At a place of the tile, and again beyond each edge. */
function wrapped(x: number, y: number, turn: number, body: string): string {
  return [-100, 0, 100]
    .flatMap((dx) => [-100, 0, 100].map((dy) => [x + dx, y + dy] as const))
    .filter(([px, py]) => px > -40 && px < 140 && py > -40 && py < 140)
    .map(([px, py]) => tag("g", { transform: `translate(${px} ${py}) rotate(${turn})` }, body))
    .join("");
}

/** Even, and yet by chance: of places that are tried, the one that is farthest from all others, over the edges too. */
function scatter(random: Random, count: number, draw: (i: number) => string): string {
  const taken: Point[] = [];
  const gap = (a: number, b: number): number => Math.min(Math.abs(a - b), 100 - Math.abs(a - b));
  return list(count, (i) => {
    const tries = Array.from({ length: 24 }, (): Point => [random.between(0, 100), random.between(0, 100)]);
    const room = ([x, y]: Point): number =>
      Math.min(1e9, ...taken.map(([ox, oy]) => Math.hypot(gap(x, ox), gap(y, oy))));
    const [x, y] = tries.reduce((best, next) => (room(next) > room(best) ? next : best));
    taken.push([x, y]);
    return wrapped(x, y, random.between(0, 360), draw(i));
  });
}

function leaf(fill: Color, stroke: Color, size: number): string {
  const [wide, waist, low, high] = [size * 0.5, size * 0.36, size * 0.3, size * 0.8];
  const side = [0.25, 0.45, 0.65].map((at) => {
    const [foot, tip] = [-size * at, -size * (at + 0.17)];
    return `M0 ${foot}L${size * 0.2} ${tip}M0 ${foot}L${-size * 0.2} ${tip}`;
  });
  const vein = { stroke, "stroke-width": 0.7, fill: "none", "stroke-linecap": "round" };
  return (
    path(`M0 0C${wide} ${-low} ${waist} ${-high} 0 ${-size}C${-waist} ${-high} ${-wide} ${-low} 0 0Z`, fill) +
    path(`M0 ${size * 0.22}V${-size * 0.88}${side.join("")}`, vein)
  );
}

/** A closed line through corners around the middle, each at a turn and a distance. */
function polygon(count: number, corner: (i: number) => Point): string {
  const corners = list(count, (i) => {
    const [turn, r] = corner(i);
    return `L${(Math.cos(turn) * r).toFixed(2)} ${(Math.sin(turn) * r).toFixed(2)}`;
  });
  return `${corners.replace("L", "M")}Z`;
}

function star(size: number, points: number): string {
  const inner = size * (points > 6 ? 0.55 : 0.42);
  return polygon(points * 2, (i) => [(Math.PI * i) / points - Math.PI / 2, i % 2 === 0 ? size : inner]);
}

/** Rows of overlapping scales, each second one moved by half, from the top down. */
function scales(count: number, draw: (r: number) => string): string {
  const w = 100 / count;
  return list(count * 2 + 4, (row) =>
    list(count + 3, (i) => shifted((i - 1 + (row % 2) / 2) * w, (row / 2) * w, draw(w / 2))),
  );
}

const TILES = [
  "M0 0H25V25Z",
  "M0 0H25A25 25 0 0 1 0 25Z",
  "M0 12.5A12.5 12.5 0 0 1 25 12.5A12.5 12.5 0 0 1 0 12.5Z",
  "M0 0H12.5V25H0Z",
  "M0 25A12.5 12.5 0 0 1 25 25Z",
  "M12.5 0L25 12.5L12.5 25L0 12.5Z",
];

/** A little larger than its place, so that no gap is seen between two. */
const square = (side: number): SceneBox => ({ x: 0, y: 0, width: side + 0.05, height: side + 0.05 });

export const MOTIFS: Readonly<Record<string, Motif>> = {
  leaves: ({ inks, ground, random }) =>
    scatter(random, 13, (i) => leaf(ink(inks, i), mix(ink(inks, i), ground, 0.55), random.between(20, 30))),
  terrazzo: ({ inks, random }) =>
    scatter(random, 46, (i) => {
      const size = random.between(1.4, 7.5) * (i < 12 ? 1.25 : 0.8);
      const shard = polygon(6, (at) => [
        (at / 6) * 2 * Math.PI + random.between(-0.4, 0.4),
        size * random.between(0.55, 1.1),
      ]);
      return path(shard, ink(inks, i));
    }),
  scales: ({ inks, ground }) =>
    scales(4, (r) =>
      list(5, (i) => circle(0, 0, (r * (5 - i)) / 5, i % 2 === 0 ? ink(inks, i / 2) : ground)),
    ),
  fans: ({ inks, ground }) =>
    scales(3, (r) => {
      const rays = list(13, (i) => {
        const turn = (Math.PI * (i + 0.5)) / 13;
        return `M0 ${r * 0.12}L${(Math.cos(turn) * -r * 0.88).toFixed(2)} ${(-Math.sin(turn) * r * 0.88).toFixed(2)}`;
      });
      const line = { stroke: ink(inks, 0), "stroke-width": 0.8 };
      return (
        circle(0, 0, r * 0.99, { ...line, fill: ground }) +
        circle(0, 0, r * 0.88, { ...line, fill: ground }) +
        path(rays, { ...line, "stroke-width": 0.7 }) +
        circle(0, 0, r * 0.24, { ...line, fill: ink(inks, 1) })
      );
    }),
  arcs: ({ inks, ground, random }) =>
    list(4, (i) => {
      const colors = [ink(inks, 0), ground, ink(inks, 1), ground, ink(inks, 2)];
      const rings = colors.map((color, at) => {
        const r = 50 - 10 * at;
        return path(`M0 0H${r}A${r} ${r} 0 0 1 0 ${r}Z`, color);
      });
      const turn = `rotate(${Math.floor(random.next() * 4) * 90} 25 25)`;
      const transform = `translate(${(i % 2) * 50} ${Math.floor(i / 2) * 50}) ${turn}`;
      return tag("g", { transform }, rect(square(50), ground) + rings.join(""));
    }),
  tiles: ({ inks, ground, random }) =>
    list(16, (i) => {
      const shape = random.pick(TILES);
      const [back, front] =
        random.next() < 0.5
          ? [ground, ink(inks, i)]
          : [ink(inks, i), inks.length > 1 && random.next() < 0.4 ? ink(inks, i + 1) : ground];
      const transform = `rotate(${Math.floor(random.next() * 4) * 90} 12.5 12.5)`;
      const tile = rect(square(25), back) + path(shape, { fill: front, transform });
      return shifted((i % 4) * 25, Math.floor(i / 4) * 25, tile);
    }),
  dots: ({ inks, riso }) =>
    list(2, (layer) => {
      const dots = list(32, (i) => {
        const [column, row] = [i % 4, Math.floor(i / 4)];
        const even = layer === row % 2 ? 5 : 0;
        const r = riso ? 4.2 + 3.4 * Math.sin((row / 8) * 2 * Math.PI + layer * 2) : even;
        const [x, y] = [column * 25 + (row % 2) * 12.5 + 6, row * 12.5 + 6];
        const off = riso ? layer : 0;
        return r > 0 ? wrapped(x + off * 4, y + off * 3, 0, circle(0, 0, r, ink(inks, layer))) : "";
      });
      return tag("g", riso ? { style: "mix-blend-mode:multiply" } : {}, dots);
    }),
  stars: ({ inks, random }) =>
    scatter(random, 22, (i) => {
      const size = i < 7 ? random.between(8, 12) : random.between(2.5, 5);
      return path(star(size, i % 3 === 2 ? 8 : 5), ink(inks, i));
    }),
  stripes: ({ inks, ground }) =>
    list(12, (i) => {
      const isWide = i % 2 === 0;
      const stripe = { ...square(100), y: (i * 100) / 12, height: isWide ? 6 : 2 };
      return rect(stripe, isWide ? ink(inks, i / 2) : mix(ground, ink(inks, 0), 0.4));
    }),
};
