// A given picture in another style. The style is a param, or read from the prompt; how much of it, a strength.
import { channels, colorsOf, lightness, mix } from "./art/palette.ts";
import { createRandom, type Random } from "./art/random.ts";
import { type Maker, numberParam, type Params, takeSeed } from "./maker.ts";
import { openPicture, type Picture, pixelsOf, readPicture } from "./source-picture.ts";

const MAX_SIDE = 1536;
const CHANNELS = [0, 1, 2];
const DARKS = ["#182a78", "#821628", "#0c4e3e", "#4e1a6e", "#005262", "#963e0a"];

type Colour = number[];
/** Changes one pixel after the other, each from what it is in a picture. */
type Brush = {
  readonly on: Picture;
  readonly paint: (pixel: Colour, at: number, x: number, y: number) => void;
};
type Style = (picture: Picture, how: { random: Random; prompt: string }) => Promise<Brush>;

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
  const random = createRandom(`${prompt}/${takeSeed(params)}`);
  const brush = await styleOf(params, prompt)(source, { random, prompt });
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
  for (let y = 0, at = 0; y < source.height; y++)
    for (let x = 0; x < source.width; x++, at++) {
      for (const channel of CHANNELS) pixel[channel] = on.data[at * 3 + channel] ?? 0;
      paint(pixel, at, x, y);
      for (const channel of CHANNELS) {
        const own = source.data[at * 3 + channel] ?? 0;
        data[at * 3 + channel] = own + (Math.max(0, Math.min(255, pixel[channel] ?? 0)) - own) * strength;
      }
    }
  return { ...source, data: new Uint8Array(data.buffer) };
}

/** Colours run into each other and gather at edges, on paper with a grain. */
async function watercolour(picture: Picture, { random }: { random: Random }): Promise<Brush> {
  const unit = Math.max(3, Math.round(Math.min(picture.width, picture.height) / 140) | 1);
  const on = await pixelsOf(
    openPicture(picture).median(unit).modulate({ saturation: 1.25, brightness: 1.04 }),
  );
  const edges = await contoursOf(on, 1.2);
  const paint: Brush["paint"] = (pixel, at) => {
    const shade = 1 - 0.5 * (edges[at] ?? 0) + random.between(-0.05, 0.05);
    // Steps in the wash, softened: half of each colour is of its step.
    const soft = (value: number): number => (value + Math.round(value / 36) * 36) / 2;
    change(pixel, (value) => (255 - (255 - soft(value)) * 0.88) * shade);
  };
  return { on, paint };
}

/** Few flat colours with a dark contour. */
async function poster(picture: Picture): Promise<Brush> {
  const on = await pixelsOf(openPicture(picture).median(5).modulate({ saturation: 1.5 }));
  const edges = await contoursOf(on, 1);
  const paint: Brush["paint"] = (pixel, at) => {
    const light = lightOf(pixel) * 4;
    const by = light > 0.06 ? Math.round(light) / light : 1;
    const ink = (edges[at] ?? 0) > 0.7 ? 0.15 : 1;
    change(pixel, (value) => Math.round((value * by) / 16) * 16 * ink);
  };
  return { on, paint };
}

/** Dark ink on warm paper: what differs from its surroundings, and hatching in the shadows. */
async function line(on: Picture): Promise<Brush> {
  const contours = await contoursOf(on, 0.8);
  const paint: Brush["paint"] = (pixel, at, x, y) => {
    const light = lightOf(pixel);
    const isHatched = (light < 0.35 && (x + y) % 7 < 2) || (light < 0.18 && (x - y + 7_000) % 7 < 2);
    tint(pixel, PAPER, INK, Math.max(contours[at] ?? 0, isHatched ? 0.55 : 0));
  };
  return { on, paint };
}

/** From the dark of one colour to the light of another; a colour that the prompt names is used. */
async function duotone(picture: Picture, { random, prompt }: Parameters<Style>[1]): Promise<Brush> {
  const [named] = colorsOf(prompt).colors;
  const dark = channels(named ? mix(named, "#10122c", lightness(named)) : random.pick(DARKS));
  const on = await pixelsOf(openPicture(picture).normalise());
  return { on, paint: (pixel) => tint(pixel, dark, CREAM, lightOf(pixel)) };
}

/** Blue and dark, but for what shines, which glows. */
async function night(on: Picture): Promise<Brush> {
  const { width, height } = on;
  const glow = await blurred(on, Math.max(2, Math.min(width, height) / 60));
  const paint: Brush["paint"] = (pixel, at, x, y) => {
    const light = lightOf(pixel);
    const shine = Math.max(0, (light - 0.72) / 0.28) ** 2;
    const halo = Math.max(0, ((glow[at] ?? 0) / 255 - 0.7) / 0.3) * 0.45;
    const shade = 0.42 * (1 - 0.25 * ((x / width) * 2 - 1) ** 2 - 0.25 * ((y / height) * 2 - 1) ** 2);
    change(pixel, (value, channel) => {
      const dark = (value * 0.55 + light * (NIGHT[channel] ?? 0) * 0.9) * shade;
      return dark + (WARM[channel] ?? 0) * (shine * 0.75 + halo * 0.5);
    });
  };
  return { on, paint };
}

const [PAPER, INK, CREAM] = [channels("#faf6ec"), channels("#262430"), channels("#fcf0dc")];
const [NIGHT, WARM] = [channels("#466ee6"), channels("#ffcd82")];

function change(pixel: Colour, to: (value: number, channel: number) => number): void {
  for (const channel of CHANNELS) pixel[channel] = to(pixel[channel] ?? 0, channel);
}

function tint(pixel: Colour, from: Colour, to: Colour, share: number): void {
  change(pixel, (_, i) => (from[i] ?? 0) + ((to[i] ?? 0) - (from[i] ?? 0)) * share);
}

/** 0 is black, 1 white. */
function lightOf([red = 0, green = 0, blue = 0]: Colour): number {
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

/** Its light, one byte for each pixel. */
function blurred(picture: Picture, sigma: number): Promise<Uint8Array> {
  return openPicture(picture).greyscale().blur(sigma).raw().toBuffer();
}

/** How much darker each pixel is than what surrounds it, 0 to 1. */
async function contoursOf(picture: Picture, sigma: number): Promise<Float32Array> {
  const [near, far] = await Promise.all([blurred(picture, sigma), blurred(picture, sigma * 2.75)]);
  return Float32Array.from(near, (light, at) => Math.max(0, Math.min(1, ((far[at] ?? 255) - light) / 14)));
}
