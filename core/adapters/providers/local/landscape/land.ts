// The ground: ridges behind each other in the air between, what grows on them, and water with what it mirrors.
import outlines from "../art/outlines.json" with { type: "json" };
import { mix } from "../art/palette.ts";
import type { Random } from "../art/random.ts";
import { backdrop, fullBox, type Sprite, swing } from "../art/stage.ts";
import { filtered, gradient, lines, path, placed, type Point, tag } from "../art/svg.ts";
import { groundAt, type Scenery } from "./light.ts";

const POINTS = 256;

export type Land = {
  /** Where the farthest and the nearest things stand. */
  readonly far: number;
  readonly near: number;
  /** Where the water is that things float on or swim in. */
  readonly water?: { readonly top: number; readonly bottom: number };
};

/** From the farthest: what a ridge is or what grows on it, and how far it rises, in hundredths of the height. */
const RIDGES: Readonly<Record<string, string>> = {
  mountains: "peaks 34, peaks 26, pines 10, pines 11, pines 12",
  hills: "hills 9, trees 9, hills 10, trees 10, grass 9",
  forest: "pines 14, pines 10, pines 10, pines 10, pines 8",
  jungle: "peaks 20, trees 10, palms 10, palms 10, palms 10",
  desert: "peaks 9, dunes 7, dunes 10, cacti 13, dunes 14",
  arctic: "peaks 26, peaks 13, dunes 6, dunes 8, dunes 10",
  city: "skyline 30, skyline 30, skyline 30, skyline 28, skyline 26",
  space: "peaks 14, hills 7, hills 7, hills 7, hills 7",
  sky: "puffs 24, puffs 21, puffs 17, puffs 13, puffs 9",
  lake: "peaks 34, peaks 26, pines 10",
  river: "hills 10, pines 10",
  sea: "trees 5",
  beach: "trees 5",
};

type Ridge = {
  readonly kind: string;
  readonly rise: number;
  /** 0 is at the horizon and 1 right before us. */
  readonly near: number;
  /** Its lowest line, in parts of what lies below the horizon. */
  readonly base: number;
};

/** The nearer, the farther apart. */
function ridgesOf(place: string): Ridge[] {
  return (RIDGES[place] ?? "").split(", ").map((ridge, i) => {
    const [kind = "", rise] = ridge.split(" ");
    const near = 0.1 + 0.86 * (i / 4) ** 1.15;
    return { kind, rise: Number(rise) / 100, near, base: 0.72 * near ** 2 - 0.02 };
  });
}

/** What lies behind other land. */
export const BEYOND = /^(mountains|forest|jungle|city|hills)$/;

/** Where water begins and ends, in parts of the ground. */
const WATERS: Readonly<Record<string, readonly [top: number, bottom: number]>> = {
  sea: [0, 0.93],
  beach: [0, 0.5],
  lake: [0.02, 0.88],
  river: [0.1, 0.72],
};

export function drawLand(view: Scenery): Land & { readonly sprites: readonly Sprite[] } {
  const { place, height, horizon, unit, reading } = view;
  const at = (part: number): number => horizon + (height - horizon) * part;
  const [top, bottom] = WATERS[place] ?? [1, 1];
  const own = place in RIDGES ? place : "hills";
  // What the prompt names beside its place: mountains, woods or a town on the horizon.
  const behind = reading.places
    .filter((named) => BEYOND.test(named) && named !== place && named !== own)
    .flatMap((named) => ridgesOf(named).slice(0, named === "mountains" ? 2 : 1));
  const draw = (ridges: readonly Ridge[], id: string): Sprite[] =>
    ridges.map((ridge, i) => drawRidge(view, { ...ridge, base: Math.min(ridge.base, top) }, `${id}${i}`));
  const sprites = [...draw(behind, "behind"), ...draw(ridgesOf(own), "ridge")];
  if (!(place in WATERS)) return { sprites, far: at(0.3), near: height * 0.95 };
  const [kind, rise] = place === "beach" ? ["sand", 0.03] : ["grass", 0.08];
  const shore = drawRidge(view, { kind, rise, near: 0.95, base: bottom + 0.1 }, "shore");
  const water = drawWater(view, sprites, at(top), place === "sea" ? height : at(bottom + 0.12));
  return {
    sprites: [...sprites, ...water, ...(place === "sea" ? [] : [shore])],
    far: at(Math.min(0.96, bottom + 0.06)),
    near: height * 0.97,
    water: { top: at(top) + unit * 10, bottom: at(bottom - 0.04) },
  };
}

