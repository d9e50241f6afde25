// A given picture as a clip: a camera that moves slowly over it, as documentaries show photographs.
import { type Clip, clipOf, encodeClip } from "./clip.ts";
import { type Maker, type Making, takeSeed } from "./maker.ts";
import { createRandom } from "./art/random.ts";
import type { SceneBox } from "./art/svg.ts";
import { type Picture, readPicture } from "./source-picture.ts";

/** How much more than the frame shows the picture has, so that there is somewhere to go. */
const ROOM = 1.25;

/** What the frame shows, as parts of the picture: its middle, and its width of that of the whole. */
type View = readonly [x: number, y: number, zoom: number];
type Move = { readonly words: RegExp; readonly from: View; readonly to: View };

const CLOSE = 1 / ROOM;
const MOVES: Readonly<Record<string, Move>> = {
  zoom_in: { words: /zoom(s|ing)? in|closer|towards|approach/i, from: [0.5, 0.5, 1], to: [0.5, 0.5, CLOSE] },
  zoom_out: {
    words: /zoom(s|ing)? out|away|reveal|pull(s|ing)? back/i,
    from: [0.5, 0.5, CLOSE],
    to: [0.5, 0.5, 1],
  },
  pan_left: { words: /\bleft/i, from: [1, 0.5, CLOSE], to: [0, 0.5, CLOSE] },
  pan_right: { words: /\bright/i, from: [0, 0.5, CLOSE], to: [1, 0.5, CLOSE] },
  pan_up: { words: /\bup|rise|rising|climb/i, from: [0.5, 1, CLOSE], to: [0.5, 0, CLOSE] },
  pan_down: { words: /\bdown|sink|fall|descend/i, from: [0.5, 0, CLOSE], to: [0.5, 1, CLOSE] },
};

export const drift: Maker = async (making) => {
  const clip = clipOf(making.params);
  const whole = { width: Math.round(clip.width * ROOM), height: Math.round(clip.height * ROOM) };
  const picture = await readPicture(making, "image", { ...whole, fit: "outside" });
  making.checkpoint();
  const { from, to } = moveOf(making);
  const frame = new Uint8Array(clip.width * clip.height * 4).fill(255);
  const draw = (n: number) => {
    // Begins and ends slowly.
    const done = (1 - Math.cos((Math.PI * n) / (clip.frames - 1))) / 2;
    const [x = 0, y = 0, zoom = 1] = from.map((start, i) => start + ((to[i] ?? 0) - start) * done);
    const [width, height] = [whole.width * zoom, whole.height * zoom];
    // What stands over the frame's own form is panned over too.
    const part = { x: (picture.width - width) * x, y: (picture.height - height) * y, width, height };
    show(picture, frame, clip, part);
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

/** A part of the picture in the size of the frame: every pixel of it from the four nearest. */
function show(picture: Picture, frame: Uint8Array, { width, height }: Clip, part: SceneBox): void {
  const { data, width: across } = picture;
  const [stepX, stepY] = [(part.width - 1) / (width - 1), (part.height - 1) / (height - 1)];
  for (let y = 0, to = 0; y < height; y++) {
    const fromY = Math.max(0, Math.min(picture.height - 1.001, part.y + y * stepY));
    const row = Math.floor(fromY);
    const down = fromY - row;
    for (let x = 0; x < width; x++, to += 4) {
      const fromX = Math.max(0, Math.min(across - 1.001, part.x + x * stepX));
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
