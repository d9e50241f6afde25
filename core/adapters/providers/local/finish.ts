// The surface of a painted picture, worked into its pixels: brush strokes on canvas.
import { createRandom } from "./scene/random.ts";
import type { Picture } from "./source-picture.ts";

const TILE = 256;

/**
 * Pulls colours along strokes and lights the strokes as if they stood out a little. Strokes follow the level lines of
 * `y + bend(x, y)`: they swing gently and never meet, where turning every stroke by an angle of its own would tear them.
 */
export function paint({ data, width, height }: Picture, seed: string): Picture {
  const noise = createNoise(seed);
  const out = new Uint8ClampedArray(data.length);
  const unit = Math.min(width, height) / 1000;
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bend = unit * 95 * noise(x / (unit * 300), y / (unit * 240));
      const across = (y + bend) / (unit * 5.2);
      const along = (x + y / 3) / (unit * 62);
      const bristle = noise(along, across);
      const shift = unit * 3.8 * noise(along * 1.7 + 31.7, across * 0.5 + 11.3);
      const fromX = within(x + shift, width);
      const fromY = within(y + unit * 1.2 * bristle, height);
      const from = (fromY * width + fromX) * 3;
      for (let channel = 0; channel < 3; channel++) out[to++] = (data[from + channel] ?? 0) + 7 * bristle;
    }
  return { data: new Uint8Array(out.buffer), width, height };
}

/** Value noise of two dimensions, -1..1, repeating every 256. */
function createNoise(seed: string): (x: number, y: number) => number {
  const random = createRandom(`${seed}/finish`);
  const table = Float32Array.from({ length: TILE * TILE }, () => random.between(-1, 1));
  const at = (column: number, row: number): number =>
    table[(row & (TILE - 1)) * TILE + (column & (TILE - 1))] ?? 0;
  return (x, y) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const u = smooth(x - left);
    const v = smooth(y - top);
    const [a, c] = [at(left, top), at(left, top + 1)];
    const upper = a + (at(left + 1, top) - a) * u;
    const lower = c + (at(left + 1, top + 1) - c) * u;
    return upper + (lower - upper) * v;
  };
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}

function within(place: number, size: number): number {
  return Math.max(0, Math.min(size - 1, Math.round(place)));
}
