// What is above: the sky, sun, moon and stars, clouds, and what falls from them.
import outlines from "../art/outlines.json" with { type: "json" };
import { channels, mix } from "../art/palette.ts";
import { backdrop, fullBox, type Sprite, swing } from "../art/stage.ts";
import { circle, filtered, gradient, lines, orb, path, placed, type Point, rect, tag } from "../art/svg.ts";
import type { Scenery } from "./light.ts";

export function drawSky(view: Scenery): Sprite[] {
  const { light, horizon, height, reading, place } = view;
  const deep = place === "space" ? height : horizon;
  const sky = backdrop("sky", light.sky, fullBox(view, 0, deep));
  return [
    { ...sky, svg: sky.svg + rect(fullBox(view, deep - 1), light.sky.at(-1) ?? "") },
    ...(light.dark && (!light.overcast || light.hour === "night") ? [stars(view, deep)] : []),
    ...(reading.weathers.includes("aurora") ? [aurora(view)] : []),
    ...(light.overcast && !light.dark ? [] : [disc(view)]),
    ...(place === "space" ? [] : clouds(view)),
    ...(reading.weathers.includes("storm") ? [bolt(view)] : []),
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
    return circle(cx, cy, view.unit * (0.7 + 1.7 * bright), { fill, "fill-opacity": opacity });
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

/** Oxygen green, nitrogen violet, and where they meet: curtains of rays that hang from a swinging edge. */
function aurora(view: Scenery): Sprite {
  const { width, horizon, unit } = view;
  const random = view.random.fork("aurora");
  const curtains = ["#37f0a0", "#7b5cf5", "#2fd6c3"].map((color, i) => {
    const [bend, phase] = [horizon * random.between(0.07, 0.14), random.next()];
    const rays = Array.from({ length: 110 }, (_, ray) => {
      const share = ray / 100 - 0.05;
      const height = horizon * random.between(0.3, 0.6);
      const y = horizon * (0.5 + 0.14 * i) + bend * swing(share, phase, 1.6) - height;
      const look = { fill: `url(#aurora${i})`, opacity: random.between(0.25, 0.85) };
      return rect({ x: share * width, y, width: width / 60, height }, look);
    });
    return gradient(`aurora${i}`, [`${color}00`, `${color}26`, `${color}7a`, `${color}00`]) + rays.join("");
  });
  const blur = tag("feGaussianBlur", { stdDeviation: `${unit * 10} ${unit * 4}` });
  return {
    svg: filtered("aurora-soft", blur, curtains.join(""), { x: "-5%", width: "110%" }),
    box: fullBox(view, 0, horizon, 0.02),
    soft: true,
    depth: 0.02,
    move: (turn) => ({ alpha: 0.8 + 0.2 * swing(turn, 0), dx: width * 0.012 * swing(turn, 0.2) }),
  };
}

/** Noise, stretched and cut off below a level, in two layers. */
function clouds(view: Scenery): Sprite[] {
  const { width, horizon, unit, light, random } = view;
  const seed = Math.floor(random.fork("clouds").between(1, 9_000));
  // Alpha is a line through the noise: how steep, and from where on.
  const [steep, from] = light.overcast ? [4.2, 1.5] : [5.5, light.dark ? 3.2 : 2.9];
  const box = fullBox(view, 0, horizon, 0.1);
  const region = { x: 0, y: 0, width: 1, height: 1, "color-interpolation-filters": "sRGB" };
  return [mix(light.cloud, light.sky[1] ?? "", 0.4), light.cloud].map((color, i): Sprite => {
    const baseFrequency = `${0.0016 / unit} ${(i === 0 ? 0.0075 : 0.005) / unit}`;
    const tints = channels(color).map((channel) => `0 0 0 0 ${channel / 255}`);
    const noise =
      tag("feTurbulence", { type: "fractalNoise", baseFrequency, numOctaves: 5, seed: seed + i * 7 }) +
      tag("feColorMatrix", { values: `${tints.join(" ")} 0 0 0 ${steep} ${-from - i * 0.1}` });
    return {
      svg: filtered(`clouds${i}`, noise, rect(box, {}), region),
      box,
      soft: true,
      depth: 0.06 + 0.05 * i,
      move: (turn) => ({ dx: width * (0.025 + 0.02 * i) * swing(turn, 0) }),
    };
  });
}

function bolt(view: Scenery): Sprite {
  const { width, horizon, unit } = view;
  const random = view.random.fork("bolt");
  const middle = width * random.between(0.2, 0.8);
  const bends = Array.from({ length: 12 }, (_, i): Point => {
    return [middle + unit * random.between(-50, 50), horizon * (0.12 + 0.08 * i)];
  });
  const look = { fill: "none", stroke: "#fbfcff", "stroke-width": unit * 4, "stroke-linejoin": "round" };
  return {
    svg: path(`M${lines(bends).slice(1)}`, look),
    depth: 0.08,
    move: (turn) => ({ alpha: swing(turn, 0.25, 3) > 0.2 ? 1 : 0.15 }),
  };
}

/** What falls or lies between us and everything else. */
export function drawAir(view: Scenery): Sprite[] {
  const weathers = new Set<string>(view.reading.weathers);
  if (weathers.delete("storm")) weathers.add("rain");
  return [...weathers].flatMap((weather) => AIRS[weather]?.(view) ?? []);
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
