// A given picture in another style. The style is a param, or read from the prompt; how much of it, a strength.
import { type Maker, numberParam, type Params, takeSeed } from "./maker.ts";
import { createRandom } from "./art/random.ts";
import { openPicture, type Picture, readPicture } from "./source-picture.ts";

const MAX_SIDE = 1536;

type Tint = readonly [red: number, green: number, blue: number];
type Paint = (picture: Picture, how: { seed: string; prompt: string }) => Promise<Picture>;

/** Each with the words of a prompt that ask for it. */
const STYLES: Readonly<Record<string, { readonly words: RegExp; readonly paint: Paint }>> = {
  watercolour: { words: /water\s?colou?r|aquarel|paint|brush|soft/i, paint: watercolour },
  poster: { words: /poster|flat|pop|comic|cartoon|bold|screen.?print/i, paint: poster },
  line: { words: /\bline|sketch|draw|pencil|ink|outline|pen\b/i, paint: line },
  duotone: { words: /duotone|two.colou?r|monochrom|riso/i, paint: duotone },
  night: { words: /night|dark|midnight|moon|dusk|evening/i, paint: night },
};

export const restyle: Maker = async (making) => {
  const { prompt, params, onProgress, checkpoint } = making;
  const maxSide = numberParam(params, "max_side", MAX_SIDE, 16, 2048);
  const strength = numberParam(params, "strength", 0.85, 0, 1);
  const source = await readPicture(making, "image", { width: maxSide, height: maxSide, fit: "inside" });
  onProgress(0.2);
  checkpoint();
  const { paint } = styleOf(params, prompt);
  const painted = await paint(source, { seed: `${prompt}/${takeSeed(params)}`, prompt });
  onProgress(0.8);
  checkpoint();
  const { width, height } = source;
  const mixed = eachPixel(source, (at, pixel) => {
    const [red, green, blue] = colourAt(painted, at);
    pixel[0] += (red - pixel[0]) * strength;
    pixel[1] += (green - pixel[1]) * strength;
    pixel[2] += (blue - pixel[2]) * strength;
  });
  const bytes = await openPicture(mixed).png({ compressionLevel: 6 }).toBuffer();
  return [{ bytes, mimeType: "image/png", width, height }];
};

function styleOf(params: Params, prompt: string): { paint: Paint } {
  const named = STYLES[String(params["style"])];
  return named ?? Object.values(STYLES).find(({ words }) => words.test(prompt)) ?? { paint: watercolour };
}

/** Colours run into each other and gather at edges, on paper with a grain. */
async function watercolour(picture: Picture, { seed }: { seed: string }): Promise<Picture> {
  const unit = Math.max(3, Math.round(Math.min(picture.width, picture.height) / 140) | 1);
  const washed = await pixelsOf(
    openPicture(picture).median(unit).modulate({ saturation: 1.25, brightness: 1.04 }),
  );
  const edges = await edgesOf(washed, 1.2);
  const grain = createGrain(seed);
  return eachPixel(washed, (at, pixel) => {
    // Steps in the wash, softened: half of each colour is of its step.
    const shade = 1 - 0.5 * (edges[at] ?? 0) + 0.05 * grain();
    for (const channel of CHANNELS) {
      const value = pixel[channel];
      const stepped = Math.round(value / 36) * 36;
      pixel[channel] = (255 - (255 - (value + stepped) / 2) * 0.88) * shade;
    }
  });
}

/** Few flat colours with a dark contour. */
async function poster(picture: Picture): Promise<Picture> {
  const flat = await pixelsOf(openPicture(picture).median(5).modulate({ saturation: 1.5 }));
  const edges = await edgesOf(flat, 1);
  const levels = 4;
  return eachPixel(flat, (at, pixel) => {
    const light = lightOf(pixel);
    const level = (Math.round((light / 255) * levels) / levels) * 255;
    const by = light > 4 ? level / light : 1;
    const ink = (edges[at] ?? 0) > 0.35 ? 0.15 : 1;
    for (const channel of CHANNELS) pixel[channel] = Math.round((pixel[channel] * by) / 16) * 16 * ink;
  });
}

