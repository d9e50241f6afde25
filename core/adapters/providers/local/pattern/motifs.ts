// What a tile of 100 by 100 holds. Whatever crosses an edge hangs over into the next one.
import outlines from "../art/outlines.json" with { type: "json" };
import { type Color, mix } from "../art/palette.ts";
import type { Random } from "../art/random.ts";
import { circle, path, placed, type Point, rect, type SceneBox, tag } from "../art/svg.ts";

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
    return tag("g", { transform: `translate(${x} ${y}) rotate(${random.between(0, 360)})` }, draw(i));
  });
}

/** Squares that fill the tile, each turned by chance. */
function squares(random: Random, count: number, draw: (i: number, side: number) => string): string {
  const side = 100 / count;
  return list(count ** 2, (i) => {
    const at = `translate(${(i % count) * side} ${Math.floor(i / count) * side})`;
    const turn = `rotate(${Math.floor(random.next() * 4) * 90} ${side / 2} ${side / 2})`;
    return tag("g", { transform: `${at} ${turn}` }, draw(i, side));
  });
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
  const rows = list(count * 2 + 4, (row) =>
    list(count + 3, (i) => {
      const transform = `translate(${(i - 1 + (row % 2) / 2) * w} ${(row / 2) * w})`;
      return tag("g", { transform }, draw(w / 2));
    }),
  );
  const cut = tag("clipPath", { id: "cut" }, rect(square(100), {}));
  return cut + tag("g", { "clip-path": "url(#cut)" }, rows);
}

const TILES = [
  "M0 0H25V25Z",
  "M0 0H25A25 25 0 0 1 0 25Z",
  "M0 12.5A12.5 12.5 0 0 1 25 12.5A12.5 12.5 0 0 1 0 12.5Z",
  "M0 0H12.5V25H0Z",
  "M0 25A12.5 12.5 0 0 1 25 25Z",
  "M12.5 0L25 12.5L12.5 25L0 12.5Z",
];
const VEINS =
  "M0,-.22L0,.88M0,.25L.2,.42M0,.25L-.2,.42M0,.45L.2,.62M0,.45L-.2,.62M0,.65L.2,.82M0,.65L-.2,.82";

/** A little larger than its place, so that no gap is seen between two. */
const square = (side: number): SceneBox => ({ x: 0, y: 0, width: side + 0.05, height: side + 0.05 });

export const MOTIFS: Readonly<Record<string, Motif>> = {
  leaves: ({ inks, ground, random }) =>
    scatter(random, 13, (i) => {
      const size = random.between(20, 30);
      const vein = {
        stroke: mix(ink(inks, i), ground, 0.55),
        "stroke-width": 0.7,
        "stroke-linecap": "round",
      };
      return (
        path(placed(outlines.leaf, [0, 0], size), ink(inks, i)) + path(placed(VEINS, [0, 0], size), vein)
      );
    }),
  terrazzo: ({ inks, random }) =>
    scatter(random, 46, (i) => {
      const size = random.between(1.4, 7.5) * (i < 12 ? 1.25 : 0.8);
      const turn = (at: number): number => (at / 6) * 2 * Math.PI + random.between(-0.4, 0.4);
      return path(
        polygon(6, (at) => [turn(at), size * random.between(0.55, 1.1)]),
        ink(inks, i),
      );
    }),
  scales: ({ inks, ground }) =>
    scales(4, (r) =>
      list(5, (i) => circle(0, 0, (r * (5 - i)) / 5, i % 2 === 0 ? ink(inks, i / 2) : ground)),
    ),
  fans: ({ inks, ground }) =>
    scales(3, (r) => {
      const line = { stroke: ink(inks, 0), "stroke-width": 0.8, fill: ground };
      const rays = list(13, (i) => {
        const turn = (Math.PI * (i + 0.5)) / 13;
        return `M0 ${-r * 0.12}L${-Math.cos(turn) * r * 0.88} ${-Math.sin(turn) * r * 0.88}`;
      });
      const rims = circle(0, 0, r * 0.99, line) + circle(0, 0, r * 0.88, line);
      return rims + path(rays, line) + circle(0, 0, r * 0.24, { ...line, fill: ink(inks, 1) });
    }),
  arcs: ({ inks, ground, random }) =>
    squares(random, 2, (_, side) => {
      const colors = [ink(inks, 0), ground, ink(inks, 1), ground, ink(inks, 2)];
      const rings = colors.map((color, at) => {
        const r = side - 10 * at;
        return path(`M0 0H${r}A${r} ${r} 0 0 1 0 ${r}Z`, color);
      });
      return rect(square(side), ground) + rings.join("");
    }),
  tiles: ({ inks, ground, random }) =>
    squares(random, 4, (i, side) => {
      const second = inks.length > 1 && random.next() < 0.4 ? ink(inks, i + 1) : ground;
      const [back, front] = random.next() < 0.5 ? [ground, ink(inks, i)] : [ink(inks, i), second];
      return rect(square(side), back) + path(random.pick(TILES), front);
    }),
  dots: ({ inks, riso }) =>
    list(2, (layer) => {
      const dots = list(32, (i) => {
        const [column, row] = [i % 4, Math.floor(i / 4)];
        const even = layer === row % 2 ? 5 : 0;
        const r = riso ? 4.2 + 3.4 * Math.sin((row / 8) * 2 * Math.PI + layer * 2) : even;
        const [x, y] = [column * 25 + (row % 2) * 12.5 + 6, row * 12.5 + 6];
        const off = riso ? layer : 0;
        return r > 0 ? circle(x + off * 4, y + off * 3, r, ink(inks, layer)) : "";
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
