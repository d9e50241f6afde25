// The pixels of a scene, at rest or moment by moment: every sprite is drawn once, then laid over the others where it is by then.
import sharp from "sharp";
import { fullBox, type Scene, type Sprite } from "./art/stage.ts";
import { type SceneBox, tag } from "./art/svg.ts";

/** What is seen of the scene at a moment: where the camera has moved to, in pixels to the right. */
export type FrameView = { readonly turn: number; readonly pan: number };

type Drawn = SceneBox & { readonly pixels: Uint8Array };

const AT_REST: FrameView = { turn: 0, pan: 0 };
/** A soft sprite is drawn at half its size, which takes a quarter of the time, and enlarged. */
const SOFTNESS = 2;

/** Pixels of four bytes each. Calls `checkpoint` between drawings. */
export async function drawStill(scene: Scene, checkpoint: () => void): Promise<Uint8Array> {
  const box = fullBox(scene);
  const sprites: Sprite[] = [];
  for (const sprite of scene.paint()) {
    const last = sprites.at(-1);
    // Neighbours that need no drawing of their own are one.
    if (sprite.soft) sprites.push(sprite);
    else if (last?.box === box) sprites.splice(-1, 1, { ...last, svg: last.svg + atRest(sprite) });
    else sprites.push({ svg: atRest(sprite), box, depth: 0 });
  }
  const frameAt = await drawFrames({ ...scene, paint: () => sprites }, scene.width, checkpoint);
  return frameAt(AT_REST);
}

function atRest({ svg, move }: Sprite): string {
  const { dx = 0, dy = 0, alpha = 1 } = move?.(0) ?? {};
  return tag("g", { transform: `translate(${dx} ${dy})`, opacity: alpha }, svg);
}

/** `width` is that of a frame; the scene may be wider, for the camera to move over. Calls `checkpoint` between drawings. */
export async function drawFrames(scene: Scene, width: number, checkpoint: () => void) {
  const { height } = scene;
  const frame = { x: 0, y: 0, width, height, pixels: new Uint8Array(width * height * 4).fill(255) };
  const drawn: (Drawn & { readonly sprite: Sprite })[] = [];
  for (const sprite of scene.paint()) {
    checkpoint();
    drawn.push({ sprite, ...(await drawOnce(sprite, scene)) });
  }
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
async function drawOnce({ svg, box, soft }: Sprite, scene: Scene): Promise<Drawn> {
  const stage = fullBox(scene, scene.height * -0.1, scene.height * 1.1, 0.1);
  const whole = box ?? stage;
  const [x, y] = [Math.round(Math.max(stage.x, whole.x)), Math.round(whole.y)];
  const across = Math.round(Math.min(stage.x + stage.width, whole.x + whole.width)) - x;
  const part = { x, y, width: Math.max(1, across), height: Math.max(1, Math.round(whole.height)) };
  const units = soft ? SOFTNESS : 1;
  const size = { width: Math.ceil(part.width / units), height: Math.ceil(part.height / units) };
  const viewBox = `${x} ${y} ${part.width} ${part.height}`;
  const sheet = { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox, preserveAspectRatio: "none" };
  const image = sharp(Buffer.from(tag("svg", sheet, svg)), { unlimited: true }).ensureAlpha();
  // What has a box fills it.
  const cut = box ? image : image.trim({ background: "#0000", threshold: 0 });
  const { data, info } = await cut.raw().toBuffer({ resolveWithObject: true });
  const { width, height, trimOffsetLeft = 0, trimOffsetTop = 0 } = info;
  if (!soft) return { x: x - trimOffsetLeft, y: y - trimOffsetTop, width, height, pixels: data };
  // From its pixels: an SVG that is enlarged is drawn again.
  const coarse = sharp(data, { raw: info });
  const options = { fit: "fill", kernel: "linear" } as const;
  return { ...part, pixels: await coarse.resize(part.width, part.height, options).raw().toBuffer() };
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
