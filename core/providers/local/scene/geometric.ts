// Posters of plain shapes: a grid of tiles, or a free balance of discs, arcs and bars.
import { type Color, lightness, mix } from "./color.ts";
import type { Random } from "./random.ts";
import { type Drawing, type Motion, type Stage, sway } from "./stage.ts";
import { circle, group, linearGradient, n, path, rect, stroke } from "./svg.ts";

export function composeGeometric(stage: Stage): Drawing {
  return stage.random.fork("layout").chance(0.5) ? composeTiles(stage) : composeBalance(stage);
}

type Inks = { paper: Color; dark: Color; colors: readonly [Color, Color, Color, Color] };

/** Paper, one dark ink and four colours that stand apart from the paper. */
function inksOf({ palette }: Stage): Inks {
  const { accents } = palette;
  const ordered = [...accents].toSorted((a, b) => lightness(b) - lightness(a));
  const paper = palette.dark
    ? mix(palette.near, "#101018", 0.2)
    : mix(ordered[0] ?? "#f6efdf", "#faf4e6", 0.7);
  const dark = palette.dark ? mix(palette.sky[3], "#ffffff", 0.35) : mix(palette.near, "#16141c", 0.35);
  return { paper, dark, colors: [accents[0], accents[1], accents[2], mix(palette.sky[1], accents[0], 0.25)] };
}

function composeTiles(stage: Stage): Drawing {
  const { width, height, random } = stage;
  const inks = inksOf(stage);
  const across = random.whole(4, 6);
  const size = Math.min(width, height) / across;
  const columns = Math.ceil(width / size);
  const rows = Math.ceil(height / size);
  const x0 = (width - columns * size) / 2;
  const y0 = (height - rows * size) / 2;
  const tiles = Array.from({ length: columns * rows }, (_, i) => {
    const source = random.fork(`tile${i}`);
    const ink = pickInks(source, inks);
    return {
      x: x0 + (i % columns) * size,
      y: y0 + Math.floor(i / columns) * size,
      ground: ink.ground,
      shape: tileShape(source, size, ink.first, ink.second),
      quarter: source.whole(0, 3) * 90,
      turns: source.whole(-1, 1),
    };
  });
  return (motion) => {
    const bodies = tiles.map(({ x, y, ground, shape, quarter, turns }, i) => {
      const angle = quarter + 360 * turns * eased(motion.turn, i / tiles.length);
      const clip = `<defs><clipPath id="t${i}"><rect width="${n(size + 0.6)}" height="${n(size + 0.6)}"/></clipPath></defs>`;
      const turned = group(shape, `transform="rotate(${n(angle)} ${n(size / 2)} ${n(size / 2)})"`);
      return `${clip}<g transform="translate(${n(x)} ${n(y)})" clip-path="url(#t${i})">${rect(0, 0, size + 0.6, size + 0.6, ground)}${turned}</g>`;
    });
    return rect(0, 0, width, height, inks.paper) + bodies.join("");
  };
}

/** One whole turn within a turn of the scene, resting before and after; each tile starts at a moment of its own. */
function eased(turn: number, start: number): number {
  const t = Math.min(1, Math.max(0, ((turn % 1) - start * 0.5) / 0.5));
  return t * t * (3 - 2 * t);
}

function pickInks(random: Random, inks: Inks): { ground: Color; first: Color; second: Color } {
  const { colors, dark, paper } = inks;
  const grounds: [Color, ...Color[]] = [paper, paper, paper, colors[0], colors[1], colors[2], dark];
  const ground = random.pick(grounds);
  const others = [...colors, dark, paper].filter(
    (color) => Math.abs(lightness(color) - lightness(ground)) > 0.14,
  );
  const [first = dark, second = paper] = [
    others[random.whole(0, others.length - 1)],
    others[random.whole(0, others.length - 1)],
  ];
  return { ground, first, second: second === first ? ground : second };
}

