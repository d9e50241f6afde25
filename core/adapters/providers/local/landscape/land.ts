// The ground: ridges behind each other in the air between, water with what it mirrors, and what grows there.
import { type Color, mix } from "../art/palette.ts";
import type { Random } from "../art/random.ts";
import { backdrop, drawSprites, fullBox, type Sprite, swing } from "../art/stage.ts";
import {
  circle,
  clipped,
  filtered,
  gradient,
  lines,
  path,
  type Point,
  rect,
  type SceneBox,
  tag,
} from "../art/svg.ts";
import { groundAt, type Scenery } from "./light.ts";

export type Land = {
  readonly sprites: readonly Sprite[];
  /** Where the farthest and the nearest things stand. */
  readonly far: number;
  readonly near: number;
  /** Where the water is that things float on or swim in. */
  readonly water?: { readonly top: number; readonly bottom: number };
};

type Shape = "peaks" | "hills" | "dunes" | "skyline";
type Growth = "pines" | "trees" | "palms" | "cacti" | "grass";

type Ridge = {
  readonly shape: Shape;
  /** Its mean line, and how far it rises above, in parts of the height. */
  readonly base: number;
  readonly rise: number;
  /** 0 is at the horizon and 1 right before us. */
  readonly near: number;
  readonly growth?: Growth;
};

/** From the farthest. Lines are in parts of what lies below the horizon, and negative above it. */
const RIDGES: Readonly<Record<string, readonly Ridge[]>> = {
  mountains: [
    { shape: "peaks", base: -0.02, rise: 0.34, near: 0.08 },
    { shape: "peaks", base: 0.04, rise: 0.26, near: 0.24 },
    { shape: "hills", base: 0.14, rise: 0.1, near: 0.42, growth: "pines" },
    { shape: "hills", base: 0.34, rise: 0.11, near: 0.66, growth: "pines" },
    { shape: "hills", base: 0.66, rise: 0.12, near: 0.95, growth: "pines" },
  ],
  hills: [
    { shape: "hills", base: -0.01, rise: 0.09, near: 0.1 },
    { shape: "hills", base: 0.06, rise: 0.09, near: 0.26, growth: "trees" },
    { shape: "hills", base: 0.18, rise: 0.1, near: 0.46 },
    { shape: "hills", base: 0.36, rise: 0.1, near: 0.68, growth: "trees" },
    { shape: "hills", base: 0.64, rise: 0.09, near: 0.92, growth: "grass" },
  ],
  forest: [
    { shape: "hills", base: -0.08, rise: 0.14, near: 0.1, growth: "pines" },
    { shape: "hills", base: 0.06, rise: 0.1, near: 0.3, growth: "pines" },
    { shape: "hills", base: 0.26, rise: 0.1, near: 0.52, growth: "pines" },
    { shape: "hills", base: 0.5, rise: 0.1, near: 0.74, growth: "pines" },
    { shape: "hills", base: 0.82, rise: 0.08, near: 1, growth: "pines" },
  ],
  jungle: [
    { shape: "peaks", base: -0.02, rise: 0.2, near: 0.12 },
    { shape: "hills", base: 0.06, rise: 0.1, near: 0.34, growth: "trees" },
    { shape: "hills", base: 0.3, rise: 0.1, near: 0.6, growth: "palms" },
    { shape: "hills", base: 0.68, rise: 0.1, near: 0.96, growth: "palms" },
  ],
  desert: [
    { shape: "peaks", base: -0.005, rise: 0.09, near: 0.1 },
    { shape: "dunes", base: 0.06, rise: 0.07, near: 0.3 },
    { shape: "dunes", base: 0.22, rise: 0.1, near: 0.52 },
    { shape: "dunes", base: 0.44, rise: 0.13, near: 0.74, growth: "cacti" },
    { shape: "dunes", base: 0.74, rise: 0.14, near: 0.95 },
  ],
  arctic: [
    { shape: "peaks", base: -0.01, rise: 0.26, near: 0.1 },
    { shape: "peaks", base: 0.05, rise: 0.13, near: 0.3 },
    { shape: "dunes", base: 0.24, rise: 0.06, near: 0.58 },
    { shape: "dunes", base: 0.6, rise: 0.1, near: 0.9 },
  ],
  city: [
    { shape: "skyline", base: 0.02, rise: 0.3, near: 0.16 },
    { shape: "skyline", base: 0.12, rise: 0.3, near: 0.42 },
    { shape: "skyline", base: 0.34, rise: 0.3, near: 0.72 },
    { shape: "skyline", base: 0.8, rise: 0.26, near: 1 },
  ],
  space: [
    { shape: "peaks", base: 0.2, rise: 0.14, near: 0.3 },
    { shape: "hills", base: 0.5, rise: 0.07, near: 0.7 },
    { shape: "hills", base: 0.8, rise: 0.07, near: 1 },
  ],
  far: [
    { shape: "hills", base: 0.005, rise: 0.07, near: 0.12 },
    { shape: "hills", base: 0.008, rise: 0.035, near: 0.26 },
  ],
};
/** Where water begins and ends, in parts of the ground. */
const WATERS: Readonly<Record<string, readonly [top: number, bottom: number]>> = {
  sea: [0, 0.93],
  beach: [0, 0.5],
  lake: [0.02, 0.88],
  river: [0.1, 0.72],
};

