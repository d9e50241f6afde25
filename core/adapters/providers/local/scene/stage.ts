// What a scene is made on and of: sprites, from the farthest to the nearest, each of which may move as a whole.
import type { Reading } from "../words/read-prompt.ts";
import { type Color, mix } from "./color.ts";
import { placeIcon } from "./icons.ts";
import type { Palette, ScenePlace } from "./palette.ts";
import type { Random } from "./random.ts";
import { type SceneBox, gradient, tag } from "./svg.ts";

export type Stage = {
  readonly width: number;
  readonly height: number;
  /** A thousandth of the shorter side: sizes given in it look the same at every resolution. */
  readonly unit: number;
  readonly reading: Reading;
  readonly place: ScenePlace;
  readonly palette: Palette;
  readonly random: Random;
  /** Where the sky ends. */
  readonly horizon: number;
};

type Shift = { readonly dx?: number; readonly dy?: number; readonly alpha?: number };

export type Sprite = {
  /** In the coordinates of the stage, and within the box. */
  readonly svg: string;
  readonly box: SceneBox;
  /** 0 is as far as the sky and 1 is near: how much of the camera's movement it takes part in. */
  readonly depth: number;
  /** Where it is at a moment, beside its place. The same at 0 and at 1. */
  readonly move?: (turn: number) => Shift;
};

/** -1..1, in whole swings a turn. */
export function swing(turn: number, phase: number, cycles = 1): number {
  return Math.sin(2 * Math.PI * (turn * cycles + phase));
}

export function fullBox(
  { width, height }: Pick<Stage, "width" | "height">,
  top = 0,
  bottom = height,
): SceneBox {
  return { x: 0, y: top, width, height: bottom - top };
}

/** A stripe across the stage that goes evenly through colours, from top to bottom. */
export function backdrop(
  stage: Stage,
  id: string,
  colors: readonly Color[],
  top = 0,
  bottom = stage.height,
): Sprite {
  const box = fullBox(stage, top, bottom);
  const flow = gradient(id, colors);
  return { svg: flow + tag("rect", { ...box, fill: `url(#${id})` }), box, depth: 0 };
}

export type RowOptions = {
  readonly icons: readonly string[];
  readonly count: number;
  readonly size: number;
  /** Between these lines they stand. */
  readonly base: readonly [number, number];
  readonly depth: number;
  /** How much of the horizon's colour lies over them. */
  readonly haze?: number;
};

/** Icons side by side across the stage, none like the other. */
export function row(
  stage: Stage,
  label: string,
  { icons, count, size, base, depth, haze = 0 }: RowOptions,
): Sprite {
  const { ambient, ambientAmount, sky } = stage.palette;
  const random = stage.random.fork(label);
  const tone = { ambient: mix(ambient, sky[2], haze), amount: Math.min(0.9, ambientAmount + haze) };
  const drawn = Array.from({ length: Math.ceil(count) }, (_, i) => {
    const x = ((i + random.between(0.1, 0.9)) / Math.ceil(count)) * stage.width;
    return placeIcon(random.pick(icons), tone, x, random.between(...base), size * random.between(0.75, 1.2));
  });
  return { svg: drawn.join(""), box: fullBox(stage, base[0] - size * 1.2, base[1] + 1), depth };
}
