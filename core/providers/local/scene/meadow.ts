// What grows on gentle hills: round trees in the distance, flowers and blades of grass near by.
import { lighten, mix } from "./color.ts";
import type { Line } from "./noise.ts";
import { createPlaces } from "./random.ts";
import type { Stage } from "./stage.ts";
import { circle, n, path, stroke } from "./svg.ts";

/** Draws a layer's growth for a camera that has moved by `shift`. */
export function drawMeadow(
  stage: Stage,
  crest: Line,
  color: string,
  depth: number,
  layer: number,
): (shift: number) => string {
  const trees = drawRoundTrees(stage, crest, color, depth, layer);
  const flowers = depth > 0.5 ? drawFlowers(stage, crest, color, depth, layer) : () => "";
  return (shift) => trees(shift) + flowers(shift);
}

function drawRoundTrees(
  stage: Stage,
  crest: Line,
  color: string,
  depth: number,
  layer: number,
): (shift: number) => string {
  const { width, unit, palette } = stage;
  const at = createPlaces(stage.random.fork(`copse${layer}`));
  const spacing = unit * (26 + 60 * depth);
  const size = unit * (13 + 34 * depth);
  const shade = lighten(color, -0.09);
  const lit = mix(color, palette.light, 0.2);
  return (shift) => {
    const trees: string[] = [];
    for (
      let place = Math.floor(shift / spacing) - 2;
      place <= Math.ceil((shift + width) / spacing) + 2;
      place++
    ) {
      // Trees stand together in copses with open land between.
      if (at(place, 1) > 0.34 + 0.3 * Math.sin(place * 0.37 + layer)) continue;
      const x = (place + at(place)) * spacing;
      const r = size * (0.5 + 0.5 * at(place, 2));
      const y = crest(x) - r * 0.75;
      trees.push(path(`M${n(x - shift - r * 0.09)} ${n(y)}h${n(r * 0.18)}v${n(r)}h${n(-r * 0.18)}Z`, shade));
      trees.push(
        circle(x - shift, y, r * 0.72, shade) +
          circle(x - shift - r * 0.5, y + r * 0.26, r * 0.5, shade) +
          circle(x - shift + r * 0.5, y + r * 0.24, r * 0.52, shade),
      );
      trees.push(circle(x - shift - r * 0.2, y - r * 0.22, r * 0.4, lit, 'fill-opacity="0.5"'));
    }
    return trees.join("");
  };
}

function drawFlowers(
  stage: Stage,
  crest: Line,
  color: string,
  depth: number,
  layer: number,
): (shift: number) => string {
  const { width, height, unit, palette } = stage;
  const at = createPlaces(stage.random.fork(`flowers${layer}`));
  const spacing = unit * 9;
  const petals = [
    palette.accents[0],
    palette.accents[2],
    palette.accents[3],
    mix(palette.accents[1], "#ffffff", 0.3),
  ];
  const grass = mix(color, palette.light, 0.22);
  return (shift) => {
    const blades: string[] = [];
    const flowers: string[] = [];
    for (
      let place = Math.floor(shift / spacing) - 1;
      place <= Math.ceil((shift + width) / spacing);
      place++
    ) {
      const x = (place + at(place)) * spacing - shift;
      const y = crest(x + shift) + (height * 0.16 * at(place, 1) ** 1.4 + unit * 6) * depth;
      const tall = unit * (7 + 17 * at(place, 2)) * depth;
      blades.push(
        `M${n(x)} ${n(y)}q${n(tall * 0.1)} ${n(-tall * 0.6)} ${n(tall * (at(place, 3) - 0.5))} ${n(-tall)}`,
      );
      if (at(place, 4) < 0.42)
        flowers.push(
          circle(
            x,
            y - tall,
            unit * (1.6 + 3.4 * at(place, 5)) * depth,
            petals[Math.floor(at(place, 6) * 4)] ?? grass,
          ),
        );
    }
    return (
      stroke(blades.join(""), grass, unit * 1.5, 'stroke-opacity="0.55" stroke-linecap="round"') +
      flowers.join("")
    );
  };
}
