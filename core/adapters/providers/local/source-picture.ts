// The picture that a maker is given, as pixels: upright, in sRGB, what one sees through on white, no larger than said.
import sharp, { type Sharp } from "sharp";
import { type Making, Refused } from "./maker.ts";

/** Three bytes each, row by row. */
export type Picture = { readonly data: Uint8Array; readonly width: number; readonly height: number };

const MAX_PIXELS = 64 * 1024 * 1024;
/** More of a line of single pixels, enlarged to fill a frame, would fill the memory of the machine. */
const MAX_FRAMES = 8;

type Size = { readonly width: number; readonly height: number };

/** `inside` enlarges nothing; `outside` fills the sides with the middle of the picture, up to 8 times as long as them. */
export async function readPicture(
  { inputs }: Pick<Making, "inputs">,
  { fit, ...frame }: Size & { fit: "inside" | "outside" },
): Promise<Picture> {
  const bytes = inputs?.get("image");
  if (!bytes) throw new Refused("image must name a file.");
  const upright = sharp(bytes, { failOn: "error", limitInputPixels: MAX_PIXELS }).autoOrient();
  try {
    const { autoOrient: whole } = await upright.metadata();
    const cut = fit === "inside" ? upright : upright.extract(middleOf(whole, frame));
    const scaled = cut.resize({ ...frame, fit, withoutEnlargement: fit === "inside" });
    return await pixelsOf(scaled.flatten({ background: "#ffffff" }));
  } catch {
    throw new Refused("image must be a picture that can be opened.");
  }
}

function middleOf(whole: Size, frame: Size) {
  const longest = (across: number, form: number) => Math.ceil(across * form * MAX_FRAMES);
  const width = Math.min(whole.width, longest(whole.height, frame.width / frame.height));
  const height = Math.min(whole.height, longest(whole.width, frame.height / frame.width));
  return { left: (whole.width - width) >> 1, top: (whole.height - height) >> 1, width, height };
}

export async function pixelsOf(drawn: Sharp): Promise<Picture> {
  const { data, info } = await drawn
    .toColourspace("srgb")
    .removeAlpha()
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

export function openPicture({ data, width, height }: Picture): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}