/**
 * What the lines of ridges are sums of: a form, 0..1 high over 0..1 of its length, how often it fits the picture, and how many
 * there are of it, each shorter and lower than the last.
 */
const WAVES: Readonly<Record<string, Wave>> = {
  peaks: [(t) => 1 - Math.abs(2 * t - 1), 1.25, 7],
  dunes: [(t) => (t < 0.72 ? t / 0.72 : (1 - t) / 0.28) ** 1.4, 1, 2],
  cacti: [(t) => (t < 0.72 ? t / 0.72 : (1 - t) / 0.28) ** 1.4, 1, 2],
  puffs: [(t) => Math.sqrt(1 - (2 * t - 1) ** 2), 1.2, 4],
};
const HILLS: Wave = [(t) => 0.5 + 0.5 * Math.sin(2 * Math.PI * t), 1, 3];
type Wave = readonly [form: (t: number) => number, often: number, count: number];

/** A line across the picture, 0..1 high. */
function profileOf(kind: string, random: Random): (share: number) => number {
  const [form, often, count] = WAVES[kind] ?? HILLS;
  const waves = Array.from({ length: count }, (_, i) => ({
    cycles: often * random.between(0.9, 2) * 2 ** i,
    phase: random.next(),
    high: 0.55 ** i,
  }));
  const sumAt = (share: number): number =>
    waves.reduce((sum, { cycles, phase, high }) => sum + high * form((share * cycles + phase + 1) % 1), 0);
  const sums = Array.from({ length: POINTS }, (_, i) => sumAt(i / POINTS));
  const [low, high] = [Math.min(...sums), Math.max(...sums)];
  return (share) => (sumAt(share) - low) / (high - low);
}

/** The line of a ridge on the stage, and its colours. */
function crestOf(view: Scenery, { kind, base, rise, near }: Ridge, id: string) {
  const { width, height, horizon, light } = view;
  const random = view.random.fork(id);
  const foot = horizon + (height - horizon) * base;
  const reach = rise * height;
  const profile = profileOf(kind, random);
  const heightAt = (x: number): number => foot - reach * profile(x / width);
  const line = Array.from({ length: POINTS + 1 }, (_, i): Point => {
    const x = ((i / POINTS) * 1.04 - 0.02) * width;
    return [x, heightAt(x)];
  });
  const color = groundAt(light, near);
  // The air lies thicker in the valleys.
  const down = Math.min(height, foot + height * (0.1 + 0.24 * near));
  const axis = { gradientUnits: "userSpaceOnUse", y1: foot - reach, y2: down };
  const mist = gradient(id, [color, mix(color, light.haze, 0.6 * (1 - near) + 0.1)], axis);
  return { kind, heightAt, line, foot, reach, near, color, mist, fill: `url(#${id})`, random };
}
type Crest = ReturnType<typeof crestOf>;

function drawRidge(view: Scenery, ridge: Ridge, id: string): Sprite {
  const { width, height, unit } = view;
  const { kind, near } = ridge;
  const crest = crestOf(view, ridge, id);
  const ground = path(`M${-width * 0.02} ${height}${lines(crest.line)}V${height}Z`, crest.fill);
  const relief = RELIEFS[kind]?.(view, crest) ?? "";
  return {
    svg: crest.mist + (kind === "skyline" ? "" : ground) + relief + grow(view, crest),
    depth: 0.1 + 0.75 * near,
    ...(kind === "puffs" && { move: (turn) => ({ dx: unit * (6 + 14 * near) * swing(turn, near) }) }),
  };
}

