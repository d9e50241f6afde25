// A given picture in another style. The style is a param, or read from the prompt; how much of it, a strength.
import { type Maker, numberParam, type Params, takeSeed } from "./maker.ts";
import { createRandom } from "./art/random.ts";
import { openPicture, type Picture, pixelsOf, readPicture } from "./source-picture.ts";

const MAX_SIDE = 1536;

type Colour = [red: number, green: number, blue: number];
/** Changes one pixel after the other, each from what it is in a picture. */
type Brush = { readonly on: Picture; readonly paint: (pixel: Colour, at: number) => void };
type Style = (picture: Picture, how: { seed: string; prompt: string }) => Promise<Brush>;

/** Each with the words of a prompt that ask for it. */
const STYLES: Readonly<Record<string, { readonly words: RegExp; readonly style: Style }>> = {
  watercolour: { words: /water\s?colou?r|aquarel|paint|brush|soft/i, style: watercolour },
  poster: { words: /poster|flat|pop|comic|cartoon|bold|screen.?print/i, style: poster },
  line: { words: /\bline|sketch|draw|pencil|ink|outline|pen\b/i, style: line },
  duotone: { words: /duotone|two.colou?r|monochrom|riso/i, style: duotone },
  night: { words: /night|dark|midnight|moon|dusk|evening/i, style: night },
};

export const restyle: Maker = async (making) => {
  const { prompt, params, onProgress, checkpoint } = making;
  const side = numberParam(params, "max_side", MAX_SIDE, 16, 2048);
  const strength = numberParam(params, "strength", 0.85, 0, 1);
  const source = await readPicture(making, "image", { width: side, height: side, fit: "inside" });
  onProgress(0.2);
  checkpoint();
  const brush = await styleOf(params, prompt)(source, { seed: `${prompt}/${takeSeed(params)}`, prompt });
  const painted = paintOver(source, brush, strength);
  onProgress(0.8);
  checkpoint();
  const bytes = await openPicture(painted).png({ compressionLevel: 6 }).toBuffer();
  return [{ bytes, mimeType: "image/png", width: source.width, height: source.height }];
};

function styleOf(params: Params, prompt: string): Style {
  const named = STYLES[String(params["style"])];
  return (named ?? Object.values(STYLES).find(({ words }) => words.test(prompt)))?.style ?? watercolour;
}

function paintOver(source: Picture, { on, paint }: Brush, strength: number): Picture {
  const data = new Uint8ClampedArray(source.data.length);
  const pixel: Colour = [0, 0, 0];
  for (let at = 0; at * 3 < data.length; at++) {
    for (const channel of CHANNELS) pixel[channel] = on.data[at * 3 + channel] ?? 0;
    paint(pixel, at);
    for (const channel of CHANNELS) {
      const own = source.data[at * 3 + channel] ?? 0;
      data[at * 3 + channel] = own + (Math.max(0, Math.min(255, pixel[channel])) - own) * strength;
    }
  }
  return { ...source, data: new Uint8Array(data.buffer) };
}

/** Colours run into each other and gather at edges, on paper with a grain. */
async function watercolour(picture: Picture, { seed }: { seed: string }): Promise<Brush> {
  const unit = Math.max(3, Math.round(Math.min(picture.width, picture.height) / 140) | 1);
  const wash = openPicture(picture).median(unit).modulate({ saturation: 1.25, brightness: 1.04 });
  const on = await pixelsOf(wash);
  const edges = await edgesOf(on, 1.2);
  const { between } = createRandom(seed);
  const paint = (pixel: Colour, at: number): void => {
    const shade = 1 - 0.5 * (edges[at] ?? 0) + between(-0.05, 0.05);
    for (const channel of CHANNELS) {
      // Steps in the wash, softened: half of each colour is of its step.
      const value = pixel[channel];
      const stepped = Math.round(value / 36) * 36;
      pixel[channel] = (255 - (255 - (value + stepped) / 2) * 0.88) * shade;
    }
  };
  return { on, paint };
}

