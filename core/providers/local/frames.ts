// The frames of a clip: every sprite of a scene drawn once, then laid over each other anew for each frame, where it is by then.
import sharp from "sharp";
import type { Scene } from "./scene/scene.ts";
import type { Sprite } from "./scene/stage.ts";
import { type Box, svgDocument } from "./scene/svg.ts";

/** What is seen of the scene at a moment: where the camera has moved to, in pixels to the right. */
export type View = { readonly turn: number; readonly pan: number };

type Drawn = Box & { readonly pixels: Uint8Array };

export type Frames = (view: View) => Uint8Array;

/** `width` is that of the clip; the scene may be wider, for the camera to move over. Calls `checkpoint` between drawings. */
export async function drawFrames(scene: Scene, width: number, checkpoint: () => void): Promise<Frames> {
  const { height } = scene;
  const drawn: (Drawn & { readonly sprite: Sprite })[] = [];
  for (const sprite of scene.sprites) {
    checkpoint();
    const box = cut(sprite, scene);
    if (box.width <= 0 || box.height <= 0) continue;
    const pixels = await sharp(Buffer.from(svgDocument(box, sprite.svg)))
      .ensureAlpha()
      .raw()
      .toBuffer();
    drawn.push({ sprite, pixels, ...box });
  }
  const frame = new Uint8Array(width * height * 4).fill(255);
  return ({ turn, pan }) => {
    for (const { sprite, ...picture } of drawn) {
      const { dx, dy, alpha = 1 } = sprite.move?.(turn) ?? { dx: 0, dy: 0 };
      lay(frame, width, height, picture, Math.round(dx - pan * sprite.depth), Math.round(dy), alpha);
    }
    return frame;
  };
}

/** Whole pixels, and of what lies beside the stage only what its movement can bring in. */
function cut({ box, move }: Sprite, { width, height }: Scene): Box {
  const above = move ? height : 0;
  const left = Math.round(Math.max(-width * 0.1, box.x));
  const right = Math.round(Math.min(width * 1.1, box.x + box.width));
  const top = Math.round(Math.max(-above, box.y));
  const bottom = Math.round(Math.min(height + above, box.y + box.height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function lay(
  frame: Uint8Array,
  width: number,
  height: number,
  picture: Drawn,
  dx: number,
  dy: number,
  alpha: number,
): void {
  const { pixels } = picture;
  const [left, top] = [picture.x + dx, picture.y + dy];
  const strength = Math.round(Math.max(0, Math.min(1, alpha)) * 256);
  const [fromX, toX] = [Math.max(0, left), Math.min(width, left + picture.width)];
  const [whole, own] = [new Uint32Array(frame.buffer), new Uint32Array(pixels.buffer, pixels.byteOffset)];
  for (let y = Math.max(0, top); y < Math.min(height, top + picture.height); y++) {
    let from = (y - top) * picture.width + fromX - left;
    let to = y * width + fromX;
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