/** Below each piece of the line that runs up or down as asked, a part of the ground as deep as said. */
function slopes({ line }: Crest, isUp: boolean, lean: number, deepAt: (y: number) => number): string[] {
  return line.slice(1).map(([x, y], i) => {
    const [px, py] = line[i] ?? [x, y];
    const [before, after] = [line[Math.max(0, i - 4)]?.[1] ?? y, line[Math.min(POINTS, i + 5)]?.[1] ?? y];
    const deep = deepAt(y);
    if (deep <= 0 || after < before !== isUp) return "";
    return `M${px} ${py}L${x} ${y}l${deep * lean} ${deep}H${px + deep * lean}Z`;
  });
}

/** The side away from the sun lies in the shade; snow lies on what is high in the cold. */
function facets({ light, sunX, place, reading, width }: Scenery, crest: Crest): string {
  const { foot, reach, near, color, random } = crest;
  const wintry = place === "arctic" || reading.season === "winter" || reading.weathers.includes("snow");
  const cold = wintry || (near < 0.25 && !/^(desert|jungle|space)$/.test(place));
  const white = mix("#ffffff", light.haze, 0.25);
  const faces = [true, false].map((isUp) => {
    const isLit = isUp === sunX < width / 2;
    const face = (deepAt: (y: number) => number, fill: string, opacity: number): string =>
      path(slopes(crest, isUp, isUp ? 0.25 : -0.25, deepAt), { fill, opacity });
    const tone = isLit ? mix(color, light.sun, 0.5) : mix(color, light.shade, 0.55);
    const rock = face((y) => (foot - y) * 0.9, tone, isLit ? (light.dark ? 0.12 : 0.28) : 0.55);
    const snowAt = (y: number): number => (foot - y - reach * 0.45) * random.between(0.4, 0.8);
    const snow = isLit ? white : mix(white, light.shade, 0.35);
    return cold ? rock + face(snowAt, snow, light.dark ? 0.4 : 0.9) : rock;
  });
  return faces.join("");
}

/** The lee side of a dune lies in the shade, and the wind draws lines on it. */
function ripples({ light, height }: Scenery, crest: Crest): string {
  const shade = slopes(crest, false, 0.1, () => height * 0.16);
  return path(shade, { fill: mix(crest.color, light.shade, 0.5), opacity: 0.22 });
}

const RELIEFS: Partial<Record<string, (view: Scenery, crest: Crest) => string>> = {
  peaks: facets,
  dunes: ripples,
  cacti: ripples,
  skyline,
};

/** How far apart they stand, in parts of their height, how many places stay empty, and how far they lean. */
const PLANTS: Readonly<Partial<Record<string, Record<"step" | "bare" | "lean", number>>>> = {
  pines: { step: 0.34, bare: 0.2, lean: 0 },
  trees: { step: 1.5, bare: 0.45, lean: 0.03 },
  palms: { step: 1.2, bare: 0.45, lean: 0.22 },
  cacti: { step: 6, bare: 0.45, lean: 0 },
  grass: { step: 0.055, bare: 0, lean: 0.5 },
};

/** What stands on a ridge, all of it one path. */
function grow({ unit, light, width }: Scenery, { kind, heightAt, near, color, random }: Crest): string {
  const [plant, outline = ""] = [PLANTS[kind], (outlines as Partial<Record<string, string>>)[kind]];
  if (!plant) return "";
  const { step, bare, lean } = plant;
  const size = unit * (12 + 88 * near ** 1.4);
  const plants: string[] = [];
  for (let x = -size; x < width + size; x += size * step * random.between(0.6, 1.5)) {
    if (random.next() < bare) continue;
    const tall = size * random.between(0.6, 1.25);
    const foot: Point = [x, heightAt(x) + size * 0.06];
    const over = tall * lean * random.between(-1, 1);
    plants.push(placed(outline, foot, random.pick([-tall, tall]), tall, over));
  }
  return path(plants, mix(color, light.shade, kind === "grass" ? 0.2 : 0.42));
}

