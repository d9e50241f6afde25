// Layers of land one behind the other, with what the prompt puts on them: snow, trees, dunes, water.
import { lighten, mix } from "./color.ts";
import { hillLine, type Line, ridgeLine } from "./noise.ts";
import { createPlaces } from "./random.ts";
import { drawMeadow } from "./meadow.ts";
import { drawAir } from "./air.ts";
import { drawSky, mistBand, placeLight } from "./sky.ts";
import type { Drawing, Motion, Stage } from "./stage.ts";
import { linearGradient, n, path, polyline, type Point, stroke } from "./svg.ts";
import { drawWater } from "./water.ts";
import { speaksOf } from "./words.ts";

type Ground = "mountains" | "hills" | "dunes";

export function composeLandscape(stage: Stage): Drawing {
  const { words, height, random } = stage;
  const wet = speaksOf(
    words,
    "ocean sea beach lake river water boat ship sail island wave coast harbour harbor whale fish",
  );
  const horizonY = height * (wet ? random.between(0.5, 0.6) : random.between(0.58, 0.68));
  const light = placeLight(stage, horizonY);
  const sky = drawSky(stage, horizonY, light);
  const ground = wet ? drawWater(stage, horizonY, light) : drawLayers(stage, horizonY);
  const air = drawAir(stage, horizonY);
  return (motion) => sky(motion) + ground(motion) + air(motion);
}

function groundOf(stage: Stage): Ground {
  if (speaksOf(stage.words, "desert sand dune canyon mars egypt")) return "dunes";
  if (speaksOf(stage.words, "meadow field hill valley farm garden countryside spring")) return "hills";
  return "mountains";
}

function drawLayers(stage: Stage, horizonY: number): Drawing {
  const { height, palette, unit, random } = stage;
  const ground = groundOf(stage);
  const count = ground === "dunes" ? 4 : 6;
  const wooded =
    speaksOf(stage.words, "forest wood tree pine jungle mountain winter alps autumn night aurora") ||
    (ground === "mountains" && random.fork("wood").chance(0.6));
  const snowy = speaksOf(stage.words, "snow winter mountain alps peak summit ice aurora arctic");
  const layers = Array.from({ length: count }, (_, i) => {
    const depth = i / (count - 1);
    const baseY = horizonY + (height - horizonY) * depth ** 1.35 * 0.88;
    const line = outline(stage, ground, i, depth);
    const crest = (x: number): number => baseY - line(x);
    const color = mix(palette.far, palette.near, depth ** 0.85);
    const draw = landLayer(stage, `land${i}`, crest, color, depth);
    const caps =
      snowy && depth > 0 && depth < 0.5 && ground === "mountains"
        ? snowCaps(stage, crest, baseY, i)
        : () => "";
    const trees =
      wooded && ground !== "dunes" && depth > 0.55
        ? drawTrees(stage, crest, lighten(color, -0.035), depth, i)
        : () => "";
    const growth = ground === "hills" && depth > 0.15 ? drawMeadow(stage, crest, color, depth, i) : () => "";
    const lee = ground === "dunes" ? drawLeeSide(stage, crest, color) : () => "";
    const mist =
      depth < 0.85
        ? mistBand(`mist${i}`, stage, baseY - unit * 30, (height - horizonY) * 0.32, 0.34 * (1 - depth))
        : "";
    return (motion: Motion) => {
      const shift = motion.drift * stage.width * (0.05 + 0.75 * depth * depth);
      return trees(shift) + draw(shift) + lee(shift) + caps(shift) + growth(shift) + mist;
    };
  });
  return (motion) => layers.map((layer) => layer(motion)).join("");
}

/** Height of a layer's crest above its base, over the x of the world. */
function outline(stage: Stage, ground: Ground, layer: number, depth: number): Line {
  const { unit, random } = stage;
  const source = random.fork(`land${layer}`);
  const offset = source.between(-500, 500);
  if (ground === "mountains" && depth < 0.55) {
    const line = ridgeLine(source, 5);
    const tall = unit * (205 - 130 * depth);
    return (x) => tall * (0.42 + 0.62 * line(offset + x / (unit * 340)));
  }
  const line = hillLine(source, ground === "dunes" ? 2 : 4);
  const tall = unit * (ground === "dunes" ? 92 : 78) * (1.05 - 0.3 * depth);
  const wide = unit * (ground === "dunes" ? 520 : 380);
  return (x) => tall * (0.35 + 0.8 * line(offset + x / wide));
}

