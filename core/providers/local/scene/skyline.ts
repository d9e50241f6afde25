// A city in three rows, the nearest with lit windows, standing at a street or at water that mirrors it.
import { lighten, mix } from "./color.ts";
import { createPlaces } from "./random.ts";
import { drawAir } from "./air.ts";
import { drawSky, mistBand, placeLight } from "./sky.ts";
import { type Drawing, type Motion, type Stage, sway } from "./stage.ts";
import { ellipse, group, linearGradient, n, path, rect, stroke } from "./svg.ts";
import { speaksOf } from "./words.ts";

type Building = { x: number; wide: number; top: number; place: number };
type Places = (place: number, channel?: number) => number;

export function composeSkyline(stage: Stage): Drawing {
  const { height, width, palette, random } = stage;
  const streetY = height * random.between(0.74, 0.82);
  const light = placeLight(stage, streetY * 0.9);
  const sky = drawSky(stage, streetY, { ...light, radius: light.radius * 1.5 });
  const rows = [0, 1, 2].map((row) => drawRow(stage, row, streetY));
  const air = drawAir(stage, streetY * 0.7);
  const water = drawMirror(stage, streetY);
  return (motion) => {
    const city = rows.map((row) => row(motion)).join("");
    const mirrored = group(city, `transform="translate(0 ${n(2 * streetY)}) scale(1 -1)" opacity="0.42"`);
    const base = rect(0, streetY, width, height - streetY, mix(palette.near, palette.sky[2], 0.28));
    return sky(motion) + base + mirrored + water(motion) + city + air(motion);
  };
}

function drawRow(stage: Stage, row: number, streetY: number): Drawing {
  const { width, palette, unit } = stage;
  const depth = row / 2;
  const at = createPlaces(stage.random.fork(`row${row}`));
  const cell = unit * (74 + 44 * depth);
  const tall = streetY * (0.62 - 0.1 * depth);
  const color = mix(mix(palette.far, palette.sky[3], 0.3), palette.near, 0.1 + 0.85 * depth);
  // One gradient for the whole row: each building shows the part of it that it reaches into.
  const fill = linearGradient(
    `row${row}`,
    [
      [0, lighten(color, 0.02)],
      [1, mix(color, palette.sky[3], 0.32 * (1 - depth) + 0.06)],
    ],
    [0, streetY - tall, 0, streetY],
    "userSpaceOnUse",
  );
  const mist =
    depth < 1 ? mistBand(`smog${row}`, stage, streetY - unit * 210, unit * 230, 0.4 - 0.2 * depth) : "";
  return (motion) => {
    const shift = motion.drift * width * (0.1 + 0.42 * depth);
    const buildings: Building[] = [];
    for (let place = Math.floor(shift / cell) - 1; place <= Math.ceil((shift + width) / cell); place++) {
      if (at(place, 1) < 0.1) continue;
      const wide = cell * (0.62 + 0.44 * at(place, 2));
      const cluster = 0.62 + 0.38 * Math.sin(place * 0.55 + row * 2.1);
      buildings.push({
        x: place * cell - shift + cell * 0.1 * at(place),
        wide,
        top: streetY - tall * (0.24 + 0.76 * at(place, 3) ** 1.4 * cluster + 0.08 * at(place, 9)),
        place,
      });
    }
    const bodies = buildings.map((building) => outline(building, streetY, at, unit)).join("");
    return (
      fill +
      path(bodies, `url(#row${row})`) +
      (row > 0 ? windows(stage, buildings, streetY, at, motion, depth) : "") +
      mist
    );
  };
}