function tileShape(random: Random, size: number, first: Color, second: Color): string {
  const half = size / 2;
  switch (random.whole(0, 9)) {
    case 0:
      return (
        path(`M0 0H${n(size)}A${n(size)} ${n(size)} 0 0 1 0 ${n(size)}Z`, first) +
        path(`M0 0H${n(half)}A${n(half)} ${n(half)} 0 0 1 0 ${n(half)}Z`, second)
      );
    case 1:
      return (
        path(`M0 0A${n(half)} ${n(half)} 0 0 0 ${n(size)} 0Z`, first) +
        path(`M0 ${n(half)}A${n(half)} ${n(half)} 0 0 0 ${n(size)} ${n(half)}Z`, second)
      );
    case 2:
      return circle(half, half, half * 0.82, first) + circle(half, half, half * 0.36, second);
    case 3:
      return [0, 1, 2, 3]
        .map((i) => rect(0, (i * size) / 4, size, size / 8, i % 2 === 0 ? first : second))
        .join("");
    case 4:
      return (
        path(`M0 ${n(size)}L${n(size)} 0V${n(size)}Z`, first) +
        circle(size * 0.3, size * 0.3, size * 0.16, second)
      );
    case 5: {
      const dots = Array.from({ length: 16 }, (_, i) =>
        circle(size * (0.14 + 0.24 * (i % 4)), size * (0.14 + 0.24 * Math.floor(i / 4)), size * 0.065, first),
      );
      return dots.join("");
    }
    case 6:
      return [1, 0.76, 0.52, 0.28]
        .map((part, i) =>
          path(
            `M0 ${n(size)}V${n(size - size * part)}A${n(size * part)} ${n(size * part)} 0 0 1 ${n(size * part)} ${n(size)}Z`,
            i % 2 === 0 ? first : second,
          ),
        )
        .join("");
    case 7:
      return (
        path(
          `M0 0A${n(size)} ${n(size)} 0 0 1 ${n(size)} ${n(size)}A${n(size)} ${n(size)} 0 0 1 0 0Z`,
          first,
        ) + circle(half, half, size * 0.1, second)
      );
    case 8:
      return (
        path(`M${n(half)} 0L${n(size)} ${n(half)}L${n(half)} ${n(size)}L0 ${n(half)}Z`, first) +
        rect(half * 0.66, half * 0.66, half * 0.68, half * 0.68, second)
      );
    default:
      return (
        path(`M0 0H${n(half)}V${n(half)}H0ZM${n(half)} ${n(half)}H${n(size)}V${n(size)}H${n(half)}Z`, first) +
        path(`M${n(half)} 0H${n(size)}A${n(half)} ${n(half)} 0 0 1 ${n(half)} ${n(half)}Z`, second)
      );
  }
}

function composeBalance(stage: Stage): Drawing {
  const { width, height, random, unit } = stage;
  const inks = inksOf(stage);
  const [a, b, c, d] = inks.colors;
  const side = random.chance(0.5) ? 1 : -1;
  const center = {
    x: width * (0.5 + side * random.between(0.04, 0.16)),
    y: height * random.between(0.36, 0.5),
  };
  const radius = Math.min(width, height) * random.between(0.25, 0.32);
  const tilt = random.between(-38, -18) * side;
  const sun =
    linearGradient(
      "disc",
      [
        [0, mix(a, inks.paper, 0.12)],
        [1, mix(a, b, 0.55)],
      ],
      [0, 0, 1, 1],
    ) + circle(center.x, center.y, radius, "url(#disc)");
  const bars = barsOf(stage, inks);
  const rings = [1.24, 1.36, 1.48].map((part, i) => ({
    radius: radius * part,
    from: random.between(0, 360),
    sweep: random.between(60, 150),
    color: [inks.dark, b, c][i] ?? inks.dark,
    width: unit * (i === 1 ? 9 : 4),
    turns: i % 2 === 0 ? 1 : -1,
  }));
  const satellites = Array.from({ length: 5 }, (_, i) => ({
    angle: random.between(0, 2 * Math.PI),
    distance: radius * random.between(1.1, 1.75),
    radius: unit * random.between(14, 52),
    color: [c, inks.dark, d, b, a][i] ?? c,
    phase: random.next(),
  }));
  const dots = dotField(stage, inks, center.x - side * radius * 1.5, center.y + radius * 0.6);
  return (motion) =>
    paper(stage, inks) +
    dots +
    group(bars(motion), `transform="rotate(${n(tilt)} ${n(width / 2)} ${n(height / 2)})"`) +
    sun +
    halfDisc(stage, center, radius, inks, motion, side) +
    rings
      .map((ring) =>
        arc(
          center,
          ring.radius,
          ring.from + 360 * ring.turns * motion.turn,
          ring.sweep,
          ring.color,
          ring.width,
        ),
      )
      .join("") +
    satellites
      .map((moon) =>
        circle(
          center.x + Math.cos(moon.angle + 2 * Math.PI * motion.turn) * moon.distance,
          center.y + Math.sin(moon.angle + 2 * Math.PI * motion.turn) * moon.distance * 0.8,
          moon.radius * (1 + 0.08 * sway(motion, 1, moon.phase)),
          moon.color,
        ),
      )
      .join("");
}

