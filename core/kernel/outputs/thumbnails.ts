// Small pictures of a job's outputs, for lists and pages. They are made once, before the job is finalized, in the image library's own
// threads.
import type { Sharp } from "sharp";
import type { ProviderOutput } from "../../adapters/providers/provider.ts";
import type { App } from "../app.ts";

export type Thumbnail = { readonly bytes: Uint8Array; readonly width: number; readonly height: number };

const WIDTHS = [320, 640] as const;
/** A very tall picture is made narrower instead. */
const MAX_HEIGHT_OF_WIDTH = 4;
const QUALITY = 78;
/** No file of a picture is smaller. */
const MIN_BYTES = 32;
const MAX_PIXELS = 64 * 1024 * 1024;
/** The time limit for one picture. */
const MAX_SECONDS = 20;
/** The time limit for all pictures of a job; those that have not begun by then are left out. */
const MAX_JOB_MS = 60_000;

/**
 * Returns the thumbnails of each output's picture, none larger than the picture; none for outputs without a picture, and for a video whose
 * provider gave no poster. They are made one after the other, so that a job takes one thread at a time. A picture that cannot be opened
 * gets none: this never throws.
 */
export async function makeThumbnails(
  app: Pick<App, "log">,
  outputs: readonly ProviderOutput[],
): Promise<ReadonlyMap<ProviderOutput, readonly Thumbnail[]>> {
  const made = new Map<ProviderOutput, readonly Thumbnail[]>();
  const endsAtMs = performance.now() + MAX_JOB_MS;
  for (const output of outputs) {
    const picture = pictureOf(output);
    if (!picture || performance.now() > endsAtMs) continue;
    try {
      made.set(output, await shrink(picture));
    } catch (error) {
      app.log.warn({ err: error, mimeType: output.mimeType }, "no thumbnails could be made of a file");
    }
  }
  return made;
}

/** Whether any of them has a picture, so that jobs without pictures cost nothing. */
export function anyPicture(outputs: readonly ProviderOutput[]): boolean {
  return outputs.some((output) => pictureOf(output) !== undefined);
}

function pictureOf({ mimeType, bytes, poster }: ProviderOutput): Uint8Array | undefined {
  const picture = mimeType.startsWith("image/") ? bytes : poster;
  return picture && picture.length >= MIN_BYTES ? picture : undefined;
}

async function shrink(picture: Uint8Array): Promise<Thumbnail[]> {
  const { default: sharp } = await import("sharp");
  const [narrow, wide] = WIDTHS;
  // The picture is decoded once; the smaller thumbnail is made from the larger.
  const { data, info } = await fit(
    sharp(picture, { failOn: "error", limitInputPixels: MAX_PIXELS }).autoOrient(),
    wide,
  )
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const open = () => sharp(data, { raw: { width, height, channels } });
  const sizes = width > narrow ? [fit(open(), narrow), open()] : [open()];
  const made: Thumbnail[] = [];
  for (const size of sizes) {
    const webp = await size.webp({ quality: QUALITY }).toBuffer({ resolveWithObject: true });
    made.push({ bytes: webp.data, width: webp.info.width, height: webp.info.height });
  }
  return made;
}

function fit(picture: Sharp, width: number): Sharp {
  const height = width * MAX_HEIGHT_OF_WIDTH;
  return picture
    .resize({ width, height, fit: "inside", withoutEnlargement: true })
    .timeout({ seconds: MAX_SECONDS });
}
