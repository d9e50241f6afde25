// A given picture as a clip: a camera that moves slowly over it, as documentaries show photographs.
import { createRandom } from "./art/random.ts";
import type { SceneBox } from "./art/svg.ts";
import { type Clip, clipOf, encodeClip } from "./clip.ts";
import { type Maker, type Making, takeSeed } from "./maker.ts";
import { type Picture, readPicture } from "./source-picture.ts";

/** How much more than the frame shows the picture has, so that there is somewhere to go. */
const ROOM = 1.25;

/** What the frame shows, as parts of the picture: its middle, and its width of that of the whole. */
type View = readonly [x: number, y: number, zoom: number];
type Move = readonly [words: RegExp, from: View, to: View];

const CLOSE = 1 / ROOM;
const MOVES: Readonly<Record<string, Move>> = {
  zoom_in: [/zoom(s|ing)? in|closer|towards|approach/i, [0.5, 0.5, 1], [0.5, 0.5, CLOSE]],
  zoom_out: [/zoom(s|ing)? out|away|reveal|pull(s|ing)? back/i, [0.5, 0.5, CLOSE], [0.5, 0.5, 1]],
  pan_left: [/\bleft/i, [1, 0.5, CLOSE], [0, 0.5, CLOSE]],
  pan_right: [/\bright/i, [0, 0.5, CLOSE], [1, 0.5, CLOSE]],
  pan_up: [/\bup|rise|rising|climb/i, [0.5, 1, CLOSE], [0.5, 0, CLOSE]],
  pan_down: [/\bdown|sink|fall|descend/i, [0.5, 0, CLOSE], [0.5, 1, CLOSE]],
};

export const drift: Maker = async (making) => {
  const clip = clipOf(making.params);
  const whole = { width: Math.round(clip.width * ROOM), height: Math.round(clip.height * ROOM) };
  const picture = await readPicture(making, { ...whole, fit: "outside" });
  const [, from, to] = moveOf(making);
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
  const moves = Object.values(MOVES);
  const said = MOVES[String(params["move"])] ?? moves.find(([words]) => words.test(prompt));
  return said ?? createRandom(`${prompt}/${takeSeed(params)}`).pick(moves);
}

/** A part of the picture in the size of the frame: every pixel of it from the four nearest. */
function show(picture: Picture, frame: Uint8Array, { width, height }: Clip, part: SceneBox): void {
  const { data, width: across } = picture;
  const [stepX, stepY] = [(part.width - 1) / (width - 1), (part.height - 1) / (height - 1)];
  for (let y = 0, to = 0; y < height; y++) {
    const fromY = Math.max(0, Math.min(picture.height - 1.001, part.y + y * stepY));
    const down = fromY % 1;
    for (let x = 0; x < width; x++, to += 4) {
      const fromX = Math.max(0, Math.min(across - 1.001, part.x + x * stepX));
      const right = fromX % 1;
      const corner = (Math.floor(fromY) * across + Math.floor(fromX)) * 3;
      for (let at = corner, channel = 0; channel < 3; channel++, at++) {
        const below = at + across * 3;
        const upper = (data[at] ?? 0) * (1 - right) + (data[at + 3] ?? 0) * right;
        const lower = (data[below] ?? 0) * (1 - right) + (data[below + 3] ?? 0) * right;
        frame[to + channel] = upper + (lower - upper) * down;
      }
    }
  }
}
