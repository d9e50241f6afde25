// MP4 clips (H.264): the scene of a prompt in motion.
import { clipOf, encodeClip } from "./clip.ts";
import { drawFrames, type FrameView } from "./frames.ts";
import { type Maker, pictureOf, takeSeed } from "./maker.ts";
import { PICTURES } from "./pictures.ts";
import { drawSketch } from "./sketch/scene.ts";

const SECONDS_PER_TURN = 4;

/**
 * `room` is how much wider than the clip its scene is; to `at` it is said in pixels, with a moment that runs from 0 to 1 over the clip. This
 * camera rides to the right for as long as the clip lasts.
 */
export const RIDE = {
  room: 0.22,
  at: (moment: number, seconds: number, room: number): FrameView => ({
    turn: seconds / SECONDS_PER_TURN,
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
