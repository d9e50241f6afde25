// Pictures are decoded and encoded again, upright, so that only the visible picture remains.
import type { Sharp } from "sharp";
import { createMemoryBudget } from "../../adapters/providers/memory-budget.ts";
import { type CleanedMedia, unsupported } from "./rules.ts";

/** About 7,000 × 7,000 pixels; four bytes each when decoded. */
const MAX_PIXELS = 50_000_000;
/** The maximum size of each format. */
const MAX_SIDE = 16_383;
const BYTES_PER_PIXEL = 4;
/** The memory for decoding at the same time, over all uploads of the process. */
const BUDGET_BYTES = MAX_PIXELS * BYTES_PER_PIXEL;
const DECODE_SECONDS = 20;
const QUALITY = 95;

/** Decodes within the memory budget. */
export type ImageCleaner = (
  bytes: Buffer,
  mimeType: string,
  signal: AbortSignal,
) => Promise<{ bytes: Uint8Array; media: CleanedMedia }>;

type Format = { readonly mimeType: string; readonly write: (image: Sharp) => Sharp };

const PNG: Format = { mimeType: "image/png", write: (image) => image.png() };
const JPEG: Format = {
  mimeType: "image/jpeg",
  write: (image) => image.jpeg({ quality: QUALITY, chromaSubsampling: "4:4:4" }),
};
const WEBP: Format = { mimeType: "image/webp", write: (image) => image.webp({ quality: QUALITY }) };
/** The output format for each input format. Writing AVIF takes too long. */
const FORMATS: Readonly<Record<string, Format>> = {
  "image/png": PNG,
  "image/gif": PNG,
  "image/jpeg": JPEG,
  "image/webp": WEBP,
  "image/avif": WEBP,
};

export function createImageCleaner(): ImageCleaner {
  const room = createMemoryBudget(BUDGET_BYTES);
  return async (bytes, mimeType, signal) => {
    const format = FORMATS[mimeType];
    if (!format) throw new Error(`${mimeType} is no format of pictures that is known here`);
    const pixels = await checkHeader(bytes, mimeType);
    const leave = await room.take(pixels * BYTES_PER_PIXEL, signal);
    try {
      const image = (await open(bytes)).autoOrient().timeout({ seconds: DECODE_SECONDS });
      const { data, info } = await format.write(image).toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      return {
        bytes: data,
        media: { kind: "image", mimeType: format.mimeType, width, height, durationSeconds: null },
      };
    } catch {
      throw unsupported(
        "The picture cannot be opened: it is damaged or breaks off.",
        "Save it again and send it whole.",
      );
    } finally {
      leave();
    }
  };
}

/** Returns the number of pixels before any is decoded. */
async function checkHeader(bytes: Buffer, mimeType: string): Promise<number> {
  const picture = await open(bytes, false);
  const header = await picture.metadata().catch(() => undefined);
  if (!header?.width || !header.height)
    throw unsupported(
      "The picture cannot be opened: it is damaged or breaks off.",
      "Save it again and send it whole.",
    );
  const { width, height, pages = 1 } = header;
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    throw unsupported(
      `The picture has ${width} x ${height} pixels; it may have at most ${MAX_PIXELS / 1_000_000} million, and ${MAX_SIDE} on a side.`,
      "Make it smaller and send it again.",
    );
  if (pages > 1 || isMoving(bytes, mimeType))
    throw unsupported("The picture moves.", "Send one of its frames as a picture, or the whole as a video.");
  return width * height;
}

/** The package is loaded with the first picture, so that startup does not wait for it. */
async function open(bytes: Buffer, bounded = true): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  return sharp(bytes, { failOn: "error", limitInputPixels: bounded && MAX_PIXELS, pages: 1 });
}

/** Animated formats of which decoders silently use the first frame. */
function isMoving(bytes: Buffer, mimeType: string): boolean {
  if (mimeType === "image/png") return hasPngChunk(bytes, "acTL");
  // A sequence stores its tracks in a separate box.
  if (mimeType === "image/avif") return bytes.toString("latin1", 8, 12) === "avis" || hasBox(bytes, "moov");
  return false;
}

function hasPngChunk(bytes: Buffer, name: string): boolean {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString("latin1", at + 4, at + 8) === name) return true;
  return false;
}

function hasBox(bytes: Buffer, name: string): boolean {
  for (let at = 0; at + 8 <= bytes.length;) {
    if (bytes.toString("latin1", at + 4, at + 8) === name) return true;
    const size = bytes.readUInt32BE(at);
    if (size < 8) return false;
    at += size;
  }
  return false;
}
