// MP4 clips (H.264): the scene of a prompt in motion. Every sprite is drawn once, then laid over the others for each frame, where it is by then.
import sharp from "sharp";
import { clipOf, encodeClip } from "./clip.ts";
import { fullBox, type Scene, type Sprite } from "./art/stage.ts";
import { type SceneBox, svgDocument } from "./art/svg.ts";
import { type Maker, pictureOf, takeSeed } from "./maker.ts";
import { drawSketch } from "./sketch/scene.ts";
import { PICTURES } from "./pictures.ts";

/** What is seen of the scene at a moment: where the camera has moved to, in pixels to the right. */
type FrameView = { readonly turn: number; readonly pan: number };

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

type Drawn = SceneBox & { readonly pixels: Uint8Array };

/** `width` is that of the clip; the scene may be wider, for the camera to move over. Calls `checkpoint` between drawings. */
export async function drawFrames(scene: Scene, width: number, checkpoint: () => void) {
  const { height } = scene;
  const drawn: (Drawn & { readonly sprite: Sprite })[] = [];
  for (const sprite of scene.paint()) {
    checkpoint();
    drawn.push({ sprite, ...(await drawOnce(sprite, scene)) });
  }
  const frame = { x: 0, y: 0, width, height, pixels: new Uint8Array(width * height * 4).fill(255) };
  return ({ turn, pan }: FrameView): Uint8Array => {
    for (const { sprite, ...picture } of drawn) {
      const { dx = 0, dy = 0, alpha = 1 } = sprite.move?.(turn) ?? {};
      const x = picture.x + Math.round(dx - pan * sprite.depth);
      lay(frame, { ...picture, x, y: picture.y + Math.round(dy) }, alpha);
    }
    return frame.pixels;
  };
}

/** No more of the sprite than is drawn, and of what lies beside the stage only what its movement can bring in. */
async function drawOnce({ svg, box }: Sprite, scene: Scene): Promise<Drawn> {
  const stage = fullBox(scene, 0, scene.height, 0.1);
  const whole = box ?? stage;
  const [x, y] = [Math.round(Math.max(stage.x, whole.x)), Math.round(whole.y)];
  const across = Math.round(Math.min(stage.x + stage.width, whole.x + whole.width)) - x;
  const part = { x, y, width: Math.max(1, across), height: Math.max(1, Math.round(whole.height)) };
  const drawn = sharp(Buffer.from(svgDocument(part, svg))).ensureAlpha();
  // What has a box fills it.
  const cut = box ? drawn : drawn.trim({ background: "#0000", threshold: 0 });
  const { data, info } = await cut.raw().toBuffer({ resolveWithObject: true });
  const { width, height, trimOffsetLeft = 0, trimOffsetTop = 0 } = info;
  return { x: x - trimOffsetLeft, y: y - trimOffsetTop, width, height, pixels: data };
}

function lay(under: Drawn, over: Drawn, alpha: number): void {
  const strength = Math.round(Math.max(0, Math.min(1, alpha)) * 256);
  const [fromX, toX] = [Math.max(0, over.x), Math.min(under.width, over.x + over.width)];
  const [fromY, toY] = [Math.max(0, over.y), Math.min(under.height, over.y + over.height)];
  const whole = new Uint32Array(under.pixels.buffer);
  const own = new Uint32Array(over.pixels.buffer, over.pixels.byteOffset);
  for (let y = fromY; y < toY; y++) {
    let from = (y - over.y) * over.width + fromX - over.x;
    let to = y * under.width + fromX;
    for (let x = fromX; x < toX; x++, from++, to++) {
      const pixel = own[from] ?? 0;
      const cover = ((pixel >>> 24) * strength) >> 8;
      // Most of a sprite is nothing or all of it.
      if (cover === 255) whole[to] = pixel;
      else if (cover > 0) whole[to] = mixed(whole[to] ?? 0, pixel, cover);
    }
  }
}

/** Two of the three channels at a time: they stand far enough apart in the number. */
function mixed(under: number, over: number, cover: number): number {
  const part = cover + (cover >> 7);
  const odd = ((under & 0xff00ff) * (256 - part) + (over & 0xff00ff) * part) >>> 8;
  const even = (((under >>> 8) & 0xff) * (256 - part) + ((over >>> 8) & 0xff) * part) & 0xff00;
  return (0xff000000 | (odd & 0xff00ff) | even) >>> 0;
}
