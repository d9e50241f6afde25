// MP4 clips (H.264): the scene engine drawn frame by frame.
import h264, { type H264MP4Encoder } from "h264-mp4-encoder";
import sharp from "sharp";
import { clearMp4Times } from "../mp4.ts";
import { type Maker, numberParam, type Params, takeComposition, takeSeed, UnusableParam } from "./maker.ts";
import { createScene, type Composition } from "./scene/scene.ts";
import type { Motion } from "./scene/stage.ts";

type Camera = {
  likes: readonly [Composition, ...Composition[]];
  at: (seconds: number, durationSeconds: number) => Motion;
};

const DRIFT_PER_SECOND = 0.055;
const SECONDS_PER_TURN = 6;

/** Rides to the right for as long as the clip lasts. */
export const RIDE: Camera = {
  likes: ["landscape", "landscape", "skyline"],
  at: (seconds) => ({ drift: seconds * DRIFT_PER_SECOND, turn: seconds / SECONDS_PER_TURN }),
};

/** Stands still while everything moves through exactly one turn, so that the end meets the beginning. */
export const LOOP: Camera = {
  likes: ["ribbons", "geometric", "constellation"],
  at: (seconds, durationSeconds) => ({ drift: 0, turn: seconds / durationSeconds }),
};

/** 10 is sharpest and 51 coarsest; here edges stay clean at about 100 kB a second. */
const QUANTIZATION = 24;
/** Share of the work that is done when the last frame is in; the rest is writing the file. */
const FRAMES_SHARE = 0.97;

export function createVideoMaker({ likes, at }: Camera): Maker {
  return async ({ prompt, params, onProgress, checkpoint }) => {
    const width = evenParam(params, "width", 480);
    const height = evenParam(params, "height", 270);
    const fps = numberParam(params, "fps", 12, 1, 30);
    const frames = Math.max(2, Math.round(numberParam(params, "duration_seconds", 4, 0.1, 20) * fps));
    const scene = createScene({
      prompt,
      width,
      height,
      composition: takeComposition(params),
      likes,
      variation: takeSeed(params),
    });

    let poster: Uint8Array | undefined;
    const encoder = await h264.createH264MP4Encoder();
    try {
      Object.assign(encoder, {
        width,
        height,
        frameRate: fps,
        quantizationParameter: QUANTIZATION,
        speed: 8,
        groupOfPictures: fps * 2,
      });
      encoder.initialize();
      for (let frame = 0; frame < frames; frame++) {
        const svg = scene(at(frame / fps, frames / fps));
        const drawn = sharp(Buffer.from(svg));
        encoder.addFrameRgba(await drawn.clone().ensureAlpha().raw().toBuffer());
        poster ??= await drawn.webp().toBuffer();
        onProgress(((frame + 1) / frames) * FRAMES_SHARE);
        checkpoint();
      }
    } catch (error) {
      closeEncoder(encoder);
      throw error;
    }
    const bytes = closeEncoder(encoder);
    clearMp4Times(bytes);
    const durationSeconds = frames / fps;
    return [{ bytes, mimeType: "video/mp4", width, height, durationSeconds, ...(poster && { poster }) }];
  };
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
  const value = numberParam(params, name, fallback, 16, 640);
  if (value % 2 !== 0) throw new UnusableParam(`${name} must be an even number.`);
  return value;
}
