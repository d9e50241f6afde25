// Folds of silk that flow across the sheet, with fine threads along their edges.
import { lighten, mix } from "./color.ts";
import { type Drawing, type Motion, type Stage, sway } from "./stage.ts";
import {
  circle,
  group,
  linearGradient,
  n,
  path,
  polyline,
  type Point,
  radialGradient,
  rect,
  stroke,
} from "./svg.ts";

type Wave = { count: number; size: number; phase: number; cycles: number };

type Ribbon = { base: number; waves: Wave[]; fill: string; id: string; color: string; shine: string };

export function composeRibbons(stage: Stage): Drawing {
  const { width, height, palette, random, unit } = stage;
  const tilt = random.between(-24, 24);
  const reach = Math.hypot(width, height);
  const count = random.whole(7, 9);
  const shades = [
    palette.sky[0],
    palette.sky[1],
    palette.accents[2],
    palette.sky[2],
    palette.accents[0],
    palette.sky[3],
    palette.accents[1],
    palette.sky[1],
    palette.near,
  ];
  const rolling = random.whole(0, 8);
  const colorAt = (i: number): string => shades[(i + rolling) % shades.length] ?? palette.sky[1];
  const ribbons = Array.from({ length: count }, (_, i) =>
    makeRibbon(random.fork(`ribbon${i}`), reach, { i, count, color: colorAt(i), next: colorAt(i + 1) }),
  );
  const backdrop =
    linearGradient("bare", [
      [0, lighten(colorAt(count), 0.04)],
      [1, mix(colorAt(count), palette.light, 0.4)],
    ]) + rect(0, 0, width, height, "url(#bare)");
  const frame = `transform="translate(${n(width / 2)} ${n(height / 2)}) rotate(${n(tilt)}) translate(${n(-reach / 2)} ${n(-reach / 2)})"`;
  const defs = ribbons.map(({ fill }) => fill).join("");
  const glow =
    radialGradient("glow", [
      [0, palette.light, 0.4],
      [1, palette.light, 0],
    ]) +
    circle(
      width * random.between(0.2, 0.8),
      height * random.between(0.1, 0.35),
      reach * 0.42,
      "url(#glow)",
      'style="mix-blend-mode:screen"',
    );
  return (motion) => {
    const bodies = ribbons.map((ribbon) => drawRibbon(ribbon, reach, unit, motion));
    return defs + backdrop + group(bodies.join(""), frame) + glow;
  };
}

function makeRibbon(
  source: Stage["random"],
  reach: number,
  { i, count, color, next }: { i: number; count: number; color: string; next: string },
): Ribbon {
  const waves: Wave[] = [1, 2, 3].map((k) => ({
    count: k * source.between(0.5, 0.95),
    size: (reach * 0.085) / k,
    phase: source.next() * 0.35 + i * 0.11 + k * 0.2,
    cycles: k === 2 ? -1 : 1,
  }));
  const fill = linearGradient(
    `silk${i}`,
    [
      [0, lighten(color, 0.07)],
      [0.28, color],
      [0.62, mix(color, next, 0.55)],
      [1, lighten(mix(color, next, 0.6), -0.12)],
    ],
    [0, 0, 0.65, 1],
  );
  const base = reach * ((i + 0.35) / (count + 0.2) - 0.02);
  return { base, waves, fill, id: `silk${i}`, color, shine: mix(color, "#ffffff", 0.55) };
}

function drawRibbon(ribbon: Ribbon, reach: number, unit: number, motion: Motion): string {
  const edge = edgeOf(ribbon.base, ribbon.waves, reach, motion, 0);
  const closed = `${polyline(edge)}L${n(reach)} ${n(reach * 1.3)}L0 ${n(reach * 1.3)}Z`;
  // A soft shadow out of a few broad strokes: a blur filter of this size would take twenty times as long.
  const shadow = [1, 2, 3, 4, 5, 6]
    .map((k) => stroke(polyline(edge), lighten(ribbon.color, -0.4), unit * 9 * k, 'stroke-opacity="0.075"'))
    .join("");
  const threads = [1, 2, 3, 4].map((k) =>
    stroke(
      polyline(edgeOf(ribbon.base, ribbon.waves, reach, motion, k)),
      ribbon.shine,
      unit * 0.9,
      `stroke-opacity="${n(0.34 - 0.06 * k)}"`,
    ),
  );
  return (
    shadow +
    path(closed, `url(#${ribbon.id})`) +
    threads.join("") +
    stroke(polyline(edge), ribbon.shine, unit * 1.8, 'stroke-opacity="0.6"')
  );
}

/** The upper edge of a ribbon, or one of its threads: the same waves a little further on. */
function edgeOf(
  base: number,
  waves: readonly Wave[],
  reach: number,
  motion: Motion,
  thread: number,
): Point[] {
  const points: Point[] = [];
  const steps = 90;
  for (let i = 0; i <= steps; i++) {
    const part = i / steps;
    let y = base + thread * reach * (0.009 + 0.011 * part);
    for (const { count, size, phase, cycles } of waves)
      y += size * sway(motion, cycles, phase + count * (part + motion.drift) + thread * 0.014);
    points.push([part * reach, y]);
  }
  return points;
}