export function drawLand(view: Scenery, sky: readonly Sprite[]): Land {
  const { place, height, horizon } = view;
  if (place === "underwater") return seabed(view);
  if (place === "sky") return { sprites: cloudSea(view), far: height * 0.9, near: height * 0.96 };
  const at = (part: number): number => horizon + (height - horizon) * part;
  const waters = WATERS[place];
  if (!waters) {
    const shape = RIDGES[place] ? place : "hills";
    const ridges = ridgesOf(shape).map((ridge, i) => drawRidge(view, ridge, i));
    const behind = behindOf(view, shape).map((ridge, i) => drawRidge(view, ridge, 10 + i));
    return { sprites: [...behind, ...ridges], far: at(0.3), near: height * 0.95 };
  }
  const [top, bottom] = waters;
  const sandy = place === "sea" || place === "beach";
  const banks = sandy ? [] : ridgesOf("mountains").slice(place === "lake" ? 0 : 2, 3);
  const named = [...behindOf(view, place), ...banks];
  const islands = (): readonly Ridge[] =>
    ridgesOf("far").slice(0, view.random.fork("far").next() < 0.5 ? 2 : 1);
  const beyond = (named.length > 0 ? named : islands()).map((ridge, i) =>
    drawRidge(view, { ...ridge, base: Math.min(ridge.base, top) }, i),
  );
  const shore = place === "sea" ? [] : [shoreOf(view, at(bottom), sandy)];
  const water = drawWater(view, at(top), place === "sea" ? height : at(bottom + 0.12), [...sky, ...beyond]);
  return {
    sprites: [...beyond, ...water, ...shore],
    far: at(Math.min(0.96, bottom + 0.06)),
    near: height * 0.97,
    water: { top: at(top) + view.unit * 10, bottom: at(bottom - 0.04) },
  };
}

function ridgesOf(shape: string): readonly Ridge[] {
  return RIDGES[shape] ?? [];
}

/** What the prompt names beside its place: mountains, woods or a town on the horizon. */
function behindOf({ reading, place }: Scenery, shape: string): readonly Ridge[] {
  return reading.places
    .filter((named) => named !== place && named !== shape)
    .filter((named) => /^(mountains|forest|jungle|city|hills)$/.test(named))
    .flatMap((named) => ridgesOf(named).slice(0, named === "mountains" ? 2 : 1));
}

const POINTS = 256;

/** Heights 0..1 of a line across the picture. */
function profileOf(shape: Shape, random: Random): number[] {
  if (shape === "peaks") return scaled(displaced(random));
  const waves = Array.from({ length: shape === "dunes" ? 2 : 4 }, (_, i) => ({
    length: random.between(0.6, 1.3) * (i + 1) ** 1.35,
    phase: random.next(),
    size: 1 / (i + 1.2),
  }));
  const dune = (t: number) => (t % 1 < 0.72 ? (t % 1) / 0.72 : (1 - (t % 1)) / 0.28) ** 1.4;
  const one = shape === "dunes" ? dune : (t: number) => 0.5 + 0.5 * Math.sin(2 * Math.PI * t);
  const sumAt = (x: number) =>
    waves.reduce((sum, { length, phase, size }) => sum + size * one(x * length * 1.5 + phase), 0);
  return scaled(Array.from({ length: POINTS + 1 }, (_, i) => sumAt(i / POINTS)));
}