/** Dark ink on warm paper: what differs from its surroundings, and hatching in the shadows. */
async function line(picture: Picture): Promise<Picture> {
  const { width } = picture;
  const [near, far] = await Promise.all([blurred(picture, 0.8), blurred(picture, 2.2)]);
  return eachPixel(picture, (at, pixel) => {
    const light = near[at] ?? 255;
    const contour = Math.max(0, Math.min(1, ((far[at] ?? 255) - light) / 14));
    const [x, y] = [at % width, Math.floor(at / width)];
    const hatch = light < 90 && (x + y) % 7 < 2 ? 0.55 : light < 45 && (x - y + 7_000) % 7 < 2 ? 0.55 : 0;
    mix(pixel, PAPER, INK, Math.max(contour, hatch));
  });
}

/** From the dark of one colour to the light of another; colours that the prompt names are used. */
async function duotone(
  picture: Picture,
  { seed, prompt }: { seed: string; prompt: string },
): Promise<Picture> {
  const named = Object.entries(DARKS).find(([word]) => new RegExp(`\\b${word}\\b`, "i").test(prompt));
  const dark = named?.[1] ?? createRandom(seed).pick(Object.values(DARKS) as [Tint, ...Tint[]]);
  const even = await pixelsOf(openPicture(picture).normalise());
  return eachPixel(even, (_at, pixel) => mix(pixel, dark, CREAM, lightOf(pixel) / 255));
}

/** Blue and dark, but for what shines, which glows. */
async function night(picture: Picture): Promise<Picture> {
  const glow = await blurred(picture, Math.max(2, Math.min(picture.width, picture.height) / 60));
  const [across, down] = [picture.width, picture.height];
  return eachPixel(picture, (at, pixel) => {
    const light = lightOf(pixel) / 255;
    const shine = Math.max(0, (light - 0.72) / 0.28) ** 2;
    const halo = Math.max(0, ((glow[at] ?? 0) / 255 - 0.7) / 0.3) * 0.45;
    const [x, y] = [((at % across) / across) * 2 - 1, (Math.floor(at / across) / down) * 2 - 1];
    const shade = 0.42 * (1 - 0.25 * (x * x + y * y));
    NIGHT.forEach((tint, channel) => {
      const dark = (pixel[channel as 0] * 0.55 + light * tint * 0.9) * shade;
      pixel[channel as 0] = dark + (WARM[channel] ?? 0) * (shine * 0.75 + halo * 0.5);
    });
  });
}

const CHANNELS = [0, 1, 2] as const;
const PAPER: Tint = [250, 246, 236];
const INK: Tint = [38, 36, 48];
const CREAM: Tint = [252, 240, 220];
const NIGHT: Tint = [70, 110, 230];
const WARM: Tint = [255, 205, 130];
const DARKS: Readonly<Record<string, Tint>> = {
  blue: [24, 42, 120],
  red: [130, 22, 40],
  green: [12, 78, 62],
  purple: [78, 26, 110],
  teal: [0, 82, 98],
  orange: [150, 62, 10],
};

type Pixel = [red: number, green: number, blue: number];

function mix(pixel: Pixel, from: Tint, to: Tint, share: number): void {
  for (const channel of CHANNELS) pixel[channel] = from[channel] + (to[channel] - from[channel]) * share;
}

function lightOf([red, green, blue]: Pixel): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

function colourAt({ data }: Picture, at: number): Pixel {
  return [data[at * 3] ?? 0, data[at * 3 + 1] ?? 0, data[at * 3 + 2] ?? 0];
}

/** A new picture; `change` gets one pixel after the other and where it stands. */
function eachPixel(picture: Picture, change: (at: number, pixel: Pixel) => void): Picture {
  const { data: from, width, height } = picture;
  const data = new Uint8ClampedArray(from.length);
  const pixel: Pixel = [0, 0, 0];
  for (let at = 0; at < width * height; at++) {
    for (const channel of CHANNELS) pixel[channel] = from[at * 3 + channel] ?? 0;
    change(at, pixel);
    data.set(pixel, at * 3);
  }
  return { data: new Uint8Array(data.buffer), width, height };
}

async function pixelsOf(drawn: ReturnType<typeof openPicture>): Promise<Picture> {
  const { data, info } = await drawn
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
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

/** -1 to 1, the same for the same seed. */
function createGrain(seed: string): () => number {
  let state = Math.floor(createRandom(seed).next() * 4_294_967_295) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state & 1023) / 511.5 - 1;
  };
}
