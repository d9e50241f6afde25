// What is in the air before everything else: rain, snow, a flock of birds.
import { type Drawing, type Stage, sway } from "./stage.ts";
import { circle, group, n, type Point, polyline, stroke } from "./svg.ts";
import { speaksOf } from "./words.ts";

/** Everything that the prompt puts into the air; drawn last. */
export function drawAir(stage: Stage, horizonY: number): Drawing {
  const parts: Drawing[] = [];
  if (speaksOf(stage.words, "rain rainy storm stormy thunder")) parts.push(drawRain(stage));
  if (speaksOf(stage.words, "snow snowfall blizzard christmas")) parts.push(drawSnow(stage));
  if (!stage.palette.dark && !speaksOf(stage.words, "rain rainy storm stormy snow space fire"))
    parts.push(drawBirds(stage, horizonY));
  return (motion) => parts.map((part) => part(motion)).join("");
}

function drawRain(stage: Stage): Drawing {
  const { width, height, unit } = stage;
  const random = stage.random.fork("rain");
  const drops = Array.from({ length: 170 }, () => ({
    x: random.between(-0.1, 1.1) * width,
    y: random.next(),
    length: unit * random.between(24, 62),
    cycles: random.whole(3, 5),
  }));
  return (motion) => {
    const d = drops.map(({ x, y, length, cycles }) => {
      const at = ((y + motion.turn * cycles) % 1) * height * 1.15 - height * 0.1;
      return `M${n(x)} ${n(at)}l${n(-length * 0.22)} ${n(length)}`;
    });
    return stroke(d.join(""), "#eef4f8", unit * 1.7, 'stroke-opacity="0.34" stroke-linecap="round"');
  };
}

function drawSnow(stage: Stage): Drawing {
  const { width, height, unit } = stage;
  const random = stage.random.fork("snow");
  const flakes = Array.from({ length: 150 }, () => ({
    x: random.next() * width,
    y: random.next(),
    radius: unit * (1.4 + 4.2 * random.next() ** 3),
    phase: random.next(),
    cycles: random.whole(1, 2),
  }));
  return (motion) =>
    flakes
      .map(({ x, y, radius, phase, cycles }) =>
        circle(
          x + unit * 14 * sway(motion, 1, phase),
          ((y + motion.turn * cycles) % 1) * height,
          radius,
          "#ffffff",
          `fill-opacity="${n(0.5 + 0.4 * phase)}"`,
        ),
      )
      .join("");
}

function drawBirds(stage: Stage, horizonY: number): Drawing {
  const { width, unit, palette } = stage;
  const random = stage.random.fork("birds");
  const x0 = random.between(0.2, 0.7) * width;
  const y0 = horizonY * random.between(0.22, 0.5);
  const flock = Array.from({ length: random.whole(3, 8) }, (_, i) => ({
    x: x0 + unit * (i * 27 + random.between(-14, 14)),
    y: y0 + unit * random.between(-34, 34),
    span: unit * random.between(9, 16),
    phase: random.next(),
  }));
  return (motion) => {
    const d = flock.map(({ x, y, span, phase }) => {
      const lift = span * (0.5 + 0.32 * sway(motion, 4, phase));
      const points: Point[] = [
        [x - span, y - lift * 0.5],
        [x - span * 0.45, y - lift],
        [x, y],
        [x + span * 0.45, y - lift],
        [x + span, y - lift * 0.5],
      ];
      return polyline(points);
    });
    return group(
      stroke(
        d.join(""),
        palette.near,
        unit * 2.2,
        'stroke-linejoin="round" stroke-linecap="round" stroke-opacity="0.75"',
      ),
      `transform="translate(${n(motion.drift * width * 0.1)} 0)"`,
    );
  };
}
