// What every composition is given, and what it gives back.
import type { Palette } from "./palette.ts";
import type { Random } from "./random.ts";

export type Stage = {
  readonly width: number;
  readonly height: number;
  /** A thousandth of the shorter side: sizes given in it look the same at every resolution. */
  readonly unit: number;
  readonly words: ReadonlySet<string>;
  readonly palette: Palette;
  readonly random: Random;
};

/** Where in its movement a scene is. A still picture is at `STILL`. */
export type Motion = {
  /** How far the camera has moved to the right, in widths of the stage. */
  readonly drift: number;
  /** Everything that sways, turns or twinkles depends only on its fraction: at 1 it looks as at 0. */
  readonly turn: number;
};

export const STILL: Motion = { drift: 0, turn: 0 };

/** The SVG of a scene at a moment. Made once for a scene, called once for each frame. */
export type Drawing = (motion: Motion) => string;

/** -1..1, in `cycles` whole swings a turn. */
export function sway(motion: Motion, cycles: number, offset: number): number {
  return Math.sin(2 * Math.PI * (motion.turn * cycles + offset));
}
