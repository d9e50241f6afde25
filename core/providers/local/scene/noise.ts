// Smooth randomness along a line: outlines of mountains, jagged edges of snow.
import { createPlaces, type Random } from "./random.ts";

/** Around -1..1, smooth, endless in both directions. */
export type Line = (x: number) => number;

export function smoothLine(random: Random): Line {
  const at = createPlaces(random);
  return (x) => {
    const left = Math.floor(x);
    const t = x - left;
    const eased = t * t * t * (t * (t * 6 - 15) + 10);
    const a = at(left) * 2 - 1;
    return a + (at(left + 1) * 2 - 1 - a) * eased;
  };
}

/** Several octaves: hills with smaller hills on them. */
export function hillLine(random: Random, octaves: number): Line {
  const line = smoothLine(random);
  return (x) => octaveSum(octaves, (scale) => line(x * scale + scale * 17.3));
}

/** Sharp crests and wide valleys. */
export function ridgeLine(random: Random, octaves: number): Line {
  const line = smoothLine(random);
  return (x) => octaveSum(octaves, (scale) => 1 - 2 * Math.abs(line(x * scale + scale * 11.7)));
}

function octaveSum(octaves: number, term: (scale: number) => number): number {
  let sum = 0;
  let weights = 0;
  for (let octave = 0, weight = 1, scale = 1; octave < octaves; octave++, weight *= 0.48, scale *= 2.07) {
    sum += term(scale) * weight;
    weights += weight;
  }
  return sum / weights;
}
