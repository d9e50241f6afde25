// MP4 clips (H.264): the scene engine drawn frame by frame.
import sharp from "sharp";
import { clipOf, encodeClip } from "./clip.ts";
import { type Maker, takeComposition, takeSeed } from "./maker.ts";
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

const MAX_SIDE = 640;

export function createVideoMaker({ likes, at }: Camera): Maker {
  return async ({ prompt, params, ...making }) => {
    const clip = clipOf(params, { width: 480, height: 270, maxSide: MAX_SIDE });
    const { width, height, fps, frames } = clip;
    const scene = createScene({
      prompt,
      width,
      height,
      composition: takeComposition(params),
      likes,
      variation: takeSeed(params),
    });
    const draw = (frame: number) =>
      sharp(Buffer.from(scene(at(frame / fps, frames / fps))))
        .ensureAlpha()
        .raw()
        .toBuffer();
    return [await encodeClip(clip, draw, making)];
  };
}