function landLayer(
  stage: Stage,
  id: string,
  crest: Line,
  color: string,
  depth: number,
): (shift: number) => string {
  const { width, height, palette, unit } = stage;
  const foot = mix(color, palette.sky[3], 0.42 * (1 - depth));
  const fill = linearGradient(id, [
    [0, lighten(color, 0.015)],
    [0.55, foot],
    [1, mix(foot, palette.near, depth * 0.6)],
  ]);
  return (shift) => {
    const top = crestPoints(stage, crest, shift);
    const rim = stroke(
      polyline(top),
      mix(color, palette.light, 0.55),
      unit * 1.6,
      `stroke-opacity="${n(0.5 - 0.35 * depth)}"`,
    );
    return fill + path(`${polyline(top)}L${n(width)} ${n(height)}L0 ${n(height)}Z`, `url(#${id})`) + rim;
  };
}

function crestPoints({ width, unit }: Stage, crest: Line, shift: number): Point[] {
  const step = Math.max(1, Math.min(width / 96, unit * 5));
  const points: Point[] = [];
  for (let x = 0; x < width + step; x += step) points.push([x, crest(x + shift)]);
  return points;
}

function snowCaps(stage: Stage, crest: Line, baseY: number, layer: number): (shift: number) => string {
  const { unit, palette } = stage;
  const jag = hillLine(stage.random.fork(`snow${layer}`), 4);
  const snowlineY = baseY - unit * 62;
  const color = mix("#ffffff", palette.sky[3], 0.18);
  return (shift) => {
    const top = crestPoints(stage, crest, shift);
    const bottom = top.map(([x, y]): Point => [
      x,
      Math.max(y, snowlineY - unit * 26 + unit * 52 * jag((x + shift) / (unit * 26))),
    ]);
    return path(
      `${polyline(top)}${polyline(bottom.toReversed()).replace("M", "L")}Z`,
      color,
      'fill-opacity="0.82"',
    );
  };
}

function drawTrees(
  stage: Stage,
  crest: Line,
  color: string,
  depth: number,
  layer: number,
): (shift: number) => string {
  const { width, unit } = stage;
  const at = createPlaces(stage.random.fork(`trees${layer}`));
  const spacing = unit * (10 + 22 * (depth - 0.5));
  const grove = hillLine(stage.random.fork(`grove${layer}`), 2);
  return (shift) => {
    const first = Math.floor(shift / spacing) - 3;
    const last = Math.ceil((shift + width) / spacing) + 3;
    const pines: string[] = [];
    for (let place = first; place <= last; place++) {
      const x = (place + at(place)) * spacing;
      const growth = 0.42 + 0.58 * at(place, 1) + 0.3 * grove(x / (unit * 240));
      if (growth > 0.45) pines.push(pine(x - shift, crest(x) + unit * 7, unit * 78 * depth * growth));
    }
    return path(pines.join(""), color);
  };
}

/** One pine as a path: three tiers over a stem. */
function pine(x: number, footY: number, tall: number): string {
  const half = tall * 0.21;
  const tiers = [0, 1, 2].map((tier) => {
    const bottom = footY - tall * (0.12 + 0.24 * tier);
    const w = half * (1 - 0.26 * tier);
    return `M${n(x - w)} ${n(bottom)}L${n(x)} ${n(bottom - tall * 0.42)}L${n(x + w)} ${n(bottom)}Z`;
  });
  return `${tiers.join("")}M${n(x - half * 0.13)} ${n(footY)}v${n(-tall * 0.14)}h${n(half * 0.26)}v${n(tall * 0.14)}Z`;
}

/** The side of a dune that looks away from the sun, and the ripples of the wind on the other. */
function drawLeeSide(stage: Stage, crest: Line, color: string): (shift: number) => string {
  const { unit, palette } = stage;
  const shade = mix(lighten(color, -0.11), palette.near, 0.25);
  const ripple = mix(color, palette.light, 0.35);
  return (shift) => {
    const top = crestPoints(stage, crest, shift);
    const below = top.map(([x, y]): Point => {
      const fall = (crest(x + shift + unit * 12) - crest(x + shift - unit * 12)) / (unit * 24);
      return [x + unit * 34, y + Math.max(0, fall) * unit * 620];
    });
    const ripples = [1, 2, 3, 4].map((k) =>
      polyline(
        top.map(([x, y]): Point => [
          x,
          y + unit * (9 * k * k + 16) + unit * 3 * Math.sin((x + shift) / (unit * 37) + k),
        ]),
      ),
    );
    return (
      path(
        `${polyline(top)}${polyline(below.toReversed()).replace("M", "L")}Z`,
        shade,
        'fill-opacity="0.6"',
      ) + stroke(ripples.join(""), ripple, unit * 1.2, 'stroke-opacity="0.22"')
    );
  };
}
