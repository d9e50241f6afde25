// What is above: the sky, sun, moon and stars, clouds, and what falls from them; or the depth of the sea.
import outlines from "../art/outlines.json" with { type: "json" };
import { channels, mix } from "../art/palette.ts";
import { backdrop, fullBox, type Sprite, swing } from "../art/stage.ts";
import { circle, filtered, gradient, orb, path, placed, type Point, rect, tag } from "../art/svg.ts";
import type { Scenery } from "./light.ts";

export function drawSky(view: Scenery): Sprite[] {
  const { light, horizon, height, reading, place } = view;
  if (place === "underwater") return depths(view);
  const inSpace = place === "space";
  const deep = inSpace ? height : horizon;
  const sky = backdrop("sky", light.sky, fullBox(view, 0, deep));
  return [
    { ...sky, svg: sky.svg + rect(fullBox(view, deep - 1), light.sky.at(-1) ?? "") },
    ...(light.dark && (!light.overcast || light.hour === "night") ? [stars(view, deep)] : []),
    ...(reading.weathers.includes("aurora") ? [aurora(view)] : []),
    ...(inSpace ? planets(view) : light.overcast && !light.dark ? [] : [disc(view)]),
    ...(inSpace ? [] : clouds(view)),
    ...reading.weathers.flatMap((weather) => SIGNS[weather]?.(view) ?? []),
  ];
}

/** Rays from above, and what rises. */
function depths(view: Scenery): Sprite[] {
  const { width, height, unit } = view;
  const random = view.random.fork("depths");
  const rays = Array.from({ length: 9 }, () => {
    const [x, wide] = [random.between(0, width), unit * random.between(20, 90)];
    const look = { fill: "#e9fbff", opacity: random.between(0.03, 0.1) };
    return path(`M${x} 0h${wide}l${unit * 160} ${height}h${-wide * 3}Z`, look);
  });
  const film = { fill: "none", stroke: "#dff6ff", "stroke-width": unit * 1.4, opacity: 0.5 };
  const bubbles = Array.from({ length: 34 }, () =>
    circle(random.between(0, width), random.between(0.1, 0.9) * height, unit * random.between(2, 8), film),
  );
  const alpha = (turn: number): number => 0.8 + 0.2 * swing(turn, 0.2);
  return [
    backdrop("deep", view.light.sky, fullBox(view)),
    {
      svg: rays.join(""),
      depth: 0.1,
      move: (turn) => ({ dx: unit * 22 * swing(turn, 0), alpha: alpha(turn) }),
    },
    { svg: bubbles.join(""), depth: 0.3, move: (turn) => ({ dy: -unit * 20 * swing(turn, 0) }) },
  ];
}

function stars(view: Scenery, deep: number): Sprite {
  const random = view.random.fork("stars");
  const fill = "#fff8e4";
  const dots = Array.from({ length: view.light.hour === "night" ? 260 : 60 }, () => {
    const cy = deep * random.next() ** 1.3;
    const bright = random.next() ** 5;
    const cx = random.between(0, view.width);
    const opacity = (0.45 + 0.55 * bright) * (1 - 0.7 * (cy / deep));
    const point = circle(cx, cy, view.unit * (0.7 + 1.7 * bright), { fill, "fill-opacity": opacity });
    return bright > 0.6 ? circle(cx, cy, view.unit * 6, { fill, "fill-opacity": 0.1 }) + point : point;
  });
  return { svg: dots.join(""), depth: 0.02, move: (turn) => ({ alpha: 0.8 + 0.2 * swing(turn, 0, 2) }) };
}

/** Sun or moon, with its glow. */
function disc(view: Scenery): Sprite {
  const { light, unit, horizon, sunX: x, reading } = view;
  const isMoon = light.hour === "night";
  const low = /dawn|sunset|dusk/.test(light.hour);
  const y = horizon * (low ? 0.83 : view.random.fork("disc").between(0.22, 0.36));
  const r = unit * (isMoon ? 52 : low ? 84 : 58) * (reading.lights.length > 0 ? 1.3 : 1);
  const warm = light.dark ? light.sun : mix(light.sun, light.haze, low ? 0.35 : 0);
  const glow = ["b0", "5c", "30", "16", "08", "00"].map((opacity) => warm + opacity);
  const shine = orb("glow", glow, [x, y], r * (low ? 7 : 5.5));
  const seas = path(placed(outlines.moon, [x, y], r), { fill: "#8f93a8", opacity: 0.22 });
  return { svg: shine + circle(x, y, r, light.sun) + (isMoon ? seas : ""), depth: 0.03 };
}

