// MP4 clips (H.264) with their first frame as poster: the scene of a prompt in motion, or any frames.
import h264, { type H264MP4Encoder } from "h264-mp4-encoder";
import sharp from "sharp";
import { clearMp4Times } from "../mp4.ts";
import type { ProviderOutput } from "../provider.ts";
import { drawFrames, type FrameView } from "./frames.ts";
import { type Maker, type Making, numberParam, type Params, pictureOf, Refused, takeSeed } from "./maker.ts";
import { PICTURES } from "./pictures.ts";
import { drawSketch } from "./sketch/scene.ts";

/** 10 is sharpest and 51 coarsest; here edges stay clean at about 100 kB a second. */
const QUANTIZATION = 24;
/** Share of the work that is done when the last frame is in; the rest is writing the file. */
const FRAMES_SHARE = 0.97;

/** Even numbers up to what is said, and at least two frames. */
export function clipOf(params: Params) {
  const fps = numberParam(params, "fps", 12, 1, 30);
  const seconds = numberParam(params, "duration_seconds", 4, 0.1, 20);
  return {
    width: evenParam(params, "width", 1280),
    height: evenParam(params, "height", 720),
    fps,
    frames: Math.max(2, Math.round(seconds * fps)),
  };
}

export type Clip = ReturnType<typeof clipOf>;

/** `draw` gives the pixels of a frame, four bytes each. The same frames give the same bytes. */
export async function encodeClip(
  { width, height, fps, frames }: Clip,
  draw: (frame: number) => Promise<Uint8Array> | Uint8Array,
  { onProgress, checkpoint }: Pick<Making, "onProgress" | "checkpoint">,
): Promise<ProviderOutput> {
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

/**
 * `room` is how much wider than the clip its scene is; to `at` it is said in pixels, with a moment that runs from 0 to 1 over the clip. This
 * camera rides to the right for as long as the clip lasts, and everything moves through a turn in four seconds.
 */
export const RIDE = {
  room: 0.22,
  at: (moment: number, seconds: number, room: number): FrameView => ({
    turn: seconds / 4,
    pan: moment * room,
  }),
};

/** Looks to the right and back while everything moves through exactly one turn, so that the end meets the beginning. */
export const LOOP: typeof RIDE = {
  room: 0.08,
  at: (moment, _seconds, room) => ({ turn: moment, pan: (room * (1 - Math.cos(2 * Math.PI * moment))) / 2 }),
};

export function createVideoMaker({ room, at }: typeof RIDE): Maker {
  return async ({ prompt, params, ...making }) => {
    const clip = clipOf(params);
    const { width, height, fps, frames } = clip;
    const beside = Math.round(width * room);
    const draw = PICTURES.get(pictureOf("motion", params)) ?? drawSketch;
    const scene = draw({ prompt, width: width + beside, height, variation: takeSeed(params) });
    const frameAt = await drawFrames(scene, width, making.checkpoint);
    const made = await encodeClip(clip, (n) => frameAt(at(n / frames, n / fps, beside)), making);
    return [{ ...made, understood: scene.understood }];
  };
}
