// The ground: ridges behind each other in the air between, water with what it mirrors, and what grows there.
import { type Color, mix } from "../art/color.ts";
import type { Random } from "../art/random.ts";
import { backdrop, drawSprites, fullBox, type Sprite, swing } from "../art/stage.ts";
import { gradient, tag } from "../art/svg.ts";
import { groundAt, type Scenery } from "./light.ts";

export type Land = {
  readonly sprites: readonly Sprite[];
  /** Where the farthest and the nearest things stand. */
  readonly far: number;
  readonly near: number;
  /** Where the water is that things float on or swim in. */
  readonly water?: { readonly top: number; readonly bottom: number };
};

type Shape = "peaks" | "hills" | "dunes" | "skyline" | "flat";
type Growth = "pines" | "trees" | "palms" | "cacti" | "grass" | "none";

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
const PLACES: Readonly<Record<string, string>> = { meadow: "hills", park: "hills" };
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
    const shape = PLACES[place] ?? place;
    const ridges = (RIDGES[shape] ?? RIDGES["hills"] ?? []).map((ridge, i) => drawRidge(view, ridge, i));
    const behind = behindOf(view, shape).map((ridge, i) => drawRidge(view, ridge, 10 + i));
    return { sprites: [...behind, ...ridges], far: at(0.3), near: height * 0.95 };
  }
  const [top, bottom] = waters;
  const sandy = place === "sea" || place === "beach";
  const banks = [
    ...behindOf(view, place),
    ...(sandy ? [] : (RIDGES["mountains"] ?? []).slice(place === "lake" ? 0 : 2, 3)),
  ];
  const beyond = (
    banks.length > 0 ? banks : (RIDGES["far"] ?? []).slice(0, view.random.fork("far").next() < 0.5 ? 2 : 1)
  )
    .map((ridge) => ({ ...ridge, base: Math.min(ridge.base, top) }))
    .map((ridge, i) => drawRidge(view, ridge, i));
  const mirrored = [...sky, ...beyond];
  const shore = sandy && place === "sea" ? [] : [shoreOf(view, at(bottom), sandy)];
  return {
    sprites: [
      ...beyond,
      ...drawWater(view, at(top), shore.length > 0 ? at(bottom + 0.12) : height, mirrored),
      ...shore,
    ],
    far: at(Math.min(0.96, bottom + 0.06)),
    near: height * 0.97,
    water: { top: at(top) + view.unit * 10, bottom: at(bottom - 0.04) },
  };
}

/** What the prompt names beside its place: mountains, woods or a town on the horizon. */
function behindOf({ reading, place }: Scenery, shape: string): readonly Ridge[] {
  return reading.places.flatMap((named) =>
    named === place || named === shape
      ? []
      : /mountains/.test(named)
        ? (RIDGES["mountains"] ?? []).slice(0, 2)
        : /forest|jungle|city|hills/.test(named)
          ? (RIDGES[named] ?? []).slice(0, 1)
          : [],
  );
}

const POINTS = 256;

/** Heights 0..1 of a line across the picture. */
function profileOf(shape: Shape, random: Random): number[] {
  const at = (i: number): number => i / POINTS;
  const waves = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      length: random.between(0.6, 1.3) * (i + 1) ** 1.35,
      phase: random.next(),
      size: 1 / (i + 1.2),
    }));
  const xs = Array.from({ length: POINTS + 1 }, (_, i) => at(i));
  if (shape === "flat") return xs.map(() => 0);
  if (shape === "peaks") return scaled(displaced(random, 0.56));
  const sum = waves(shape === "dunes" ? 2 : 4);
  const one =
    shape === "dunes"
      ? (t: number) => (t % 1 < 0.72 ? (t % 1) / 0.72 : (1 - (t % 1)) / 0.28) ** 1.4
      : (t: number) => 0.5 + 0.5 * Math.sin(2 * Math.PI * t);
  return scaled(
    xs.map((x) =>
      sum.reduce((height, { length, phase, size }) => height + size * one(x * length * 1.5 + phase), 0),
    ),
  );
}

