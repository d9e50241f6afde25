// A given picture in another style. The style is a param, or read from the prompt; how much of it, a strength.
import sharp, { type Matrix3x3, type OverlayOptions, type Sharp } from "sharp";
import { channels, type Color, colorsOf, lightness, mix } from "./art/palette.ts";
import { createRandom } from "./art/random.ts";
import { type Maker, numberParam, takeSeed } from "./maker.ts";
import { openPicture, type Picture, pixelsOf, readPicture } from "./source-picture.ts";

const MAX_SIDE = 1536;
const DARKS = ["#182a78", "#821628", "#0c4e3e", "#4e1a6e", "#005262", "#963e0a"];
/** How much each channel adds to the light of a pixel. */
const LUMA = [0.299, 0.587, 0.114];
/** A tile of the lines by which a pen draws shadows. */
const HATCH = `<svg><path fill="#fff" d="M0 0H7V7H0Z"/><path stroke="#737373" d="M-1 1L1-1M0 7L7 0M6 8L8 6"/></svg>`;

/** A tile of white grain. */
const PAPER = `<svg><filter id="a"><feTurbulence type="fractalNoise" baseFrequency=".6"/><feColorMatrix values="0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1.1 0 0 0 -.42"/></filter><path d="M0 0H256V256H0Z" filter="url(#a)"/></svg>`;

/** `unit` is a small part of its shorter side, and `dark` the darker one of two tones. */
type Style = (picture: Picture, how: { unit: number; dark: Color }) => Promise<Sharp>;

/** Each with the words of a prompt that ask for it. */
const STYLES: Readonly<Record<string, { readonly words: RegExp; readonly style: Style }>> = {
  watercolour: { words: /water\s?colou?r|aquarel|paint|brush|soft/i, style: watercolour },
  poster: { words: /poster|flat|pop|comic|cartoon|bold|screen.?print/i, style: poster },
  line: { words: /\bline|sketch|draw|pencil|ink|outline|pen\b/i, style: line },
  duotone: { words: /duotone|two.colou?r|monochrom|riso/i, style: duotone },
  night: { words: /night|dark|midnight|moon|dusk|evening/i, style: night },
};

export const restyle: Maker = async (making) => {
  const { prompt, params, onProgress } = making;
  const side = numberParam(params, "max_side", MAX_SIDE, 16, 2048);
  const strength = numberParam(params, "strength", 0.85, 0, 1);
  const source = await readPicture(making, { width: side, height: side, fit: "inside" });
  const { width, height } = source;
  onProgress(0.2);
  const random = createRandom(`${prompt}/${takeSeed(params)}`);
  const { words, colors } = colorsOf(prompt, random);
  const [named = ""] = words.length > 0 ? colors : [random.pick(DARKS)];
  const dark = mix(named, "#10122c", lightness(named));
  const said = Object.values(STYLES).find(({ words }) => words.test(prompt));
  const { style } = STYLES[String(params["style"])] ?? said ?? { style: watercolour };
  const unit = Math.max(3, Math.round(Math.min(width, height) / 140) | 1);
  const painted = await pixelsOf(await style(source, { unit, dark }));
  const input = await openPicture(painted).ensureAlpha(strength).raw().toBuffer();
  const layer = { input, raw: { width, height, channels: 4 } } as const;
  const whole = openPicture(source).composite([layer]).removeAlpha();
  return [
    { bytes: await whole.png({ compressionLevel: 6 }).toBuffer(), mimeType: "image/png", width, height },
  ];
};

/** Colours run into each other and gather at edges, on rough paper. */
async function watercolour(picture: Picture, { unit }: { unit: number }): Promise<Sharp> {
  const washed = medianOf(picture, unit).modulate({ saturation: 1.3 });
  const wash = await pixelsOf(washed.linear(0.86, 36));
  return openPicture(wash).composite([tileOf(PAPER, 256, wash), await contoursOf(wash, 1.2, 0.6)]);
}

/** Few flat colours with a dark contour. */
async function poster(picture: Picture): Promise<Sharp> {
  const smooth = await pixelsOf(medianOf(picture, 5).modulate({ saturation: 1.5 }));
  const flat = await openPicture(smooth).png({ colours: 14, dither: 0 }).toBuffer();
  return sharp(flat).composite([await contoursOf(smooth, 1, 1)]);
}

/** Dark ink on warm paper: what differs from its surroundings, and hatching in the shadows. */
async function line(picture: Picture): Promise<Sharp> {
  const shadows = await pixelsOf(openPicture(picture).threshold(90));
  const hatched = openPicture(shadows).composite([{ ...tileOf(HATCH, 7, shadows), blend: "lighten" }]);
  const lines = openPicture(await pixelsOf(hatched)).composite([await contoursOf(picture, 0.8, 1)]);
  return inTones(await pixelsOf(lines), "#262430", "#faf6ec");
}

/** From the dark of one colour to the light of another. */
async function duotone(picture: Picture, { dark }: { dark: Color }): Promise<Sharp> {
  return inTones(await pixelsOf(openPicture(picture).normalise()), dark, "#fcf0dc");
}

/** Blue and dark, but for what shines, which glows. */
async function night(picture: Picture, { unit }: { unit: number }): Promise<Sharp> {
  const moonlit = channels("#466ee6").map((blue, i) =>
    LUMA.map((part, j) => (i === j ? 0.23 : 0) + part * (blue / 255) * 0.38),
  );
  const shining = await pixelsOf(
    openPicture(picture).modulate({ saturation: 0 }).blur(unit).linear(5, -1040),
  );
  const glow = inTones(shining, "#000000", "#ffcd82");
  const raw = { width: picture.width, height: picture.height, channels: 3 } as const;
  return openPicture(picture)
    .recomb(moonlit as Matrix3x3)
    .composite([{ input: await glow.raw().toBuffer(), raw, blend: "screen" }]);
}

/** Of squares, which may not be larger than the picture. */
function medianOf(picture: Picture, side: number): Sharp {
  return openPicture(picture).median(Math.min(side, picture.width, picture.height));
}

/** All over a picture, which may be smaller than a tile. */
function tileOf(drawing: string, side: number, { width, height }: Picture): OverlayOptions {
  const size = `<svg width="${Math.min(side, width)}" height="${Math.min(side, height)}"`;
  return { input: Buffer.from(drawing.replace("<svg", size)), tile: true };
}

/** One colour for black, another for white, and what lies between them. */
function inTones(picture: Picture, black: Color, white: Color): Sharp {
  const from = channels(black);
  const rows = channels(white).map((to, i) => LUMA.map((part) => (part * (to - (from[i] ?? 0))) / 255));
  return openPicture(picture)
    .recomb(rows as Matrix3x3)
    .linear([1, 1, 1], from);
}

/** Darkens each pixel as far as it is darker than what surrounds it. */
async function contoursOf(picture: Picture, sigma: number, strength: number): Promise<OverlayOptions> {
  const blurred = (reach: number) => openPicture(picture).greyscale().blur(reach).raw().toBuffer();
  const [near, far] = await Promise.all([blurred(sigma), blurred(sigma * 2.75)]);
  const shadeOf = (light: number, at: number): number => 255 - ((far[at] ?? 255) - light) * 18 * strength;
  const { width, height } = picture;
  const input = Buffer.from(Uint8ClampedArray.from(near, shadeOf).buffer);
  return { input, raw: { width, height, channels: 1 }, blend: "multiply" };
}