function paper({ width, height }: Stage, inks: Inks): string {
  return (
    linearGradient("paper", [
      [0, inks.paper],
      [1, mix(inks.paper, inks.colors[1], 0.14)],
    ]) + rect(0, 0, width, height, "url(#paper)")
  );
}

function barsOf({ width, height, unit, random }: Stage, inks: Inks): Drawing {
  const source = random.fork("bars");
  const long = Math.hypot(width, height);
  const colors = [inks.dark, inks.colors[1], inks.colors[2], inks.colors[3], inks.dark];
  const bars = colors.map((color, i) => ({
    color,
    y: height * (0.18 + 0.17 * i) + source.between(-0.04, 0.04) * height,
    x: source.between(-0.2, 0.45) * width,
    length: long * source.between(0.25, 0.7),
    thick: unit * source.between(6, 46),
    phase: source.next(),
  }));
  return (motion) =>
    bars
      .map(({ color, y, x, length, thick, phase }) =>
        rect(
          x + unit * 46 * sway(motion, 1, phase),
          y,
          length,
          thick,
          color,
          `fill-opacity="0.94" rx="${n(thick / 2)}"`,
        ),
      )
      .join("");
}

function halfDisc(
  { unit }: Stage,
  center: { x: number; y: number },
  radius: number,
  inks: Inks,
  motion: Motion,
  side: number,
): string {
  const r = radius * 0.72;
  const d = `M${n(-r)} 0A${n(r)} ${n(r)} 0 0 0 ${n(r)} 0Z`;
  const lines = [0.25, 0.45, 0.65]
    .map(
      (part) => `M${n(-r * Math.sqrt(1 - part * part))} ${n(r * part)}H${n(r * Math.sqrt(1 - part * part))}`,
    )
    .join("");
  const place = `translate(${n(center.x - side * radius * 0.42)} ${n(center.y + radius * 0.5)}) rotate(${n(side * 24 + 9 * sway(motion, 1, 0))})`;
  return group(
    path(d, inks.dark, 'fill-opacity="0.92"') + stroke(lines, inks.paper, unit * 3),
    `transform="${place}"`,
  );
}

function arc(
  center: { x: number; y: number },
  radius: number,
  fromDegrees: number,
  sweepDegrees: number,
  color: Color,
  width: number,
): string {
  const at = (degrees: number): string => {
    const angle = (degrees * Math.PI) / 180;
    return `${n(center.x + Math.cos(angle) * radius)} ${n(center.y + Math.sin(angle) * radius)}`;
  };
  return stroke(
    `M${at(fromDegrees)}A${n(radius)} ${n(radius)} 0 0 1 ${at(fromDegrees + sweepDegrees)}`,
    color,
    width,
    'stroke-linecap="round"',
  );
}

function dotField({ unit }: Stage, inks: Inks, x: number, y: number): string {
  return Array.from({ length: 49 }, (_, i) =>
    circle(
      x + (i % 7) * unit * 26,
      y + Math.floor(i / 7) * unit * 26,
      unit * 4.2,
      inks.dark,
      'fill-opacity="0.75"',
    ),
  ).join("");
}
