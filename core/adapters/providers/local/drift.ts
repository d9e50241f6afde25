// A given picture as a clip: a camera that moves slowly over it, as documentaries show photographs.
import { clipOf, encodeClip } from "./clip.ts";
import type { Maker, Making } from "./maker.ts";
import { takeSeed } from "./maker.ts";
import { createRandom } from "./art/random.ts";
import { type Picture, readPicture } from "./source-picture.ts";

/** How much more than the frame shows the picture has, so that there is somewhere to go. */
const ROOM = 1.25;

/** What the frame shows, as parts of the picture: its middle, and its width of that of the whole. */
type FrameView = { readonly x: number; readonly y: number; readonly zoom: number };
type Move = { readonly words: RegExp; readonly from: FrameView; readonly to: FrameView };

const WHOLE = 1;
const CLOSE = 1 / ROOM;
const MOVES: Readonly<Record<string, Move>> = {
  zoom_in: {
    words: /zoom(s|ing)? in|closer|towards|approach/i,
    from: at(0.5, 0.5, WHOLE),
    to: at(0.5, 0.5, CLOSE),
  },
  zoom_out: {
    words: /zoom(s|ing)? out|away|reveal|pull(s|ing)? back/i,
    from: at(0.5, 0.5, CLOSE),
    to: at(0.5, 0.5, WHOLE),
  },
  pan_left: { words: /\bleft/i, from: at(1, 0.5, CLOSE), to: at(0, 0.5, CLOSE) },
  pan_right: { words: /\bright/i, from: at(0, 0.5, CLOSE), to: at(1, 0.5, CLOSE) },
  pan_up: { words: /\bup|rise|rising|climb/i, from: at(0.5, 1, CLOSE), to: at(0.5, 0, CLOSE) },
  pan_down: { words: /\bdown|sink|fall|descend/i, from: at(0.5, 0, CLOSE), to: at(0.5, 1, CLOSE) },
};

export const drift: Maker = async (making) => {
  const { prompt, params, checkpoint } = making;
  const clip = clipOf(params);
  const { width, height, frames } = clip;
  const whole = { width: Math.round(width * ROOM), height: Math.round(height * ROOM), fit: "cover" } as const;
  const picture = await readPicture(making, "image", whole);
  checkpoint();
  const { from, to } = moveOf({ prompt, params });
  const frame = new Uint8Array(width * height * 4).fill(255);
  const draw = (n: number) => {
    const done = ease(n / (frames - 1));
    show(picture, frame, { width, height, whole }, between(from, to, done));
    return frame;
  };
  return [await encodeClip(clip, draw, making)];
};

function moveOf({ prompt, params }: Pick<Making, "prompt" | "params">): Move {
  const moves = Object.values(MOVES) as [Move, ...Move[]];
  return (
    MOVES[String(params["move"])] ??
    moves.find(({ words }) => words.test(prompt)) ??
    createRandom(`${prompt}/${takeSeed(params)}`).pick(moves)
  );
}

type Size = { width: number; height: number };

/** The part of the picture that is in view, in the size of the frame: every pixel of it from the four nearest. */
function show(
  picture: Picture,
  frame: Uint8Array,
  { width, height, whole }: Size & { whole: Size },
  view: FrameView,
): void {
  const { data, width: across } = picture;
  const [shownWidth, shownHeight] = [whole.width * view.zoom, whole.height * view.zoom];
  // What stands over the frame's own form is panned over too.
  const left = (across - shownWidth) * view.x;
  const top = (picture.height - shownHeight) * view.y;
  const [stepX, stepY] = [(shownWidth - 1) / (width - 1), (shownHeight - 1) / (height - 1)];
  for (let y = 0, to = 0; y < height; y++) {
    const fromY = Math.max(0, Math.min(picture.height - 1.001, top + y * stepY));
    const row = Math.floor(fromY);
    const down = fromY - row;
    for (let x = 0; x < width; x++, to += 4) {
      const fromX = Math.max(0, Math.min(across - 1.001, left + x * stepX));
      const column = Math.floor(fromX);
      const right = fromX - column;
      const corner = (row * across + column) * 3;
      const below = corner + across * 3;
      for (let channel = 0; channel < 3; channel++) {
        const a = data[corner + channel] ?? 0;
        const b = data[corner + channel + 3] ?? 0;
        const c = data[below + channel] ?? 0;
        const d = data[below + channel + 3] ?? 0;
        const upper = a + (b - a) * right;
        frame[to + channel] = upper + (c + (d - c) * right - upper) * down;
      }
    }
  }
}

function at(x: number, y: number, zoom: number): FrameView {
  return { x, y, zoom };
}

function between(from: FrameView, to: FrameView, share: number): FrameView {
  return at(
    from.x + (to.x - from.x) * share,
    from.y + (to.y - from.y) * share,
    from.zoom + (to.zoom - from.zoom) * share,
  );
}

/** Begins and ends slowly. */
function ease(share: number): number {
  return (1 - Math.cos(Math.PI * share)) / 2;
}
