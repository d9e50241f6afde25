// Frames into an MP4 clip (H.264), with the first of them as its poster.
import h264, { type H264MP4Encoder } from "h264-mp4-encoder";
import sharp from "sharp";
import { clearMp4Times } from "../mp4.ts";
import { type Making, numberParam, type Params, type Piece, Refused } from "./maker.ts";

/** 10 is sharpest and 51 coarsest; here edges stay clean at about 100 kB a second. */
const QUANTIZATION = 24;
/** Share of the work that is done when the last frame is in; the rest is writing the file. */
const FRAMES_SHARE = 0.97;

export type Clip = {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly frames: number;
};

/** Even numbers up to what is said, and at least two frames. */
export function clipOf(params: Params): Clip {
  const fps = numberParam(params, "fps", 12, 1, 30);
  const seconds = numberParam(params, "duration_seconds", 4, 0.1, 20);
  return {
    width: evenParam(params, "width", 1280),
    height: evenParam(params, "height", 720),
    fps,
    frames: Math.max(2, Math.round(seconds * fps)),
  };
}

/** `draw` gives the pixels of a frame, four bytes each. The same frames give the same bytes. */
export async function encodeClip(
  { width, height, fps, frames }: Clip,
  draw: (frame: number) => Promise<Uint8Array> | Uint8Array,
  { onProgress, checkpoint }: Pick<Making, "onProgress" | "checkpoint">,
): Promise<Piece> {
  let poster: Uint8Array | undefined;
  let bytes: Uint8Array;
  const encoder = await h264.createH264MP4Encoder();
  try {
    const rate = { frameRate: fps, groupOfPictures: fps * 2, quantizationParameter: QUANTIZATION, speed: 10 };
    Object.assign(encoder, { width, height, ...rate });
    encoder.initialize();
    for (let frame = 0; frame < frames; frame++) {
      const pixels = await draw(frame);
      encoder.addFrameRgba(pixels);
      const raw = { width, height, channels: 4 } as const;
      poster ??= await sharp(pixels, { raw }).removeAlpha().webp().toBuffer();
      onProgress(((frame + 1) / frames) * FRAMES_SHARE);
      checkpoint();
    }
  } finally {
    bytes = closeEncoder(encoder);
  }
  clearMp4Times(bytes);
  const durationSeconds = frames / fps;
  return { bytes, mimeType: "video/mp4", width, height, durationSeconds, ...(poster && { poster }) };
}

/** The file as far as it got. An encoder that is deleted before it was finalized takes the whole of its memory down with it. */
function closeEncoder(encoder: H264MP4Encoder): Uint8Array {
  encoder.finalize();
  const bytes = encoder.FS.readFile(encoder.outputFilename);
  // All encoders of a thread share one file system in memory.
  encoder.FS.unlink(encoder.outputFilename);
  encoder.delete();
  return bytes;
}

/** The colour of H.264 is kept for squares of two by two pixels. */
function evenParam(params: Params, name: string, fallback: number): number {
  const value = numberParam(params, name, fallback, 16, 1280);
  if (value % 2 !== 0) throw new Refused(`${name} must be an even number.`);
  return value;
}