const PLANETS = [
  ["#ffb98a", "#6b2d5c"],
  ["#9ad7e8", "#1c3d7a"],
  ["#f0d9a8", "#7a4a5c"],
] as const;

/** A large one with a ring, which passes behind its upper half, and a small one. */
function planets({ width, height, unit, random }: Scenery): Sprite[] {
  return [0, 1].map((i): Sprite => {
    const [own, small] = [random.fork(`planet${i}`), i === 1];
    const r = unit * (small ? own.between(40, 70) : own.between(150, 210));
    const x = width * (small ? own.between(0.15, 0.35) : own.between(0.58, 0.75));
    const y = height * (small ? own.between(0.15, 0.45) : 0.34);
    const colors = own.pick(PLANETS);
    const ball = orb(`planet${i}`, colors, [x, y], r, { cx: 0.3, cy: 0.3, r: 0.85 });
    const transform = `rotate(-16 ${x} ${y})`;
    const line = { fill: "none", stroke: colors[0], "stroke-width": r * 0.13, "stroke-opacity": 0.55 };
    const ring = (upper: 0 | 1): string =>
      path(`M${x - r * 1.8} ${y}a${r * 1.8} ${r * 0.42} 0 0 ${upper} ${r * 3.6} 0`, { ...line, transform });
    const move = (turn: number) => ({ dy: unit * 8 * swing(turn, i / 3) });
    return { svg: small ? ball : ring(1) + ball + ring(0), depth: 0.05 + i * 0.04, move };
  });
}

/** Oxygen green, nitrogen violet, and where they meet: curtains of rays that hang from a swinging edge. */
function aurora(view: Scenery): Sprite {
  const { width, horizon, unit } = view;
  const random = view.random.fork("aurora");
  const curtains = ["#37f0a0", "#7b5cf5", "#2fd6c3"].map((color, i) => {
    const bend = horizon * random.between(0.07, 0.14);
    const phase = random.next();
    const rays = Array.from({ length: 110 }, (_, ray) => {
      const share = (ray / 109) * 1.1 - 0.05;
      const edge = bend * (swing(share, phase, 1.3) + 0.4 * swing(share, phase, 2.7));
      const tall = horizon * (0.3 + 0.3 * random.next());
      const y = horizon * (0.5 + 0.14 * i) + edge - tall;
      const opacity = 0.25 + 0.6 * random.next();
      return rect(
        { x: share * width, y, width: width / 60, height: tall },
        { fill: `url(#aurora${i})`, opacity },
      );
    });
    return gradient(`aurora${i}`, [`${color}00`, `${color}26`, `${color}7a`, `${color}00`]) + rays.join("");
  });
  return {
    svg: filtered(
      "aurora-soft",
      tag("feGaussianBlur", { stdDeviation: `${unit * 10} ${unit * 4}` }),
      curtains.join(""),
      { x: "-5%", width: "110%" },
    ),
    box: fullBox(view, 0, horizon, 0.02),
    soft: true,
    depth: 0.02,
    move: (turn) => ({ alpha: 0.8 + 0.2 * swing(turn, 0), dx: width * 0.012 * swing(turn, 0.2) }),
  };
}

/** Noise, stretched and cut off below a level, in two layers. */
function clouds(view: Scenery): Sprite[] {
  const { width, horizon, unit, light, random } = view;
  const heavy = view.reading.weathers.includes("storm");
  const seed = Math.floor(random.fork("clouds").between(1, 9_000));
  // Alpha is a line through the noise: how steep, and from where on.
  const [steep, from] = light.overcast ? [4.2, heavy ? 1.35 : 1.6] : [5.5, light.dark ? 3.1 : 2.72];
  const box = fullBox(view, 0, horizon, 0.1);
  const region = { x: 0, y: 0, width: 1, height: 1, "color-interpolation-filters": "sRGB" };
  return [mix(light.cloud, light.sky[1] ?? "", 0.4), light.cloud].map((color, i): Sprite => {
    const baseFrequency = `${0.0016 / unit} ${(i === 0 ? 0.0075 : 0.005) / unit}`;
    const tints = channels(color).map((channel) => `0 0 0 0 ${channel / 255}`);
    const noise =
      tag("feTurbulence", { type: "fractalNoise", baseFrequency, numOctaves: 5, seed: seed + i * 7 }) +
      tag("feColorMatrix", { values: `${tints.join(" ")} 0 0 0 ${steep} ${-from - i * 0.1}` });
    const seen = rect({ ...box, height: horizon * 0.96 }, `url(#fade${i})`);
    const mask =
      gradient(`fade${i}`, ["#fff", "#fff", "#bbb", "#000"]) + tag("mask", { id: `mask${i}` }, seen);
    const body = filtered(`clouds${i}`, noise, rect(box, {}), region);
    return {
      svg: mask + tag("g", { mask: `url(#mask${i})` }, body),
      box,
      soft: true,
      depth: 0.06 + 0.05 * i,
      move: (turn) => ({ dx: width * (0.025 + 0.02 * i) * swing(turn, 0) }),
    };
  });
}

