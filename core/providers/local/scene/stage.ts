// What a scene is made on and of: sprites, from the farthest to the nearest, each of which may move as a whole.
import type { Reading } from "../words/read-prompt.ts";
import type { Color } from "./color.ts";
import type { Palette, Place } from "./palette.ts";
import type { Random } from "./random.ts";
import { linearGradient, path, rect } from "./svg.ts";

export type Stage = {
  readonly width: number;
  readonly height: number;
  /** A thousandth of the shorter side: sizes given in it look the same at every resolution. */
  readonly unit: number;
  /** Clean edges and plain colours, in place of gradients and glow. */
  readonly flat: boolean;
  readonly reading: Reading;
  readonly place: Place;
  readonly palette: Palette;
  readonly random: Random;
  /** Where the sky ends. */
  readonly horizon: number;
};

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

export type Shift = { readonly dx: number; readonly dy: number; readonly alpha?: number };

export type Sprite = {
  /** In the coordinates of the stage, and within the box. */
  readonly svg: string;
  readonly box: Box;
  /** 0 is as far as the sky and 1 is near: how much of the camera's movement it takes part in. */
  readonly depth: number;
  /** Where it is at a moment, beside its place. The same at 0 and at 1. */
  readonly move?: (turn: number) => Shift;
};

export function fullBox({ width, height }: Pick<Stage, "width" | "height">, top = 0, bottom = height): Box {
  return { x: 0, y: top, width, height: bottom - top };
}

/** -1..1, in whole swings a turn. */
export function swing(turn: number, phase: number, cycles = 1): number {
  return Math.sin(2 * Math.PI * (turn * cycles + phase));
}

/** From the upper edge of the box down: a gradient, or bands of plain colour. */
export function backdrop(
  { flat }: Stage,
  id: string,
  box: Box,
  colors: readonly [Color, Color, Color],
): string {
  const { x, y, width, height } = box;
  const stops = colors.map((color, i) => [i / 2, color] as const);
  if (!flat) return linearGradient(id, stops) + rect(x, y, width, height, `url(#${id})`);
  return colors
    .map((color, i) => rect(x, y + (height * i) / 3, width, (height * (3 - i)) / 3, color))
    .join("");
}

/** Everything below a line, across the stage. */
export function landBelow({ width, height }: Stage, line: (x: number) => number, fill: string): string {
  const steps = 48;
  const top = Array.from(
    { length: steps + 1 },
    (_, i) => `L${Math.round((i / steps) * width)} ${Math.round(line((i / steps) * width) * 10) / 10}`,
  );
  return path(`M0 ${height}${top.join("")}L${width} ${height}Z`, fill);
}
