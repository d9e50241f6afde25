// The picture that a maker is given, as pixels: upright, in sRGB, what one sees through on white, no larger than said.
import sharp, { type Sharp } from "sharp";
import { type Making, Refused } from "./maker.ts";

/** Three bytes each, row by row. */
export type Picture = { readonly data: Uint8Array; readonly width: number; readonly height: number };

const MAX_PIXELS = 64 * 1024 * 1024;

/** `inside` enlarges nothing; `outside` fills the sides, whatever of it stands over. */
export async function readPicture(
  { inputs }: Pick<Making, "inputs">,
  { width, height, fit }: { width: number; height: number; fit: "inside" | "outside" },
): Promise<Picture> {
  const bytes = inputs?.get("image");
  if (!bytes) throw new Refused("image must name a file.");
  const upright = sharp(bytes, { failOn: "error", limitInputPixels: MAX_PIXELS }).autoOrient();
  const scaled = upright.resize(width, height, { fit, withoutEnlargement: fit === "inside" });
  return pixelsOf(scaled.flatten({ background: "#ffffff" })).catch(() => {
    throw new Refused("image must be a picture that can be opened.");
  });
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
