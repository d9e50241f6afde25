// What everything stands on, floats on or swims in: land, water, a table, or nothing but colour.
import { type Color, mix } from "./color.ts";
import { backdrop, fullBox, row, type Sprite, type Stage, swing } from "./stage.ts";
import tables from "./tables.json" with { type: "json" };
import { gradient, tag } from "./svg.ts";

export type Ground = {
  readonly sprites: readonly Sprite[];
  /** Where the farthest and the nearest things stand. */
  readonly far: number;
  readonly near: number;
  /** Where the water is that things float on or swim in. */
  readonly water?: { readonly top: number; readonly bottom: number };
};

/** Where water begins and ends, in parts of the ground. */
const WATERS: Partial<Record<string, { top: number; bottom: number }>> = tables.waters;
const SKYLINES: Partial<Record<string, { icons: string[]; size: number }>> = tables.skylines;

export function drawGround(stage: Stage): Ground {
  const { place, height, horizon, palette, unit } = stage;
  if (place === "room") return room(stage);
  if (place === "studio") return studio(stage);
  if (place === "underwater") return seabed(stage);
  if (place === "sky") {
    const puffs = { icons: ["white-cloud"], count: 14, size: unit * 330, depth: 0.6 } as const;
    const clouds = row(stage, "cloudsea", { ...puffs, base: [height * 1.02, height * 1.14] });
    return { sprites: [clouds], far: height * 0.9, near: height * 0.96 };
  }
  const at = (part: number): number => horizon + (height - horizon) * part;
  const [far, middle, near] = palette.ground;
  const behind = skyline(stage);
  const waters = WATERS[place];
  if (!waters) {
    const steep = place === "hills" ? 90 : place === "city" || place === "arctic" ? 14 : 42;
    const hill =
      behind.length > 0 || place === "space" ? [] : [land(stage, "hill", at(-0.06), steep, far, 0.2)];
    const rise = land(stage, "rise", at(0.08), steep, middle, 0.45);
    const front =
      place === "city" ? road(stage, at(0.56)) : land(stage, "front", at(0.44), steep / 2, near, 0.8);
    return {
      sprites: [...behind, ...hill, rise, ...plants(stage), front],
      far: at(0.26),
      near: height * 0.95,
    };
  }
  const [top, bottom] = [at(waters.top), at(waters.bottom)];
  const sandy = place === "sea" || place === "beach";
  const sand = mix("#f0d79c", palette.ambient, palette.ambientAmount);
  return {
    sprites: [
      ...behind,
      ...(sandy ? [] : [land(stage, "bank", at(0.04), 42, middle, 0.3)]),
      ...water(stage, top, bottom + unit * 60),
      land(stage, "shore", bottom, 22, sandy ? sand : near, 0.8),
    ],
    far: Math.min(height * 0.95, at(waters.bottom + 0.06)),
    near: height * 0.96,
    water: { top: top + unit * 10, bottom: at(waters.bottom - 0.04) },
  };
}

/** What lies on the horizon: mountains, woods or a town where the prompt names them. */
function skyline(stage: Stage): Sprite[] {
  const { horizon, width, unit, reading } = stage;
  return reading.places.flatMap((place) => {
    const line = SKYLINES[place];
    if (!line) return [];
    const base = [horizon + unit * 20, horizon + unit * 60] as const;
    const size = line.size * unit;
    return row(stage, place, { ...line, count: (width / size) * 2.2, size, base, depth: 0.25, haze: 0.3 });
  });
}

/** Rolling ground from a line down. */
function land(stage: Stage, id: string, base: number, steep: number, color: Color, depth: number): Sprite {
  const { width, height, unit, palette } = stage;
  const random = stage.random.fork(id);
  const [a, b] = [random.next(), random.next()];
  const top = Array.from({ length: 49 }, (_, i) => {
    const height = 0.7 * swing(i / 48, a, 1.1) + 0.3 * swing(i / 48, b, 2.7);
    return `L${(i / 48) * width} ${base + steep * unit * height}`;
  });
  const shade = gradient(id, [mix(color, palette.light, 0.16), mix(color, "#10202c", 0.16)]);
  const svg = shade + tag("path", { d: `M0 ${height}${top.join("")}V${height}Z`, fill: `url(#${id})` });
  return { svg, box: fullBox(stage, base - steep * unit), depth };
}

function road(stage: Stage, top: number): Sprite {
  const { width, height, unit, palette } = stage;
  const asphalt = mix("#4d515c", palette.ambient, palette.ambientAmount);
  const y = top + (height - top) * 0.46;
  const dashes = {
    stroke: "#f4efdf",
    "stroke-width": unit * 13,
    "stroke-dasharray": `${unit * 90} ${unit * 70}`,
  };
  const svg =
    tag("rect", { ...fullBox(stage, top), fill: mix(asphalt, "#ffffff", 0.4) }) +
    tag("rect", { ...fullBox(stage, top + unit * 10), fill: asphalt }) +
    tag("path", { d: `M0 ${y}H${width}`, ...dashes });
  return { svg, box: fullBox(stage, top), depth: 0.85 };
}

