// Patterns: one tile, drawn so that its opposite edges meet, side by side over the whole picture, which repeats as well.
import { drawIcon } from "../art/icons.ts";
import outlines from "../art/outlines.json" with { type: "json" };
import { byLightness, type Color, colorsOf, leftOver, lightness, mix, wordsIn } from "../art/palette.ts";
import { createRandom, type Random } from "../art/random.ts";
import type { Draw, SceneRequest, Sprite } from "../art/stage.ts";
import { circle, path, placed, type Point, rect, type SceneBox, tag } from "../art/svg.ts";
import { type PromptClaim, labelOf, readPrompt } from "../words/read-prompt.ts";

const WORDS: Readonly<Record<string, RegExp>> = {
  leaves: /^(leaf|leaves|botanical|foliage|floral|plants?)$/,
  terrazzo: /^(terrazzo|confetti|shards|speckle[ds]?)$/,
  scales: /^(waves?|scales|seigaiha|scallops?|fish-scale)$/,
  fans: /^(fans?|deco)$/,
  arcs: /^(70s|retro|circles?|arcs?|arches)$/,
  tiles: /^(tiles?|geometric|bauhaus|triangles|swiss|checks?)$/,
  dots: /^(dots?|dotted|polka)$/,
  stars: /^(stars?|starry|christmas)$/,
  stripes: /^(stripes?|striped|lines)$/,
};
const RISO = /^(riso|risograph|print|halftone)$/;
const MAX_ICONS = 4;

export const drawPattern: Draw = (request) => {
  const { prompt, variation, style } = request;
  const random = createRandom(`${prompt}\n${variation}`);
  const said = wordsIn(prompt);
  const named = colorsOf(prompt, random.fork("colours"));
  const things = readPrompt(prompt);
  const found = said.flatMap((word) =>
    Object.entries(WORDS).flatMap(([motif, words]) => (words.test(word) ? [{ motif, word }] : [])),
  );
  const isPictured = (style ?? "auto") === "auto" && (found.length === 0 || things.things.length > 1);
  const pictured: PromptClaim[] = [];
  const icons = new Set<string>();
  for (const claim of isPictured ? things.claims : []) {
    const more = claim.icon?.split("+") ?? [];
    if (more.length === 0 || claim.color || new Set([...icons, ...more]).size > MAX_ICONS) continue;
    for (const icon of more) icons.add(icon);
    pictured.push(claim);
  }
  const motif = style && style !== "auto" ? style : (found[0]?.motif ?? random.pick(Object.keys(WORDS)));
  const draw = icons.size > 0 ? scatterIcons([...icons]) : (MOTIFS[motif] ?? scatterIcons([]));
  const isNamed = named.words.length > 0;
  const [own = "#ffffff", ...inks] = isNamed ? paletteOf(named.colors, said) : named.colors;
  // Icons have colours of their own, which would be lost on a full one.
  const ground = icons.size > 0 && isNamed ? mix(own, "#fffdf6", 0.55) : own;
  const riso = said.filter((word) => RISO.test(word));
  // Icons keep their own colours, so that of the ground alone is seen.
  const isSeen = (word: string): boolean =>
    icons.size === 0 || named.colors.length === 1 || own === colorsOf(word, random).colors[0];
  const motifs = found.filter((one) => one.motif === motif).map(({ word }) => word);
  const claims: Pick<PromptClaim, "words" | "as">[] = [
    ...[...named.words.filter(isSeen), ...riso, ...(icons.size > 0 ? [] : motifs)].map((words) => ({
      words,
    })),
    ...pictured,
  ];
  const pieces = new Set(claims.flatMap(({ words }) => words.split(" ")));
  const drawn = [...new Set(claims.map(labelOf))].slice(0, 12);
  return {
    ...request,
    understood: { drawn, not_drawn: leftOver(prompt, pieces) },
    grain: riso.length > 0 ? 22 : 4,
    paint: () => [tiled(request, ground, draw({ inks, ground, random: random.fork("tile") }))],
  };
};

