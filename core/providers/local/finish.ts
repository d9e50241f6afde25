// The surface of a painted picture, worked into its pixels: brush strokes on canvas.
import { createRandom } from "./scene/random.ts";

/** Eight bits each of red, green and blue, row by row. */
export type Pixels = { readonly data: Uint8Array; readonly width: number; readonly height: number };

const TILE = 256;

/**
 * Pulls colours along strokes and lights the strokes as if they stood out a little. Strokes follow the level lines of
 * `y + bend(x, y)`: they swing gently and never meet, where turning every stroke by an angle of its own would tear them.
 */
export function paint({ data, width, height }: Pixels, seed: string): Pixels {
  const noise = createNoise(seed);
  const out = new Uint8Array(data.length);
  const unit = Math.min(width, height) / 1000;
  const [long, thin, reach, bend] = [1 / (unit * 62), 1 / (unit * 5.2), unit * 3.8, unit * 95];
  const [flowX, flowY] = [1 / (unit * 300), 1 / (unit * 240)];
  // The bend changes so slowly that two looks a step apart give its slope.
  const step = unit * 24;
  const slopes = new Float32Array(width);
  const bends = new Float32Array(width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const here = noise(x * flowX, y * flowY);
      bends[x] = here * bend;
      slopes[x] = ((here - noise((x + step) * flowX, y * flowY)) * bend) / step;
    }
    for (let x = 0; x < width; x++) {
      const slope = slopes[x] ?? 0;
      const across = (y + (bends[x] ?? 0)) * thin;
      const along = x * long + (y * long) / 3;
      const bristle = noise(along, across);
      const shift = reach * noise(along * 1.7 + 31.7, across * 0.5 + 11.3);
      const fromX = clamp(Math.round(x + shift), width - 1);
      const fromY = clamp(Math.round(y + shift * slope + bristle * reach * 0.32), height - 1);
      const shade = vignette(x, y, width, height);
      const relief = 7 * bristle;
      const from = (fromY * width + fromX) * 3;
      const to = (y * width + x) * 3;
      out[to] = clamp((data[from] ?? 0) * shade + relief, 255);
      out[to + 1] = clamp((data[from + 1] ?? 0) * shade + relief, 255);
      out[to + 2] = clamp((data[from + 2] ?? 0) * shade + relief, 255);
    }
  }
  return { data: out, width, height };
}

/** Slightly darker towards the corners. */
function vignette(x: number, y: number, width: number, height: number): number {
  const [dx, dy] = [(x / width) * 2 - 1, (y / height) * 2 - 1];
  return 1 - 0.09 * (dx * dx + dy * dy) ** 2 * 0.5;
}

/** Value noise of two dimensions, -1..1, repeating every 256. */
function createNoise(seed: string): (x: number, y: number) => number {
  const random = createRandom(`${seed}/finish`);
  const table = Float32Array.from({ length: TILE * TILE }, () => random.between(-1, 1));
  return (x, y) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const u = smooth(x - left);
    const v = smooth(y - top);
    const [row, below] = [(top & (TILE - 1)) * TILE, ((top + 1) & (TILE - 1)) * TILE];
    const [column, right] = [left & (TILE - 1), (left + 1) & (TILE - 1)];
    const a = table[row + column] ?? 0;
    const c = table[below + column] ?? 0;
    const upper = a + ((table[row + right] ?? 0) - a) * u;
    const lower = c + ((table[below + right] ?? 0) - c) * u;
    return upper + (lower - upper) * v;
  };
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}

function clamp(value: number, max: number): number {
  return value < 0 ? 0 : value > max ? max : value;
}