function rainbow({ width, horizon }: Scenery): Sprite {
  const bows = ["#7d5bd0", "#4a90d9", "#5cb85c", "#f7d154", "#f5893d", "#e5484d"].map(
    (color) => `${color}66`,
  );
  const r = Math.min(width * 0.46, horizon * 0.9);
  return {
    svg: orb("bow", ["#7d5bd000", ...bows, "#e5484d00"], [width / 2, horizon], r, { fr: 0.4 }),
    depth: 0.05,
  };
}

function bolt(view: Scenery): Sprite {
  const { width, horizon, unit } = view;
  const random = view.random.fork("bolt");
  let [x, y] = [width * random.between(0.2, 0.8), horizon * 0.12];
  let d = `M${x} ${y}`;
  while (y < horizon) {
    [x, y] = [x + unit * random.between(-46, 46), y + unit * random.between(22, 60)];
    d += `L${x} ${Math.min(y, horizon)}`;
  }
  const line = (stroke: string, thick: number, opacity: number): string =>
    path(d, { fill: "none", "stroke-linejoin": "round", stroke, "stroke-width": unit * thick, opacity });
  return {
    svg: line("#cfe0ff", 16, 0.16) + line("#fbfcff", 4, 1),
    depth: 0.08,
    move: (turn) => ({ alpha: swing(turn, 0.25, 3) > 0.2 ? 1 : 0.15 }),
  };
}

const SIGNS: Partial<Record<string, (view: Scenery) => Sprite>> = { rainbow, storm: bolt };

/** What falls or lies between us and everything else. */
export function drawAir(view: Scenery): Sprite[] {
  const weathers = new Set<string>(view.reading.weathers);
  if (weathers.delete("storm")) weathers.add("rain");
  return view.place === "underwater" ? [] : [...weathers].flatMap((weather) => AIRS[weather]?.(view) ?? []);
}

const AIRS: Partial<Record<string, (view: Scenery) => Sprite>> = {
  fog(view) {
    const haze = mix(view.light.haze, "#eef1f3", view.light.dark ? 0.1 : 0.45);
    const colors = [`${haze}00`, `${haze}c8`, `${haze}50`, `${haze}00`];
    const fog = backdrop("fog", colors, fullBox(view, view.horizon * 0.6));
    return { ...fog, depth: 0.5, move: (turn) => ({ alpha: 0.85 + 0.15 * swing(turn, 0) }) };
  },
  rain(view) {
    const streak = { stroke: "#e4eef6", "stroke-width": 1.7 * view.unit, "stroke-opacity": 0.3 };
    return falling(view, 2, ([x, y], s) => path(`M${x} ${y}l${-9 * s} ${46 * s}`, streak));
  },
  snow: (view) => falling(view, 1, ([x, y], s) => circle(x, y, 4 * s, { fill: "#fff", opacity: 0.85 })),
};

/** Twice as tall as the stage and the same in both halves, so that it falls for ever. */
function falling(view: Scenery, cycles: number, draw: (at: Point, scale: number) => string): Sprite {
  const { width, height, unit } = view;
  const random = view.random.fork("falling");
  const drops = Array.from({ length: Math.round(190 * Math.max(1, width / height)) }, () => {
    const [x, y, scale] = [random.between(0, width), random.between(0, height), random.between(0.5, 1.5)];
    return draw([x, y], scale * unit) + draw([x, y - height], scale * unit);
  });
  const move = (turn: number) => ({ dy: ((turn * cycles) % 1) * height });
  return { svg: drops.join(""), box: fullBox(view, -height), depth: 0.6, move };
}
