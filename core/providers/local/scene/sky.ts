// The sky of a scene: gradient, sun or moon with its glow, stars, clouds, northern lights, birds, rain and snow.
import { lighten, mix } from "./color.ts";
import { type Drawing, type Stage, sway } from "./stage.ts";
import { circle, ellipse, group, linearGradient, n, path, radialGradient, rect } from "./svg.ts";
import { speaksOf } from "./words.ts";

export type Light = { x: number; y: number; radius: number; moon: boolean };

/** Where sun or moon stands. Low where the words speak of dusk or dawn, high otherwise. */
export function placeLight(stage: Stage, horizonY: number): Light {
  const random = stage.random.fork("light");
  const low = speaksOf(stage.words, "sunset sunrise dusk dawn evening morning twilight");
  const moon = stage.palette.dark && !speaksOf(stage.words, "sun sunset sunrise");
  const height = low ? random.between(0.06, 0.24) : random.between(0.42, 0.74);
  return {
    x: stage.width * (random.chance(0.5) ? random.between(0.2, 0.42) : random.between(0.58, 0.8)),
    y: horizonY * (1 - height),
    radius:
      stage.unit * (low ? random.between(62, 96) : moon ? random.between(44, 66) : random.between(38, 56)),
    moon,
  };
}

export function drawSky(stage: Stage, horizonY: number, light: Light): Drawing {
  const { width, height, palette } = stage;
  const [zenith, upper, lower, horizon] = palette.sky;
  const edge = Math.min(1, horizonY / height);
  const backdrop =
    linearGradient("sky", [
      [0, zenith],
      [edge * 0.38, upper],
      [edge * 0.76, lower],
      [edge, horizon],
      [1, horizon],
    ]) + rect(0, 0, width, height, "url(#sky)");
  const stars = palette.dark ? drawStars(stage, horizonY) : () => "";
  const aurora = speaksOf(stage.words, "aurora northern borealis") ? drawAurora(stage, horizonY) : () => "";
  const glow = drawLight(stage, light);
  const clouds = drawClouds(stage, horizonY);
  const rainbow = speaksOf(stage.words, "rainbow") ? drawRainbow(stage, horizonY) : "";
  return (motion) => backdrop + stars(motion) + aurora(motion) + rainbow + glow(motion) + clouds(motion);
}

export function drawStars(stage: Stage, bottomY: number, density = 1): Drawing {
  const random = stage.random.fork("stars");
  const count = Math.round(150 * density * Math.max(1, stage.width / stage.height));
  const stars = Array.from({ length: count }, () => ({
    x: random.between(0, stage.width),
    y: bottomY * random.next() ** 1.25,
    radius: stage.unit * (0.7 + 2.1 * random.next() ** 5),
    phase: random.next(),
    cycles: random.whole(1, 3),
  }));
  return (motion) =>
    stars
      .map(({ x, y, radius, phase, cycles }) => {
        const shine = 0.68 + 0.32 * sway(motion, cycles, phase);
        const fade = 1 - 0.75 * (y / bottomY);
        return circle(x, y, radius, "#fff8e8", `fill-opacity="${n(shine * fade)}"`);
      })
      .join("");
}

function drawLight(stage: Stage, { x, y, radius, moon }: Light): Drawing {
  const { palette, unit } = stage;
  const color = palette.light;
  const reach = Math.max(stage.width, stage.height) * (moon ? 0.34 : 0.52);
  const glow = radialGradient("glow", [
    [0, color, moon ? 0.5 : 0.85],
    [0.12, color, moon ? 0.28 : 0.5],
    [0.4, mix(color, palette.sky[3], 0.5), 0.16],
    [1, palette.sky[3], 0],
  ]);
  const crescent = moon && stage.random.fork("phase").chance(0.5);
  const mask = `<defs><mask id="phase">${circle(x, y, radius, "#fff")}${circle(x + radius * 0.52, y - radius * 0.22, radius * 0.92, "#000")}</mask></defs>`;
  const disc = crescent
    ? mask + circle(x, y, radius, color, 'mask="url(#phase)"')
    : circle(x, y, radius, color) + (moon ? craters(stage, x, y, radius) : "");
  return (motion) => {
    const breath = 1 + 0.035 * sway(motion, 1, 0.25);
    return (
      glow +
      circle(x, y, reach * breath, "url(#glow)") +
      group(disc, `transform="translate(0 ${n(unit * 4 * sway(motion, 1, 0))})"`)
    );
  };
}

function craters(stage: Stage, x: number, y: number, radius: number): string {
  const random = stage.random.fork("craters");
  const shade = lighten(stage.palette.light, -0.07);
  return Array.from({ length: 6 }, () => {
    const angle = random.between(0, 2 * Math.PI);
    const distance = radius * random.between(0.1, 0.62);
    return circle(
      x + Math.cos(angle) * distance,
      y + Math.sin(angle) * distance,
      radius * random.between(0.07, 0.2),
      shade,
    );
  }).join("");
}