/** Midpoint displacement: each half differs from the middle of its ends by less. */
function displaced(random: Random, rough: number): number[] {
  const line = Array.from({ length: POINTS + 1 }, () => 0);
  [line[0], line[POINTS]] = [random.next(), random.next()];
  for (let step = POINTS, reach = 1; step > 1; step /= 2, reach *= rough)
    for (let i = step / 2; i < POINTS; i += step)
      line[i] = ((line[i - step / 2] ?? 0) + (line[i + step / 2] ?? 0)) / 2 + random.between(-reach, reach);
  return line;
}

function scaled(line: readonly number[]): number[] {
  const [low, high] = [Math.min(...line), Math.max(...line)];
  return line.map((value) => (value - low) / Math.max(1e-6, high - low));
}

function drawRidge(view: Scenery, { shape, base, rise, near, growth = "none" }: Ridge, i: number): Sprite {
  const { width, height, horizon, light, unit } = view;
  const random = view.random.fork(`ridge${i}`);
  const foot = horizon + (height - horizon) * base;
  const reach = rise * height;
  const color = groundAt(light, near);
  if (shape === "skyline") return skyline(view, { foot, reach, near, color, id: `ridge${i}`, random });
  const line = profileOf(shape, random).map(
    (value, at) => [(at / POINTS) * width * 1.04 - width * 0.02, foot - reach * value] as const,
  );
  const id = `ridge${i}`;
  const top = line.map(([x, y]) => `L${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  const down = Math.min(height, foot + height * (0.1 + 0.24 * near));
  // The air lies thicker in the valleys.
  const mist = tag(
    "linearGradient",
    { id, gradientUnits: "userSpaceOnUse", x1: 0, x2: 0, y1: foot - reach, y2: down },
    tag("stop", { offset: 0.1, "stop-color": color }) +
      tag("stop", { offset: 1, "stop-color": mix(color, light.haze, 0.6 * (1 - near) + 0.1) }),
  );
  const body = tag("path", { d: `M${-width * 0.02} ${height}${top}V${height}Z`, fill: `url(#${id})` });
  const relief =
    shape === "peaks"
      ? facets(view, line, { color, foot, near, random })
      : shape === "dunes"
        ? ripples(view, line, color)
        : "";
  const plants = grow(view, line, { growth, near, color, random: random.fork("plants") });
  return {
    svg: mist + body + relief + plants,
    box: fullBox(view, foot - reach - unit * 140),
    depth: 0.1 + 0.75 * near,
  };
}

type Slope = readonly (readonly [x: number, y: number])[];

/** The face of a summit on one side: along the ridge until it rises again, then back to below the summit in jags. */
function slopeOf(
  line: Slope,
  i: number,
  { side, deep, unit, random }: { side: number; deep: number; unit: number; random: Random },
): string {
  const [x = 0, y = 0] = line[i] ?? [];
  let at = i;
  while (
    at + side > 0 &&
    at + side < line.length &&
    (line[at + side]?.[1] ?? 0) >= (line[at]?.[1] ?? 0) - unit * 2 &&
    (line[at]?.[1] ?? 0) - y < deep
  )
    at += side;
  const down = line.slice(Math.min(i, at), Math.max(i, at) + 1);
  const path = (side > 0 ? down : down.toReversed()).map(([px, py]) => `L${px} ${py}`).join("");
  const end = line[at] ?? [x, y];
  const jags = Array.from({ length: 7 }, (_, jag) => {
    const share = 1 - (jag + 1) / 8;
    return `L${x + (end[0] - x) * share * 0.45 * (jag % 2 === 0 ? 1 : 0.35) + random.between(-1, 1) * unit * 5} ${y + (Math.max(end[1], y + deep * 0.7) - y) * share + random.between(-1, 1) * unit * 4}`;
  });
  return `M${x} ${y}${path}${jags.join("")}Z`;
}

/** Each summit throws a shadow down the side away from the sun; snow lies on the high ones in the cold. */
function facets(
  view: Scenery,
  line: Slope,
  { color, foot, near, random }: { color: Color; foot: number; near: number; random: Random },
): string {
  const { light, unit, sunX, place, reading } = view;
  const top = Math.min(...line.map(([, y]) => y));
  const cold =
    place === "arctic" ||
    reading.season === "winter" ||
    reading.weathers.includes("snow") ||
    (near < 0.3 && place !== "desert" && place !== "jungle" && place !== "space");
  const parts: string[] = [];
  for (let i = 6; i < line.length - 6; i++) {
    const [x = 0, y = 0] = line[i] ?? [];
    const around = line.slice(i - 6, i + 7);
    if (around.some(([, other]) => other < y) || foot - y < (foot - top) * 0.25) continue;
    const away = x > sunX ? 1 : -1;
    const edge = (side: number, deep: number) => slopeOf(line, i, { side, deep, unit, random });
    parts.push(tag("path", { d: edge(away, foot - y), fill: mix(color, light.shade, 0.55), opacity: 0.55 }));
    parts.push(
      tag("path", {
        d: edge(-away, foot - y),
        fill: mix(color, light.sun, 0.5),
        opacity: light.dark ? 0.12 : 0.28,
      }),
    );
    if (cold && foot - y > (foot - top) * 0.55) {
      const deep = (foot - top) * 0.3;
      parts.push(
        tag("path", {
          d: edge(-away, deep),
          fill: mix("#ffffff", light.haze, 0.25),
          opacity: light.dark ? 0.4 : 0.9,
        }),
      );
      parts.push(
        tag("path", {
          d: edge(away, deep),
          fill: mix(mix("#ffffff", light.haze, 0.3), light.shade, 0.35),
          opacity: light.dark ? 0.4 : 0.9,
        }),
      );
    }
    i += 8;
  }
  return parts.join("");
}

/** The lee side of a dune lies in the shade, and the wind draws lines on it. */
function ripples({ light, height }: Scenery, line: Slope, color: Color): string {
  const shade = line.slice(1).map(([x, y], i) => {
    const [px = 0, py = 0] = line[i] ?? [];
    return y > py
      ? `M${px} ${py}L${x} ${y}L${x + (x - px) * 3} ${y + height * 0.16}L${px - (x - px) * 2} ${y + height * 0.16}Z`
      : "";
  });
  return tag("path", { d: shade.join(""), fill: mix(color, light.shade, 0.5), opacity: 0.22 });
}

/** What stands on a ridge, all of it one path. */
function grow(
  view: Scenery,
  line: Slope,
  { growth, near, color, random }: { growth: Growth; near: number; color: Color; random: Random },
): string {
  if (growth === "none") return "";
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
  const deep = growth === "grass" ? 0.2 : 0.42;
  return tag("path", { d: plants.join(""), fill: mix(color, light.shade, deep) });
}

type Plant = (x: number, y: number, size: number, random: Random) => string;

const PLANTS: Readonly<Record<Exclude<Growth, "none">, Plant>> = {
  pines(x, y, size, random) {
    const wide = size * random.between(0.15, 0.2);
    const levels = 6;
    const side = (sign: number): string[] =>
      Array.from({ length: levels }, (_, i) => {
        const share = (i + 1) / levels;
        return `L${x + sign * wide * share * random.between(0.85, 1.1)} ${y - size * (1 - share * 0.94)}L${x + sign * wide * share * 0.45} ${y - size * (1 - share * 0.9)}`;
      });
    const left = side(-1)
      .toReversed()
      .map((part) => part.replace(/L(\S+ \S+)L(\S+ \S+)/, "L$2L$1"));
    return `M${x} ${y - size}${side(1).join("")}V${y}H${x - wide * 0.1}${left.join("")}Z`;
  },
  trees(x, y, size, random) {
    const blob = (dx: number, dy: number, r: number): string =>
      `M${x + dx - r} ${y - dy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    const r = size * 0.22;
    const crown = [
      blob(0, size * 0.62, r * 1.15),
      blob(-r * 0.9, size * 0.48, r * random.between(0.7, 1)),
      blob(r * 0.95, size * 0.5, r * random.between(0.7, 1)),
      blob(r * 0.1, size * 0.82, r * 0.8),
    ];
    return `${crown.join("")}M${x - size * 0.03} ${y}L${x - size * 0.018} ${y - size * 0.5}H${x + size * 0.018}L${x + size * 0.03} ${y}Z`;
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

function skyline(
  view: Scenery,
  {
    foot,
    reach,
    near,
    color,
    id,
    random,
  }: { foot: number; reach: number; near: number; color: Color; id: string; random: Random },
): Sprite {
  const { width, height, unit, light } = view;
  const houses: string[] = [];
  const windows: string[] = [];
  const wide = unit * (34 + 70 * near);
  for (let x = -wide; x < width + wide;) {
    const w = wide * random.between(0.6, 1.3);
    const middle = 1 - Math.abs(x / width - 0.5);
    const tall = reach * random.between(0.25, 0.6 + 0.6 * middle * random.next());
    const top = foot - tall;
    const roof = random.next();
    houses.push(
      `M${x} ${height}V${top}${roof < 0.15 ? `L${x + w / 2} ${top - w * 0.5}L${x + w} ${top}` : roof < 0.3 ? `h${w * 0.25}v${-w * 0.25}h${w * 0.5}v${w * 0.25}h${w * 0.25}` : roof < 0.4 ? `h${w * 0.48}v${-w}h${w * 0.04}v${w}h${w * 0.48}` : `h${w}`}V${height}Z`,
    );
    const cell = unit * (7 + 9 * near);
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
  const fade = gradient(id, [color, mix(color, light.haze, 0.75 * (1 - near) + 0.05)]);
  const svg =
    fade +
    tag("path", { d: houses.join(""), fill: `url(#${id})` }) +
    tag("path", { d: windows.join(""), ...lit });
  return { svg, box: fullBox(view, foot - reach * 1.4), depth: 0.1 + 0.75 * near };
}

/** The sprites upside down, in the colour of the water. */
function mirrorOf(
  view: Scenery,
  { top, bottom, rough }: { top: number; bottom: number; rough: number },
  mirrored: readonly Sprite[],
): string {
  const { unit, light } = view;
  const noise = tag("feTurbulence", {
    type: "fractalNoise",
    baseFrequency: `${0.004 / unit} ${0.07 / unit}`,
    numOctaves: 3,
    seed: 4,
  });
  const filter = tag(
    "filter",
    { id: "mirror", x: 0, y: 0, width: 1, height: 1 },
    noise +
      tag("feDisplacementMap", {
        in: "SourceGraphic",
        scale: unit * 46 * rough,
        xChannelSelector: "R",
        yChannelSelector: "G",
      }) +
      tag("feGaussianBlur", { stdDeviation: `${unit * 1.2} ${unit * 3.4}` }),
  );
  const clip = tag("clipPath", { id: "pool" }, tag("rect", { ...fullBox(view, top, bottom) }));
  const flipped = tag("g", { transform: `translate(0 ${2 * top}) scale(1 -1)` }, drawSprites(mirrored));
  const tint = gradient("depth", [
    `${light.water}40`,
    `${light.water}8c`,
    `${mix(light.water, light.shade, 0.4)}e6`,
  ]);
  return (
    filter +
    clip +
    tag("g", { "clip-path": "url(#pool)" }, tag("g", { filter: "url(#mirror)" }, flipped)) +
    tint +
    tag("rect", { ...fullBox(view, top, bottom), fill: "url(#depth)" })
  );
}

/** What stands above it, drawn out by the waves, then light on them. */
function drawWater(view: Scenery, top: number, bottom: number, mirrored: readonly Sprite[]): Sprite[] {
  const { width, unit, light, sunX, reading } = view;
  const random = view.random.fork("water");
  const rough = /storm|wind/.test(reading.weathers.join()) ? 2.2 : view.place === "sea" ? 1.3 : 0.7;
  const deep = bottom - top;
  const mirror = mirrorOf(view, { top, bottom, rough }, mirrored);
  const shine = mix(light.sun, light.haze, 0.3);
  const path = Array.from({ length: 150 }, (_, i) => {
    const far = (i / 150) ** 1.7;
    const y = top + deep * far + unit * 2;
    const long = unit * (10 + 90 * far) * random.between(0.4, 1.3);
    const x = sunX + random.between(-1, 1) * unit * (36 + 120 * far) - long / 2;
    return `M${x} ${y}q${long / 2} ${-unit * (1 + 3 * far)} ${long} 0q${-long / 2} ${unit * (1 + 3 * far)} ${-long} 0Z`;
  });
  const crests = Array.from({ length: 110 }, () => {
    const far = random.next() ** 0.7;
    const long = unit * (16 + 110 * far) * random.between(0.5, 1.4);
    return `M${random.between(-long, width)} ${top + deep * far}q${long / 2} ${-unit * 5 * far * rough} ${long} 0q${-long / 2} ${-unit * 1.5 * far * rough} ${-long} 0Z`;
  });
  const clear = !reading.weathers.some((weather) => /storm|rain|fog|cloudy|snow/.test(weather));
  return [
    { svg: mirror, box: fullBox(view, top, bottom), depth: 0.12 },
    {
      svg: tag("path", {
        d: crests.join(""),
        fill: mix(light.sky.at(-1) ?? "", "#ffffff", 0.2),
        opacity: light.dark ? 0.14 : 0.26,
      }),
      box: fullBox(view, top, bottom),
      depth: 0.3,
      move: (turn) => ({ dx: unit * 18 * swing(turn, 0), alpha: 0.75 + 0.25 * swing(turn, 0.2) }),
    },
    ...(clear
      ? [
          {
            svg: tag("path", { d: path.join(""), fill: shine, opacity: light.dark ? 0.5 : 0.72 }),
            box: fullBox(view, top, bottom),
            depth: 0.12,
            move: (turn: number) => ({
              dx: unit * 8 * swing(turn, 0.5),
              alpha: 0.8 + 0.2 * swing(turn, 0, 2),
            }),
          },
        ]
      : []),
  ];
}

function shoreOf(view: Scenery, line: number, sandy: boolean): Sprite {
  const { width, height, unit, light } = view;
  const random = view.random.fork("shore");
  const color = groundAt(light, 0.95);
  const wave = Array.from(
    { length: 65 },
    (_, i) =>
      [
        (i / 64) * width,
        line +
          unit *
            40 *
            (swing(i / 64, random.fork("a").next(), 0.8) +
              0.35 * swing(i / 64, random.fork("b").next(), 2.3)),
      ] as const,
  );
  const edge = wave.map(([x, y]) => `L${x} ${y}`).join("");
  const foam = sandy
    ? tag("path", {
        d: `M${edge.slice(1)}`,
        fill: "none",
        stroke: mix("#ffffff", light.haze, 0.3),
        "stroke-width": unit * 14,
        opacity: 0.6,
      })
    : "";
  const fade = gradient("shore", [color, mix(color, light.shade, 0.5)]);
  const plants = sandy
    ? ""
    : grow(view, wave.flatMap((point) => [point, point, point, point]).slice(0, POINTS + 1), {
        growth: "grass",
        near: 1,
        color,
        random: random.fork("reeds"),
      });
  return {
    svg: fade + foam + tag("path", { d: `M0 ${height}${edge}V${height}Z`, fill: "url(#shore)" }) + plants,
    box: fullBox(view, line - unit * 110),
    depth: 0.8,
  };
}

function cloudSea(view: Scenery): Sprite[] {
  const { width, height, unit, light } = view;
  return [0, 1, 2].map((i) => {
    const random = view.random.fork(`sea${i}`);
    const base = height * (0.74 + 0.11 * i);
    const puffs = Array.from({ length: 26 }, () => {
      const r = unit * random.between(60, 150);
      return tag("circle", {
        cx: random.between(-0.1, 1.1) * width,
        cy: base + random.between(0, 0.12) * height,
        r,
      });
    });
    const color = mix(light.cloud, light.shade, 0.28 - 0.12 * i);
    const rest = tag("rect", { ...fullBox(view, base + height * 0.1), x: -width * 0.1, width: width * 1.2 });
    return {
      svg: tag("g", { fill: color }, puffs.join("") + rest),
      box: { ...fullBox(view, base - unit * 160), x: -width * 0.1, width: width * 1.2 },
      depth: 0.3 + 0.2 * i,
      move: (turn: number) => ({ dx: width * 0.02 * (i + 1) * swing(turn, 0.1 * i) }),
    };
  });
}

function seabed(view: Scenery): Land {
  const { width, height, unit } = view;
  const random = view.random.fork("seabed");
  const rays = Array.from({ length: 9 }, () => {
    const [x, w] = [random.between(0, 1) * width, unit * random.between(20, 90)];
    return tag("path", {
      d: `M${x} 0h${w}l${unit * 160} ${height}h${-w * 3}Z`,
      fill: "#e9fbff",
      opacity: random.between(0.03, 0.1),
    });
  });
  const weeds = [0, 1, 2].map((i): Sprite => {
    const near = 0.35 + 0.3 * i;
    const color = mix("#1a6f8f", "#06243f", near);
    const base = height * (0.86 + 0.06 * i);
    const floor = Array.from(
      { length: 33 },
      (_, at) =>
        `L${(at / 32) * width} ${base + unit * 26 * swing(at / 32, random.fork(`${i}`).next(), 1.4)}`,
    ).join("");
    const blades = Array.from({ length: 26 }, () => {
      const [x, tall, lean] = [
        random.between(0, width),
        unit * random.between(50, 210) * near,
        unit * random.between(-30, 30),
      ];
      return `M${x} ${base + unit * 30}C${x + lean} ${base - tall * 0.4} ${x - lean} ${base - tall * 0.7} ${x + lean * 0.5} ${base - tall}C${x - lean + unit * 12} ${base - tall * 0.7} ${x + lean + unit * 14} ${base - tall * 0.4} ${x + unit * 16} ${base + unit * 30}Z`;
    });
    return {
      svg: tag("path", { d: `M0 ${height}${floor}V${height}Z${blades.join("")}`, fill: color }),
      box: fullBox(view, base - unit * 240),
      depth: 0.4 + 0.2 * i,
      move: (turn) => ({ dx: unit * 6 * (i + 1) * swing(turn, 0.1 * i) }),
    };
  });
  const bubbles = Array.from({ length: 34 }, () =>
    tag("circle", {
      cx: random.between(0, width),
      cy: random.between(0.1, 0.9) * height,
      r: unit * random.between(2, 8),
      fill: "none",
      stroke: "#dff6ff",
      "stroke-width": unit * 1.4,
      opacity: 0.5,
    }),
  );
  const light = {
    svg: rays.join(""),
    box: fullBox(view),
    depth: 0.1,
    move: (turn: number) => ({ dx: unit * 22 * swing(turn, 0), alpha: 0.8 + 0.2 * swing(turn, 0.2) }),
  };
  return {
    sprites: [
      backdrop(view, "deep", ["#8fe0ea", "#2f9cc4", "#12568f", "#07274f"]),
      light,
      {
        svg: bubbles.join(""),
        box: fullBox(view),
        depth: 0.3,
        move: (turn) => ({ dy: -unit * 20 * swing(turn, 0) }),
      },
      ...weeds,
    ],
    far: height * 0.93,
    near: height * 0.97,
    water: { top: height * 0.14, bottom: height * 0.84 },
  };
}