/** Few flat colours with a dark contour. */
async function poster(picture: Picture): Promise<Brush> {
  const on = await pixelsOf(openPicture(picture).median(5).modulate({ saturation: 1.5 }));
  const edges = await edgesOf(on, 1);
  const levels = 4;
  const paint = (pixel: Colour, at: number): void => {
    const light = lightOf(pixel);
    const level = (Math.round((light / 255) * levels) / levels) * 255;
    const by = light > 4 ? level / light : 1;
    const ink = (edges[at] ?? 0) > 0.35 ? 0.15 : 1;
    for (const channel of CHANNELS) pixel[channel] = Math.round((pixel[channel] * by) / 16) * 16 * ink;
  };
  return { on, paint };
}

/** Dark ink on warm paper: what differs from its surroundings, and hatching in the shadows. */
async function line(on: Picture): Promise<Brush> {
  const { width } = on;
  const [near, far] = await Promise.all([blurred(on, 0.8), blurred(on, 2.2)]);
  const paint = (pixel: Colour, at: number): void => {
    const light = near[at] ?? 255;
    const contour = Math.max(0, Math.min(1, ((far[at] ?? 255) - light) / 14));
    const [x, y] = [at % width, Math.floor(at / width)];
    const isHatched = (light < 90 && (x + y) % 7 < 2) || (light < 45 && (x - y + 7_000) % 7 < 2);
    mix(pixel, PAPER, INK, Math.max(contour, isHatched ? 0.55 : 0));
  };
  return { on, paint };
}

/** From the dark of one colour to the light of another; colours that the prompt names are used. */
async function duotone(picture: Picture, { seed, prompt }: { seed: string; prompt: string }): Promise<Brush> {
  const named = Object.keys(DARKS).find((word) => new RegExp(`\\b${word}\\b`, "i").test(prompt));
  const dark = DARKS[named ?? createRandom(seed).pick(Object.keys(DARKS))] ?? INK;
  const on = await pixelsOf(openPicture(picture).normalise());
  return { on, paint: (pixel) => mix(pixel, dark, CREAM, lightOf(pixel) / 255) };
}

/** Blue and dark, but for what shines, which glows. */
async function night(on: Picture): Promise<Brush> {
  const { width, height } = on;
  const glow = await blurred(on, Math.max(2, Math.min(width, height) / 60));
  const paint = (pixel: Colour, at: number): void => {
    const light = lightOf(pixel) / 255;
    const shine = Math.max(0, (light - 0.72) / 0.28) ** 2;
    const halo = Math.max(0, ((glow[at] ?? 0) / 255 - 0.7) / 0.3) * 0.45;
    const [x, y] = [((at % width) / width) * 2 - 1, (Math.floor(at / width) / height) * 2 - 1];
    const shade = 0.42 * (1 - 0.25 * (x * x + y * y));
    for (const channel of CHANNELS) {
      const dark = (pixel[channel] * 0.55 + light * NIGHT[channel] * 0.9) * shade;
      pixel[channel] = dark + WARM[channel] * (shine * 0.75 + halo * 0.5);
    }
  };
  return { on, paint };
}

const CHANNELS = [0, 1, 2] as const;
const PAPER: Colour = [250, 246, 236];
const INK: Colour = [38, 36, 48];
const CREAM: Colour = [252, 240, 220];
const NIGHT: Colour = [70, 110, 230];
const WARM: Colour = [255, 205, 130];
const DARKS: Readonly<Record<string, Colour>> = {
  blue: [24, 42, 120],
  red: [130, 22, 40],
  green: [12, 78, 62],
  purple: [78, 26, 110],
  teal: [0, 82, 98],
  orange: [150, 62, 10],
};

function mix(pixel: Colour, from: Colour, to: Colour, share: number): void {
  for (const channel of CHANNELS) pixel[channel] = from[channel] + (to[channel] - from[channel]) * share;
}

function lightOf([red, green, blue]: Colour): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Its light, one byte for each pixel. */
function blurred(picture: Picture, sigma: number): Promise<Uint8Array> {
  return openPicture(picture).greyscale().blur(sigma).raw().toBuffer();
}

/** How much of an edge each pixel is, 0 to 1. */
async function edgesOf(picture: Picture, sigma: number): Promise<Float32Array> {
  const light = await blurred(picture, sigma);
  const { width, height } = picture;
  const edges = new Float32Array(width * height);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const across = (light[at + 1] ?? 0) - (light[at - 1] ?? 0);
      const down = (light[at + width] ?? 0) - (light[at - width] ?? 0);
      edges[at] = Math.min(1, Math.hypot(across, down) / 96);
    }
  return edges;
}