/** Small plants and stones that belong to a place, none of them large enough to be what was asked for. */
function plants(stage: Stage): Sprite[] {
  const { horizon, height, unit, place, reading } = stage;
  const cold = reading.season === "winter" || reading.weathers.includes("snow");
  const list: Partial<Record<string, string[]>> = tables.plants;
  const icons = list[cold ? "arctic" : place] ?? list[reading.season ?? ""] ?? tables.plants.meadow;
  const base = [horizon + (height - horizon) * 0.26, horizon + (height - horizon) * 0.5] as const;
  const size = unit * (icons.some((icon) => /tree|cactus/.test(icon)) ? 110 : 52);
  return icons.length > 0 ? [row(stage, "plants", { icons, count: 9, size, base, depth: 0.55 })] : [];
}

function water(stage: Stage, top: number, bottom: number): Sprite[] {
  const { width, unit, palette } = stage;
  const [far, near] = palette.water;
  const random = stage.random.fork("glints");
  const glints = Array.from({ length: 60 }, () => {
    const depth = random.next();
    const long = unit * (14 + 80 * depth);
    const d = `M${random.between(0, width)} ${top + unit * 8 + (bottom - top) * depth * 0.96}q${long / 2} ${-unit * 7 * depth} ${long} 0`;
    const look = { fill: "none", stroke: mix(far, "#ffffff", 0.6), "stroke-opacity": 0.55 };
    return tag("path", { d, ...look, "stroke-width": unit * (1.5 + 3 * depth) });
  });
  return [
    { ...backdrop(stage, "water", [far, near], top, bottom), depth: 0.3 },
    {
      svg: glints.join(""),
      box: fullBox(stage, top, bottom),
      depth: 0.35,
      move: (turn) => ({ dx: unit * 16 * swing(turn, 0), alpha: 0.7 + 0.3 * swing(turn, 0) }),
    },
  ];
}

function seabed(stage: Stage): Ground {
  const { height, unit, palette } = stage;
  const base = [height * 0.94, height * 0.97] as const;
  return {
    sprites: [
      backdrop(stage, "deep", ["#5cc4e0", "#2277ad", "#0f4679"]),
      land(stage, "sand", height * 0.9, 26, mix(palette.ground[1], "#1a5580", 0.3), 0.6),
      row(stage, "corals", { icons: ["coral"], count: 7, size: unit * 115, base, depth: 0.6 }),
    ],
    far: height * 0.93,
    near: height * 0.97,
    water: { top: height * 0.14, bottom: height * 0.84 },
  };
}

/** A table before a wall, with light from a window beside the picture. */
function room(stage: Stage): Ground {
  const { width, height, palette } = stage;
  const [wall, wood] = palette.ground;
  const shine = gradient("shine", ["#ffffff8c", "#ffffff00"], "radial");
  const light = {
    cx: width * 0.28,
    cy: height * 0.24,
    rx: width * 0.6,
    ry: height * 0.55,
    fill: "url(#shine)",
  };
  const svg =
    tag("rect", { ...fullBox(stage), fill: wall }) +
    shine +
    tag("ellipse", light) +
    tag("rect", { ...fullBox(stage, height * 0.68), fill: mix(wood, "#ffffff", 0.35) }) +
    tag("rect", { ...fullBox(stage, height * 0.692), fill: wood });
  return { sprites: [{ svg, box: fullBox(stage), depth: 0.3 }], far: height * 0.75, near: height * 0.94 };
}

function studio(stage: Stage): Ground {
  const { width, height, palette } = stage;
  const [tone, second] = palette.ground;
  const [x, y] = [width / 2, height / 2];
  const reach = Math.hypot(width, height) / 2;
  const colors = [mix(tone, "#ffffff", 0.72), tone, mix(second, "#2b2350", 0.3)];
  // Rays: a circle so thickly dashed that it is filled to its middle.
  const dashes = {
    r: reach / 2,
    fill: "none",
    stroke: "#ffffff",
    "stroke-opacity": 0.13,
    "stroke-width": reach,
  };
  const svg =
    gradient("studio", colors, "radial") +
    tag("circle", { cx: x, cy: y, r: reach, fill: "url(#studio)" }) +
    tag("circle", { cx: x, cy: y, ...dashes, "stroke-dasharray": (Math.PI * reach) / 32 });
  return { sprites: [{ svg, box: fullBox(stage), depth: 0 }], far: height * 0.78, near: height * 0.9 };
}