/** Midpoint displacement: each half differs from the middle of its ends by less. */
function displaced(random: Random): number[] {
  const line = Array.from({ length: POINTS + 1 }, () => 0);
  [line[0], line[POINTS]] = [random.next(), random.next()];
  for (let step = POINTS, reach = 1; step > 1; step /= 2, reach *= 0.56)
    for (let i = step / 2; i < POINTS; i += step)
      line[i] = ((line[i - step / 2] ?? 0) + (line[i + step / 2] ?? 0)) / 2 + random.between(-reach, reach);
  return line;
}

function scaled(line: readonly number[]): number[] {
  const [low, high] = [Math.min(...line), Math.max(...line)];
  return line.map((value) => (value - low) / Math.max(1e-6, high - low));
}

/** A ridge on the stage. */
type Crest = {
  readonly line: readonly Point[];
  readonly foot: number;
  readonly near: number;
  readonly color: Color;
  readonly random: Random;
};

function drawRidge(view: Scenery, { shape, base, rise, near, growth }: Ridge, i: number): Sprite {
  const { width, height, horizon, light, unit } = view;
  const id = `ridge${i}`;
  const random = view.random.fork(id);
  const foot = horizon + (height - horizon) * base;
  const reach = rise * height;
  const color = groundAt(light, near);
  const depth = 0.1 + 0.75 * near;
  if (shape === "skyline") {
    const fade = gradient(id, [color, mix(color, light.haze, 0.75 * (1 - near) + 0.05)]);
    const svg = fade + skyline(view, { foot, near, color, random, line: [] }, reach, `url(#${id})`);
    return { svg, box: fullBox(view, foot - reach * 1.4), depth };
  }
  const line = profileOf(shape, random).map((value, at): Point => [
    (at / POINTS) * width * 1.04 - width * 0.02,
    foot - reach * value,
  ]);
  const crest: Crest = { line, foot, near, color, random };
  const top = line.map(([x, y]) => `L${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  // The air lies thicker in the valleys.
  const down = Math.min(height, foot + height * (0.1 + 0.24 * near));
  const mist = tag(
    "linearGradient",
    { id, gradientUnits: "userSpaceOnUse", x1: 0, x2: 0, y1: foot - reach, y2: down },
    tag("stop", { offset: 0.1, "stop-color": color }) +
      tag("stop", { offset: 1, "stop-color": mix(color, light.haze, 0.6 * (1 - near) + 0.1) }),
  );
  const body = path(`M${-width * 0.02} ${height}${top}V${height}Z`, `url(#${id})`);
  const relief = shape === "peaks" ? facets(view, crest) : shape === "dunes" ? ripples(view, crest) : "";
  const plants = growth ? grow(view, { ...crest, random: random.fork("plants") }, growth) : "";
  return { svg: mist + body + relief + plants, box: fullBox(view, foot - reach - unit * 140), depth };
}

/** The face of a summit on one side: along the ridge until it rises again, then back to below the summit in jags. */
function slopeOf({ unit }: Scenery, { line, random }: Crest, i: number, side: number, deep: number): string {
  const [x, y] = line[i] ?? [0, 0];
  const heightAt = (at: number): number => line[at]?.[1] ?? -Infinity;
  let at = i;
  while (at + side > 0 && heightAt(at + side) >= heightAt(at) - unit * 2 && heightAt(at) - y < deep)
    at += side;
  const down = line.slice(Math.min(i, at), Math.max(i, at) + 1);
  const [endX, endY] = line[at] ?? [x, y];
  const jags = Array.from({ length: 7 }, (_, jag): Point => {
    const share = 1 - (jag + 1) / 8;
    return [
      x + (endX - x) * share * 0.45 * (jag % 2 === 0 ? 1 : 0.35) + random.between(-1, 1) * unit * 5,
      y + (Math.max(endY, y + deep * 0.7) - y) * share + random.between(-1, 1) * unit * 4,
    ];
  });
  return `M${x} ${y}${lines(side > 0 ? down : down.toReversed())}${lines(jags)}Z`;
}

/** Each summit throws a shadow down the side away from the sun; snow lies on the high ones in the cold. */
function facets(view: Scenery, crest: Crest): string {
  const { light, sunX, place, reading } = view;
  const { line, foot, near, color } = crest;
  const tall = foot - Math.min(...line.map(([, y]) => y));
  const cold =
    place === "arctic" ||
    reading.season === "winter" ||
    reading.weathers.includes("snow") ||
    (near < 0.3 && !/^(desert|jungle|space)$/.test(place));
  const shadow = { fill: mix(color, light.shade, 0.55), opacity: 0.55 };
  const lit = { fill: mix(color, light.sun, 0.5), opacity: light.dark ? 0.12 : 0.28 };
  const snow = { fill: mix("#ffffff", light.haze, 0.25), opacity: light.dark ? 0.4 : 0.9 };
  const shaded = { ...snow, fill: mix(mix("#ffffff", light.haze, 0.3), light.shade, 0.35) };
  const parts: string[] = [];
  for (let i = 6; i < line.length - 6; i++) {
    const [x, y] = line[i] ?? [0, 0];
    const isSummit = line.slice(i - 6, i + 7).every(([, other]) => other >= y);
    if (!isSummit || foot - y < tall * 0.25) continue;
    const away = x > sunX ? 1 : -1;
    const face = (side: number, deep: number) => slopeOf(view, crest, i, side, deep);
    parts.push(path(face(away, foot - y), shadow), path(face(-away, foot - y), lit));
    if (cold && foot - y > tall * 0.55)
      parts.push(path(face(-away, tall * 0.3), snow), path(face(away, tall * 0.3), shaded));
    i += 8;
  }
  return parts.join("");
}

/** The lee side of a dune lies in the shade, and the wind draws lines on it. */
function ripples({ light, height }: Scenery, { line, color }: Crest): string {
  const shade = line.slice(1).map(([x, y], i) => {
    const [px, py] = line[i] ?? [0, 0];
    const low = height * 0.16;
    return y > py
      ? `M${px} ${py}L${x} ${y}L${x + (x - px) * 3} ${y + low}L${px - (x - px) * 2} ${y + low}Z`
      : "";
  });
  return path(shade, { fill: mix(color, light.shade, 0.5), opacity: 0.22 });
}

/** What stands on a ridge, all of it one path. */
function grow(view: Scenery, { line, near, color, random }: Omit<Crest, "foot">, growth: Growth): string {
  const { unit, light, width } = view;
  const size = unit * (12 + 88 * near ** 1.4);
  const y = (x: number): number =>
    line[Math.max(0, Math.min(POINTS, Math.round(((x / width + 0.02) / 1.04) * POINTS)))]?.[1] ?? 0;
  const plants: string[] = [];
  const step = { pines: 0.34, trees: 1.5, palms: 1.2, cacti: 6, grass: 0.055 }[growth];
  for (let x = -size; x < width + size; x += size * step * random.between(0.6, 1.5)) {
    // In groups, with clearings between.
    const bare = growth === "pines" ? 0.12 : growth === "grass" ? 0 : 0.45;
    if (random.next() < bare) x += growth === "pines" ? size * random.between(0, 1.6) : 0;
    else plants.push(PLANTS[growth](x, y(x) + size * 0.06, size * random.between(0.6, 1.25), random));
  }
  return path(plants, mix(color, light.shade, growth === "grass" ? 0.2 : 0.42));
}

const PLANTS: Readonly<Record<Growth, (x: number, y: number, size: number, random: Random) => string>> = {
  pines(x, y, size, random) {
    const wide = size * random.between(0.15, 0.2);
    const levels = 6;
    const side = (sign: number): Point[] =>
      Array.from({ length: levels }, (_, i): Point[] => {
        const share = (i + 1) / levels;
        return [
          [x + sign * wide * share * random.between(0.85, 1.1), y - size * (1 - share * 0.94)],
          [x + sign * wide * share * 0.45, y - size * (1 - share * 0.9)],
        ];
      }).flat();
    const left = side(-1).toReversed();
    return `M${x} ${y - size}${lines(side(1))}V${y}H${x - wide * 0.1}${lines(left)}Z`;
  },
  trees(x, y, size, random) {
    const blob = (dx: number, dy: number, r: number): string =>
      `M${x + dx - r} ${y - dy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    const r = size * 0.22;
    const crown =
      blob(0, size * 0.62, r * 1.15) +
      blob(-r * 0.9, size * 0.48, r * random.between(0.7, 1)) +
      blob(r * 0.95, size * 0.5, r * random.between(0.7, 1)) +
      blob(r * 0.1, size * 0.82, r * 0.8);
    return `${crown}M${x - size * 0.03} ${y}L${x - size * 0.018} ${y - size * 0.5}H${x + size * 0.018}L${x + size * 0.03} ${y}Z`;
  },
  palms(x, y, size, random) {
    const lean = size * random.between(-0.25, 0.25);
    const tall = size * 1.25;
    const [hx, hy] = [x + lean, y - tall];
    const leaves = Array.from({ length: 7 }, (_, i) => {
      const turn = Math.PI * (0.08 + (i / 6) * 0.84 * 1.1) - Math.PI * 0.05;
      const [ex, ey] = [
        hx - Math.cos(turn) * size * 0.55,
        hy - Math.sin(turn) * size * 0.24 + size * 0.2 * Math.abs(Math.cos(turn)) ** 2,
      ];
      const [mx, my] = [(hx + ex) / 2, Math.min(hy, ey) - size * 0.16];
      return `M${hx} ${hy}Q${mx} ${my} ${ex} ${ey}Q${mx} ${my + size * 0.12} ${hx} ${hy}Z`;
    });
    return `M${x - size * 0.035} ${y}Q${x + lean * 0.2} ${y - tall * 0.5} ${hx - size * 0.012} ${hy}H${hx + size * 0.014}Q${x + lean * 0.3 + size * 0.04} ${y - tall * 0.5} ${x + size * 0.035} ${y}Z${leaves.join("")}`;
  },
  cacti(x, y, size) {
    const w = size * 0.1;
    const arm = (sign: number, low: number): string =>
      `M${x} ${y - low}h${sign * w * 2.4}v${-size * 0.3}a${w * 0.7} ${w * 0.7} 0 0 ${sign > 0 ? 0 : 1} ${-sign * w * 1.4} 0v${size * 0.18}h${-sign * w}Z`;
    return `M${x - w} ${y}V${y - size}a${w} ${w} 0 0 1 ${2 * w} 0V${y}Z${arm(1, size * 0.3)}${arm(-1, size * 0.42)}`;
  },
  grass(x, y, size, random) {
    const lean = size * random.between(-0.08, 0.12);
    const tall = size * random.between(0.08, 0.26);
    return `M${x} ${y + size * 0.1}Q${x + lean * 0.4} ${y - tall * 0.5} ${x + lean} ${y - tall}Q${x + lean * 0.4 + size * 0.02} ${y - tall * 0.4} ${x + size * 0.03} ${y + size * 0.1}Z`;
  },
};

/** Houses and their windows. */
function skyline(view: Scenery, { foot, near, color, random }: Crest, reach: number, fill: string): string {
  const { width, height, unit, light } = view;
  const houses: string[] = [];
  const windows: string[] = [];
  const wide = unit * (34 + 70 * near);
  const cell = unit * (7 + 9 * near);
  for (let x = -wide; x < width + wide;) {
    const w = wide * random.between(0.6, 1.3);
    const middle = 1 - Math.abs(x / width - 0.5);
    const tall = reach * random.between(0.25, 0.6 + 0.6 * middle * random.next());
    const top = foot - tall;
    houses.push(`M${x} ${height}V${top}${roofOf(x, top, w, random.next())}V${height}Z`);
    for (let wy = top + cell; near > 0.3 && wy < height - cell; wy += cell * 1.7)
      for (let wx = x + cell * 0.7; wx < x + w - cell; wx += cell * 1.35)
        if (random.next() < (light.dark ? 0.34 : 0.5))
          windows.push(`M${wx} ${wy}h${cell * 0.62}v${cell * 0.85}h${-cell * 0.62}Z`);
    x += w * random.between(0.9, 1.15);
  }
  const lit =
    light.dark || light.hour === "sunset"
      ? { fill: "#ffd98a", opacity: light.dark ? 0.85 : 0.6 }
      : { fill: mix(color, light.sky[2] ?? "", 0.5), opacity: 0.5 };
  return path(houses, fill) + path(windows, lit);
}

/** Pointed, stepped, with a mast, or most often flat. */
function roofOf(x: number, top: number, w: number, kind: number): string {
  if (kind < 0.15) return `L${x + w / 2} ${top - w * 0.5}L${x + w} ${top}`;
  if (kind < 0.3) return `h${w * 0.25}v${-w * 0.25}h${w * 0.5}v${w * 0.25}h${w * 0.25}`;
  return kind < 0.4 ? `h${w * 0.48}v${-w}h${w * 0.04}v${w}h${w * 0.48}` : `h${w}`;
}

/** The sprites upside down, in the colour of the water. */
function mirrorOf(view: Scenery, pool: SceneBox, rough: number, mirrored: readonly Sprite[]): string {
  const { unit, light } = view;
  const baseFrequency = `${0.004 / unit} ${0.07 / unit}`;
  const apart = { scale: unit * 46 * rough, xChannelSelector: "R", yChannelSelector: "G" };
  const waves =
    tag("feTurbulence", { type: "fractalNoise", baseFrequency, numOctaves: 3, seed: 4 }) +
    tag("feDisplacementMap", { in: "SourceGraphic", ...apart }) +
    tag("feGaussianBlur", { stdDeviation: `${unit * 1.2} ${unit * 3.4}` });
  const flipped = tag("g", { transform: `translate(0 ${2 * pool.y}) scale(1 -1)` }, drawSprites(mirrored));
  const seen = filtered("mirror", waves, flipped, { x: 0, y: 0, width: 1, height: 1 });
  const tints = [`${light.water}40`, `${light.water}8c`, `${mix(light.water, light.shade, 0.4)}e6`];
  return clipped("pool", rect(pool, {}), seen) + backdrop("depth", tints, pool).svg;
}

/** What stands above it, drawn out by the waves, then light on them. */
function drawWater(view: Scenery, top: number, bottom: number, mirrored: readonly Sprite[]): Sprite[] {
  const { width, unit, light, sunX, reading } = view;
  const random = view.random.fork("water");
  const rough = /storm|wind/.test(reading.weathers.join()) ? 2.2 : view.place === "sea" ? 1.3 : 0.7;
  const deep = bottom - top;
  const box = fullBox(view, top, bottom);
  const streak = (x: number, y: number, long: number, over: number, under: number): string =>
    `M${x} ${y}q${long / 2} ${-unit * over} ${long} 0q${-long / 2} ${unit * under} ${-long} 0Z`;
  const glints = Array.from({ length: 150 }, (_, i) => {
    const far = (i / 150) ** 1.7;
    const long = unit * (10 + 90 * far) * random.between(0.4, 1.3);
    const x = sunX + random.between(-1, 1) * unit * (36 + 120 * far) - long / 2;
    return streak(x, top + deep * far + unit * 2, long, 1 + 3 * far, 1 + 3 * far);
  });
  const crests = Array.from({ length: 110 }, () => {
    const far = random.next() ** 0.7;
    const long = unit * (16 + 110 * far) * random.between(0.5, 1.4);
    return streak(random.between(-long, width), top + deep * far, long, 5 * far * rough, -1.5 * far * rough);
  });
  const foam = { fill: mix(light.sky.at(-1) ?? "", "#ffffff", 0.2), opacity: light.dark ? 0.14 : 0.26 };
  const shine = { fill: mix(light.sun, light.haze, 0.3), opacity: light.dark ? 0.5 : 0.72 };
  const mirror: Sprite = { svg: mirrorOf(view, box, rough, mirrored), box, depth: 0.12 };
  const waves: Sprite = {
    svg: path(crests, foam),
    box,
    depth: 0.3,
    move: (turn) => ({ dx: unit * 18 * swing(turn, 0), alpha: 0.75 + 0.25 * swing(turn, 0.2) }),
  };
  const glitter: Sprite = {
    svg: path(glints, shine),
    box,
    depth: 0.12,
    move: (turn) => ({ dx: unit * 8 * swing(turn, 0.5), alpha: 0.8 + 0.2 * swing(turn, 0, 2) }),
  };
  return light.overcast ? [mirror, waves] : [mirror, waves, glitter];
}

function shoreOf(view: Scenery, top: number, sandy: boolean): Sprite {
  const { width, height, unit, light } = view;
  const random = view.random.fork("shore");
  const color = groundAt(light, 0.95);
  const [long, short] = [random.fork("a").next(), random.fork("b").next()];
  const line = Array.from({ length: 65 }, (_, i): Point => {
    const at = i / 64;
    return [at * width, top + unit * 40 * (swing(at, long, 0.8) + 0.35 * swing(at, short, 2.3))];
  });
  const edge = lines(line);
  const white = mix("#ffffff", light.haze, 0.3);
  const foam = { fill: "none", stroke: white, "stroke-width": unit * 14, opacity: 0.6 };
  const ground = gradient("shore", [color, mix(color, light.shade, 0.5)]);
  const body = path(`M0 ${height}${edge}V${height}Z`, "url(#shore)");
  const wide = line.flatMap((point) => Array<Point>(4).fill(point));
  const reeds = { line: wide, near: 1, color, random: random.fork("reeds") };
  const svg = sandy
    ? ground + path(`M${edge.slice(1)}`, foam) + body
    : ground + body + grow(view, reeds, "grass");
  return { svg, box: fullBox(view, top - unit * 110), depth: 0.8 };
}

function cloudSea(view: Scenery): Sprite[] {
  const { width, height, unit, light } = view;
  return [0, 1, 2].map((i): Sprite => {
    const random = view.random.fork(`sea${i}`);
    const base = height * (0.74 + 0.11 * i);
    const puffs = Array.from({ length: 26 }, () => {
      const r = unit * random.between(60, 150);
      return circle(random.between(-0.1, 1.1) * width, base + random.between(0, 0.12) * height, r, {});
    });
    const fill = mix(light.cloud, light.shade, 0.28 - 0.12 * i);
    const rest = rect(fullBox(view, base + height * 0.1, height, 0.1), {});
    return {
      svg: tag("g", { fill }, puffs.join("") + rest),
      box: fullBox(view, base - unit * 160, height, 0.1),
      depth: 0.3 + 0.2 * i,
      move: (turn) => ({ dx: width * 0.02 * (i + 1) * swing(turn, 0.1 * i) }),
    };
  });
}

function seabed(view: Scenery): Land {
  const { width, height, unit } = view;
  const random = view.random.fork("seabed");
  const rays = Array.from({ length: 9 }, () => {
    const [x, w] = [random.between(0, 1) * width, unit * random.between(20, 90)];
    const d = `M${x} 0h${w}l${unit * 160} ${height}h${-w * 3}Z`;
    return path(d, { fill: "#e9fbff", opacity: random.between(0.03, 0.1) });
  });
  const weeds = [0, 1, 2].map((i): Sprite => {
    const near = 0.35 + 0.3 * i;
    const base = height * (0.86 + 0.06 * i);
    const phase = random.fork(`${i}`).next();
    const floorAt = (at: number): Point => [at * width, base + unit * 26 * swing(at, phase, 1.4)];
    const floor = Array.from({ length: 33 }, (_, at) => floorAt(at / 32));
    const foot = base + unit * 30;
    const blades = Array.from({ length: 26 }, () => {
      const x = random.between(0, width);
      const tall = unit * random.between(50, 210) * near;
      const lean = unit * random.between(-30, 30);
      return `M${x} ${foot}C${x + lean} ${base - tall * 0.4} ${x - lean} ${base - tall * 0.7} ${x + lean * 0.5} ${base - tall}C${x - lean + unit * 12} ${base - tall * 0.7} ${x + lean + unit * 14} ${base - tall * 0.4} ${x + unit * 16} ${foot}Z`;
    });
    return {
      svg: path(`M0 ${height}${lines(floor)}V${height}Z${blades.join("")}`, mix("#1a6f8f", "#06243f", near)),
      box: fullBox(view, base - unit * 240),
      depth: 0.4 + 0.2 * i,
      move: (turn) => ({ dx: unit * 6 * (i + 1) * swing(turn, 0.1 * i) }),
    };
  });
  const film = { fill: "none", stroke: "#dff6ff", "stroke-width": unit * 1.4, opacity: 0.5 };
  const bubbles = Array.from({ length: 34 }, () =>
    circle(random.between(0, width), random.between(0.1, 0.9) * height, unit * random.between(2, 8), film),
  );
  const box = fullBox(view);
  const light: Sprite = {
    svg: rays.join(""),
    box,
    depth: 0.1,
    move: (turn) => ({ dx: unit * 22 * swing(turn, 0), alpha: 0.8 + 0.2 * swing(turn, 0.2) }),
  };
  const air: Sprite = {
    svg: bubbles.join(""),
    box,
    depth: 0.3,
    move: (turn) => ({ dy: -unit * 20 * swing(turn, 0) }),
  };
  return {
    sprites: [backdrop("deep", ["#8fe0ea", "#2f9cc4", "#12568f", "#07274f"], box), light, air, ...weeds],
    far: height * 0.93,
    near: height * 0.97,
    water: { top: height * 0.14, bottom: height * 0.84 },
  };
}