/** Whole tiles in both directions. */
function tiled({ width, height }: SceneRequest, ground: Color, tile: string): Sprite {
  const tiles = (side: number): number => Math.max(1, Math.round((side / Math.min(width, height)) * 3));
  const [across, down] = [tiles(width), tiles(height)];
  const [w, h] = [width / across, height / down];
  const uses = Array.from({ length: (across + 2) * (down + 2) }, (_, i) => {
    const [x, y] = [((i % (across + 2)) - 1) * w, (Math.floor(i / (across + 2)) - 1) * h];
    return tag("use", { href: "#tile", transform: `translate(${x} ${y}) scale(${w / 100} ${h / 100})` });
  });
  const box = { x: -w, y: -h, width: width + 2 * w, height: height + 2 * h };
  const svg = rect(box, ground) + tag("defs", {}, tag("g", { id: "tile" }, tile)) + uses.join("");
  // In a clip it moves by one tile, and so ends where it begins.
  return { svg, box, depth: 0, move: (turn) => ({ dx: (turn % 1) * w, dy: (turn % 1) * h }) };
}

/** The ground first: named as one, else the lightest, or the darkest where gold or neon lies on it. */
function paletteOf(named: readonly Color[], said: readonly string[]): Color[] {
  const light = byLightness(named);
  const [first = ""] = light;
  if (named.length === 1 && said.includes("background")) return [first, "#fbfaf6", "#1b1a1e"];
  if (named.length === 1 && lightness(first) < 0.35)
    return [first, mix(first, "#ffffff", 0.35), mix(first, "#ffffff", 0.12)];
  if (named.length === 1)
    return [mix(first, "#fffdf6", 0.84), first, mix(first, "#10202c", 0.35), mix(first, "#ffffff", 0.35)];
  if (said.some((word) => /^(gold|golden|neon|deco)$/.test(word))) return light.toReversed();
  return named.length === 2 && !said.some((word) => /^(white|cream|black|ivory|beige)$/.test(word))
    ? ["#f8f1e1", ...named]
    : light;
}

/** Two alternate in both directions, in a half-drop. */
function scatterIcons(icons: readonly string[]): Motif {
  return ({ random }) =>
    [0, 1, 2, 3]
      .map((i) => {
        const [x, y] = [(i % 2) * 50 + 25, Math.floor(i / 2) * 50 + (i % 2) * 25 + 12.5];
        const turns = icons.length > 2 ? i : i + Math.floor(i / 2);
        const icon = drawIcon(icons[turns % icons.length] ?? "", { ambient: "#ffffff", amount: 0 });
        const lay = `rotate(${random.between(-24, 24)}) scale(1.06) translate(-16 -16)`;
        return tag("g", { transform: `translate(${x} ${y}) ${lay}` }, icon);
      })
      .join("");
}

/** What a tile of 100 by 100 holds. Whatever crosses an edge hangs over into the next one. */
type Motif = (tile: {
  readonly ground: Color;
  readonly inks: readonly Color[];
  readonly random: Random;
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
];
/** A little larger than its place, so that no gap is seen between two. */
const square = (side: number): SceneBox => ({ x: 0, y: 0, width: side + 0.05, height: side + 0.05 });

const MOTIFS: Readonly<Record<string, Motif>> = {
  leaves: ({ inks, random }) =>
    scatter(random, 13, (i) =>
      path(placed(outlines.leaf, [0, 0], random.between(20, 30)), {
        fill: ink(inks, i),
        "fill-rule": "evenodd",
      }),
    ),
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
  dots: ({ inks }) =>
    list(32, (i) => {
      const [layer, at] = [i % 2, (step: number): number => step * 25 + (i % 2) * 12.5 + 6];
      return circle(at((i >> 1) % 4), at(i >> 3), 5.5, ink(inks, layer));
    }),
  stars: ({ inks, random }) =>
    scatter(random, 22, (i) => {
      const size = i < 7 ? random.between(8, 12) : random.between(2.5, 5);
      const corner = (at: number): Point => [(Math.PI * at) / 5, at % 2 === 0 ? size : size * 0.42];
      return path(polygon(10, corner), ink(inks, i));
    }),
  stripes: ({ inks, ground }) =>
    list(12, (i) => {
      const isWide = i % 2 === 0;
      const stripe = { ...square(100), y: (i * 100) / 12, height: isWide ? 6 : 2 };
      return rect(stripe, isWide ? ink(inks, i / 2) : mix(ground, ink(inks, 0), 0.4));
    }),
};