/** Pointed, with a mast, or most often flat. */
const ROOFS = ["M0,0L.5,.5 1,0Z", "M.48,0L.48,1 .52,1 .52,0Z", "", "", ""];

/** Houses and their windows. */
function skyline(view: Scenery, { foot, reach, near, color, fill, random }: Crest): string {
  const { width, height, unit, light } = view;
  const houses: string[] = [];
  const windows: string[] = [];
  const wide = unit * (34 + 70 * near);
  const cell = unit * (7 + 9 * near);
  for (let x = -wide; x < width + wide;) {
    const w = wide * random.between(0.6, 1.3);
    const middle = 1 - Math.abs(x / width - 0.5);
    const top = foot - reach * random.between(0.25, 0.6 + 0.6 * middle * random.next());
    houses.push(`M${x} ${height}V${top}h${w}V${height}Z${placed(random.pick(ROOFS), [x, top], w)}`);
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

/** A mirror of what stands behind it, then light on its waves. */
function drawWater(view: Scenery, behind: readonly Sprite[], top: number, bottom: number): Sprite[] {
  const { width, unit, light, sunX, reading } = view;
  const random = view.random.fork("water");
  const rough = /storm|wind/.test(reading.weathers.join()) ? 2.2 : view.place === "sea" ? 1.3 : 0.7;
  const pool = fullBox(view, top, bottom);
  /** Streaks on the waves, the nearer the longer. */
  const streaks = (middleAt: (far: number) => number, tall: number): string[] =>
    Array.from({ length: 130 }, (_, i) => {
      const far = (i / 130) ** 1.5;
      const long = unit * (12 + 100 * far) * random.between(0.4, 1.4);
      const at: Point = [middleAt(far) - long / 2, top + pool.height * far + unit * 2];
      return placed(outlines.wave, at, long, unit * (1 + tall * far));
    });
  const glints = streaks((far) => sunX + random.between(-1, 1) * unit * (36 + 120 * far), 3);
  const crests = streaks(() => random.between(0, width), 2.5 * rough);
  const froth = { fill: mix(light.sky.at(-1) ?? "", "#ffffff", 0.2), opacity: light.dark ? 0.14 : 0.26 };
  const shine = { fill: mix(light.sun, light.haze, 0.3), opacity: light.dark ? 0.5 : 0.72 };
  const waves: Sprite = {
    svg: path(crests, froth) + (light.overcast ? "" : path(glints, shine)),
    depth: 0.12,
    move: (turn) => ({ dx: unit * 12 * swing(turn, 0), alpha: 0.8 + 0.2 * swing(turn, 0.2) }),
  };
  const depths = backdrop("depths", [...light.sky.toReversed(), mix(light.water, light.shade, 0.4)], pool);
  const ridges = behind.map(({ svg }) => svg).join("");
  const upside = tag("g", { transform: `matrix(1 0 0 -1 0 ${2 * top})` }, ridges);
  const blur = tag("feGaussianBlur", { stdDeviation: `${unit * 3 * rough} ${unit * 8 * rough}` });
  const tints = [`${light.water}40`, `${light.water}8c`, `${mix(light.water, light.shade, 0.4)}e6`];
  const mirror: Sprite = {
    svg: depths.svg + filtered("mirror", blur, upside, {}) + backdrop("water", tints, pool).svg,
    box: pool,
    soft: true,
    depth: 0.12,
  };
  return [mirror, waves];
}
