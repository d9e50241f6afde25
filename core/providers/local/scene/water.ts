// The sea: islands with their reflection, the path of light on the waves, perhaps a boat.
import { lighten, mix } from "./color.ts";
import { ridgeLine } from "./noise.ts";
import type { Light } from "./sky.ts";
import { type Drawing, type Stage, sway } from "./stage.ts";
import { ellipse, group, linearGradient, n, path, polyline, type Point, rect, stroke } from "./svg.ts";
import { speaksOf } from "./words.ts";

export function drawWater(stage: Stage, horizonY: number, light: Light): Drawing {
  const { width, height, palette } = stage;
  const surface =
    linearGradient("sea", [
      [0, mix(palette.sky[3], palette.far, 0.5)],
      [0.22, mix(palette.far, palette.sky[1], 0.35)],
      [1, palette.near],
    ]) + rect(0, horizonY, width, height - horizonY, "url(#sea)");
  const islands = drawIslands(stage, horizonY);
  const waves = drawWaves(stage, horizonY);
  const glitter = drawGlitter(stage, horizonY, light);
  const boat =
    speaksOf(stage.words, "boat ship sail sailing harbour harbor") || stage.random.fork("boat").chance(0.35)
      ? drawBoat(stage, horizonY)
      : () => "";
  return (motion) => surface + islands(motion) + waves(motion) + glitter(motion) + boat(motion);
}

function drawIslands(stage: Stage, horizonY: number): Drawing {
  const { width, unit, palette, random } = stage;
  const islands = [0, 1].map((i) => {
    const source = random.fork(`island${i}`);
    const line = ridgeLine(source, 5);
    const center = width * (i === 0 ? source.between(0.02, 0.3) : source.between(0.72, 1.02));
    const half = unit * source.between(230, 430);
    const tall = unit * source.between(80, 165) * (1 - 0.35 * i);
    const color = mix(palette.far, palette.near, 0.18 + 0.26 * i);
    return { line, center, half, tall, color, depth: 0.06 + 0.08 * i };
  });
  return (motion) =>
    islands
      .map(({ line, center, half, tall, color, depth }) => {
        const x0 = center - motion.drift * width * depth;
        const top: Point[] = [];
        for (let part = -1; part <= 1.001; part += 0.025) {
          const dome = Math.max(0, 1 - part * part) ** 0.8;
          top.push([x0 + part * half, horizonY - tall * dome * (0.55 + 0.5 * line(center + part * 2.6))]);
        }
        const shape = path(`${polyline(top)}Z`, color);
        return group(shape, `transform="translate(0 ${n(2 * horizonY)}) scale(1 -1)" opacity="0.28"`) + shape;
      })
      .join("");
}

function drawWaves(stage: Stage, horizonY: number): Drawing {
  const { width, height, unit, palette } = stage;
  const random = stage.random.fork("waves");
  const bright = mix(palette.sky[3], "#ffffff", 0.2);
  const rows = Array.from({ length: 26 }, (_, i) => {
    const depth = (i + 1) / 26;
    const y = horizonY + (height - horizonY) * depth ** 1.7;
    const crests = Array.from({ length: Math.round(14 - 7 * depth) }, () => ({
      x: random.between(-0.1, 1.1) * width,
      length: unit * (22 + 120 * depth) * random.between(0.5, 1.3),
      phase: random.next(),
    }));
    return { y, depth, crests };
  });
  return (motion) =>
    rows
      .map(({ y, depth, crests }) => {
        const d = crests.map(({ x, length, phase }) => {
          const shifted = x - motion.drift * width * 0.4 * depth + unit * 14 * depth * sway(motion, 1, phase);
          const wrapped =
            ((((shifted + width * 0.2) % (width * 1.4)) + width * 1.4) % (width * 1.4)) - width * 0.2;
          const bend = unit * (1.2 + 6 * depth);
          return `M${n(wrapped)} ${n(y)}q${n(length / 4)} ${n(-bend)} ${n(length / 2)} 0t${n(length / 2)} 0`;
        });
        return stroke(
          d.join(""),
          bright,
          unit * (0.8 + 2.2 * depth),
          `stroke-opacity="${n(0.3 - 0.16 * depth)}" stroke-linecap="round"`,
        );
      })
      .join("");
}

/** The broken reflection of sun or moon, wider towards us. */
function drawGlitter(stage: Stage, horizonY: number, light: Light): Drawing {
  const { height, unit, palette } = stage;
  const random = stage.random.fork("glitter");
  const sparks = Array.from({ length: 130 }, () => {
    const depth = random.next() ** 1.5;
    const spread = light.radius * (0.55 + 2.1 * depth);
    return {
      x: light.x + random.between(-1, 1) * random.next() * spread,
      y: horizonY + unit * 3 + (height - horizonY) * 0.94 * depth,
      rx: unit * (5 + 26 * depth) * random.between(0.4, 1.2),
      ry: unit * (1 + 2.3 * depth),
      phase: random.next(),
      cycles: random.whole(1, 3),
      depth,
    };
  });
  const color = lighten(palette.light, 0.02);
  return (motion) =>
    sparks
      .map(({ x, y, rx, ry, phase, cycles, depth }) => {
        const shine = 0.5 + 0.5 * sway(motion, cycles, phase);
        return ellipse(
          x,
          y,
          rx * (0.55 + 0.45 * shine),
          ry,
          color,
          `fill-opacity="${n((0.25 + 0.6 * shine) * (1 - 0.62 * depth))}"`,
        );
      })
      .join("");
}

function drawBoat(stage: Stage, horizonY: number): Drawing {
  const { width, height, unit, palette } = stage;
  const random = stage.random.fork("sailing");
  const x = width * random.between(0.3, 0.7);
  const y = horizonY + (height - horizonY) * random.between(0.16, 0.34);
  const size = unit * random.between(58, 88);
  const hull = `M${n(-size * 0.62)} 0Q0 ${n(size * 0.36)} ${n(size * 0.7)} ${n(-size * 0.06)}L${n(size * 0.5)} ${n(size * 0.14)}H${n(-size * 0.44)}Z`;
  const main = `M${n(size * 0.04)} ${n(-size * 1.5)}Q${n(size * 0.62)} ${n(-size * 0.7)} ${n(size * 0.52)} ${n(-size * 0.12)}H${n(size * 0.04)}Z`;
  const jib = `M${n(-size * 0.04)} ${n(-size * 1.34)}Q${n(-size * 0.3)} ${n(-size * 0.6)} ${n(-size * 0.52)} ${n(-size * 0.12)}H${n(-size * 0.04)}Z`;
  const sailColor = mix(palette.accents[3], "#ffffff", 0.35);
  const boat =
    path(hull, palette.near) +
    path(main, sailColor) +
    path(jib, palette.accents[0]) +
    stroke(`M0 0V${n(-size * 1.54)}`, palette.near, unit * 2.6);
  return (motion) => {
    const at = `translate(${n(x + motion.drift * width * 0.08)} ${n(y + unit * 3 * sway(motion, 2, 0.1))})`;
    const tilt = `rotate(${n(2.2 * sway(motion, 1, 0.35))})`;
    return (
      group(boat, `transform="${at} scale(1 -0.7) translate(0 ${n(-size * 0.2)})" opacity="0.22"`) +
      group(boat, `transform="${at} ${tilt}"`)
    );
  };
}
