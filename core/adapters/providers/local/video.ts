// MP4 clips (H.264): the scene of a prompt in motion.
import { clipOf, encodeClip } from "./clip.ts";
import { drawFrames, type FrameView } from "./frames.ts";
import { type Maker, type Params, takeSeed } from "./maker.ts";
import type { Draw } from "./art/stage.ts";
import { drawGradient } from "./gradient/gradient.ts";
import { drawLandscape } from "./landscape/landscape.ts";
import { drawPattern } from "./pattern/pattern.ts";
import { drawSketch } from "./sketch/scene.ts";

/** By the param `picture`; models of earlier releases have no such param. */
const DRAWN_BY: Readonly<Record<string, Draw>> = {
  landscape: drawLandscape,
  gradient: drawGradient,
  pattern: drawPattern,
};

type Camera = {
  /** How much wider than the clip its scene is. */
  readonly room: number;
  /** `moment` runs from 0 to 1 over the clip, `room` is in pixels. */
  readonly at: (moment: number, seconds: number, room: number) => FrameView;
};

const SECONDS_PER_TURN = 4;

/** Rides to the right for as long as the clip lasts. */
export const RIDE: Camera = {
  room: 0.22,
  at: (moment, seconds, room) => ({ turn: seconds / SECONDS_PER_TURN, pan: moment * room }),
};

/** Looks to the right and back while everything moves through exactly one turn, so that the end meets the beginning. */
export const LOOP: Camera = {
  room: 0.08,
  at: (moment, _seconds, room) => ({ turn: moment, pan: (room * (1 - Math.cos(2 * Math.PI * moment))) / 2 }),
};

function drawnBy(params: Params): Draw {
  return DRAWN_BY[String(params["picture"])] ?? drawSketch;
}

export function createVideoMaker({ room, at }: Camera): Maker {
  return async ({ prompt, params, ...making }) => {
    const clip = clipOf(params);
    const { width, height, fps, frames } = clip;
    const beside = Math.round(width * room);
    const variation = takeSeed(params);
    const scene = drawnBy(params)({ prompt, width: width + beside, height, variation });
    const draw = await drawFrames(scene, width, making.checkpoint);
    const made = await encodeClip(clip, (frame) => draw(at(frame / frames, frame / fps, beside)), making);
    return [{ ...made, understood: scene.understood }];
  };
}