/** The shape of a building by its place: flat, stepped, slanted, domed, or with a spire. */
function outline({ x, wide, top, place }: Building, streetY: number, at: Places, unit: number): string {
  const right = x + wide;
  const roof = at(place, 4);
  const walls = (roofLine: string): string => `M${n(x)} ${n(streetY)}V${n(top)}${roofLine}V${n(streetY)}Z`;
  if (roof < 0.36)
    return walls(`H${n(right)}`) + (at(place, 5) < 0.4 ? mast(x + wide * 0.7, top, unit * 34, unit) : "");
  if (roof < 0.58) {
    const step = wide * 0.2;
    return (
      walls(
        `h${n(step)}v${n(-unit * 24)}h${n(step * 0.8)}v${n(-unit * 20)}H${n(right - step * 1.8)}v${n(unit * 20)}h${n(step * 0.8)}v${n(unit * 24)}H${n(right)}`,
      ) + mast(x + wide / 2, top - unit * 44, unit * 46, unit)
    );
  }
  if (roof < 0.74) return walls(`L${n(right)} ${n(top - wide * 0.34)}`);
  if (roof < 0.86)
    return (
      walls(`q${n(wide / 2)} ${n(-wide * 0.62)} ${n(wide)} 0`) +
      mast(x + wide / 2, top - wide * 0.28, unit * 30, unit)
    );
  return (
    walls(`L${n(x + wide / 2)} ${n(top - wide * 0.95)}L${n(right)} ${n(top)}`) +
    mast(x + wide / 2, top - wide * 0.85, unit * 42, unit)
  );
}

function mast(x: number, footY: number, tall: number, unit: number): string {
  return `M${n(x - unit * 1.3)} ${n(footY)}V${n(footY - tall)}h${n(unit * 2.6)}V${n(footY)}Z`;
}

function windows(
  { palette, unit }: Stage,
  buildings: readonly Building[],
  streetY: number,
  at: Places,
  motion: Motion,
  depth: number,
): string {
  const lit: string[] = [];
  const bright: string[] = [];
  const unlit: string[] = [];
  const share = palette.dark ? 0.42 : 0.26;
  for (const { x, wide, top, place } of buildings) {
    const columns = Math.max(2, Math.floor(wide / (unit * (13 + 7 * at(place, 6)))));
    const step = wide / (columns + 0.6);
    const floor = step * (1.1 + 0.5 * at(place, 7));
    const pane = { w: step * 0.5, h: floor * 0.5 };
    const floors = Math.min(60, Math.floor((streetY - top - floor) / floor));
    for (let level = 0; level < floors; level++) {
      for (let column = 0; column < columns; column++) {
        const key = place * 8191 + level * 67 + column;
        const chance = at(key, 8);
        const square = `M${n(x + step * (0.55 + column))} ${n(top + floor * (0.7 + level))}h${n(pane.w)}v${n(pane.h)}h${n(-pane.w)}Z`;
        const flickers = at(key, 10) < 0.04 && sway(motion, 1, at(key, 11)) < 0;
        if (chance > share || flickers) unlit.push(square);
        else (chance < share * 0.3 ? bright : lit).push(square);
      }
    }
  }
  const glass = mix(palette.near, palette.sky[3], palette.dark ? 0.1 : 0.22);
  const lamp = mix(palette.light, palette.accents[0], 0.25);
  return (
    path(unlit.join(""), glass, `fill-opacity="${n(0.5 * depth)}"`) +
    path(lit.join(""), lamp, `fill-opacity="${n(0.45 + 0.35 * depth)}"`) +
    path(bright.join(""), mix(lamp, "#ffffff", 0.4), `fill-opacity="${n(0.7 + 0.3 * depth)}"`)
  );
}

function drawMirror(stage: Stage, streetY: number): Drawing {
  const { width, height, unit, palette } = stage;
  const random = stage.random.fork("mirror");
  const shine = mix(palette.light, palette.sky[3], 0.4);
  const ripples = Array.from({ length: 90 }, () => {
    const depth = random.next();
    return {
      x: random.between(0, width),
      y: streetY + (height - streetY) * depth,
      rx: unit * (8 + 60 * depth) * random.between(0.4, 1.2),
      phase: random.next(),
    };
  });
  const shade =
    linearGradient("deep", [
      [0, palette.near, 0.05],
      [1, palette.near, speaksOf(stage.words, "street road") ? 0.95 : 0.7],
    ]) + rect(0, streetY, width, height - streetY, "url(#deep)");
  const quay = stroke(`M0 ${n(streetY)}H${n(width)}`, lighten(palette.near, -0.04), unit * 5);
  return (motion) =>
    shade +
    ripples
      .map(({ x, y, rx, phase }) =>
        ellipse(
          x + unit * 10 * sway(motion, 1, phase),
          y,
          rx,
          unit * 1.1,
          shine,
          `fill-opacity="${n(0.12 + 0.1 * sway(motion, 2, phase))}"`,
        ),
      )
      .join("") +
    quay;
}