function drawClouds(stage: Stage, horizonY: number): Drawing {
  const { width, unit, palette, words } = stage;
  const random = stage.random.fork("clouds");
  const heavy = speaksOf(words, "storm stormy rain rainy cloud cloudy fog mist");
  const banks = heavy ? 9 : palette.dark ? 2 : random.whole(3, 6);
  const white = palette.dark
    ? mix(palette.sky[2], palette.sky[3], 0.5)
    : mix(palette.sky[3], "#ffffff", 0.45);
  const clouds = Array.from({ length: banks }, () => {
    const y = horizonY * random.between(0.12, 0.86);
    const size = unit * random.between(90, 210) * (0.55 + 0.6 * (1 - y / horizonY));
    const puffs = Array.from({ length: random.whole(7, 11) }, () => {
      const along = random.between(-1, 1);
      return {
        dx: along * size * 1.5,
        dy: -size * 0.22 * (1 - along * along) * random.next(),
        r: size * random.between(0.12, 0.34) * (1.15 - Math.abs(along)),
      };
    });
    return {
      x: random.between(-0.1, 1.1) * width,
      y,
      size,
      puffs,
      opacity: random.between(0.28, heavy ? 0.75 : 0.55),
      phase: random.next(),
    };
  });
  // Soft by their own gradient: a blur filter at this size costs seconds where this costs nothing.
  const soft = radialGradient("puff", [
    [0, white, 0.95],
    [0.45, white, 0.72],
    [0.78, white, 0.2],
    [1, white, 0],
  ]);
  return (motion) => {
    const span = width * 1.6;
    const bodies = clouds.map(({ x, y, size, puffs, opacity, phase }) => {
      const moved = x - motion.drift * width * (0.06 + (0.12 * size) / (unit * 210));
      const wrapped =
        ((((moved + width * 0.3) % span) + span) % span) - width * 0.3 + unit * 9 * sway(motion, 1, phase);
      const shapes = puffs
        .map(({ dx, dy, r }) => ellipse(wrapped + dx, y + dy, r * 2.5, r * 0.86, "url(#puff)"))
        .join("");
      return group(shapes, `opacity="${n(opacity)}"`);
    });
    return soft + bodies.join("");
  };
}

/** Oxygen green, nitrogen violet, and where they meet. */
const AURORA_COLORS = ["#4df0a8", "#8a5cf0", "#2fd6c3"] as const;

function drawAurora(stage: Stage, horizonY: number): Drawing {
  const { width, unit } = stage;
  const random = stage.random.fork("aurora");
  const curtains = [0, 1, 2].map((i) => ({
    color: AURORA_COLORS[i] ?? AURORA_COLORS[0],
    y: horizonY * random.between(0.3, 0.55),
    tall: horizonY * random.between(0.34, 0.55),
    waves: [1, 2, 3].map((k) => ({
      k: k * random.between(0.8, 1.6),
      phase: random.next(),
      size: unit * (90 / k),
    })),
  }));
  const defs = curtains
    .map(({ color }, i) =>
      linearGradient(`aurora${i}`, [
        [0, color, 0],
        [0.55, color, 0.34],
        [0.92, color, 0.72],
        [1, color, 0],
      ]),
    )
    .join("");
  const slices = 150;
  return (motion) => {
    const bodies = curtains.map(({ y, tall, waves }, i) => {
      const edge = (part: number): number =>
        y +
        waves.reduce(
          (sum, { k, phase, size }, j) => sum + size * sway(motion, j === 1 ? -1 : 1, phase + k * part),
          0,
        );
      return Array.from({ length: slices }, (_, s) => {
        const part = s / slices;
        const flicker = 0.72 + 0.28 * sway(motion, 2, part * 5 + i * 0.3) * Math.sin(part * 61 + i);
        return rect(
          part * width,
          edge(part) - tall * flicker,
          width / slices + 1,
          tall * flicker,
          `url(#aurora${i})`,
          `fill-opacity="${n(0.28 + 0.5 * flicker)}"`,
        );
      }).join("");
    });
    return defs + bodies.join("");
  };
}

function drawRainbow(stage: Stage, horizonY: number): string {
  const colors = ["#e5484d", "#f5893d", "#f6d14a", "#59b56a", "#4a90d9", "#7d5bc4"];
  const radius = Math.min(stage.width * 0.46, horizonY * 0.86);
  const bands = colors.map(
    (color, i) =>
      `<circle cx="${n(stage.width * 0.5)}" cy="${n(horizonY * 1.04)}" r="${n(radius - i * stage.unit * 13)}" fill="none" stroke="${color}" stroke-width="${n(stage.unit * 14)}"/>`,
  );
  return group(bands.join(""), 'opacity="0.42"');
}

/** Fog that lies on the ground before the next layer. */
export function mistBand(id: string, stage: Stage, y: number, tall: number, opacity: number): string {
  const color = stage.palette.sky[3];
  return (
    linearGradient(id, [
      [0, color, 0],
      [0.5, color, opacity],
      [1, color, 0],
    ]) + path(`M0 ${n(y)}H${n(stage.width)}V${n(y + tall)}H0Z`, `url(#${id})`)
  );
}
