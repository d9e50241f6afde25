// What a picture is made of: sprites, from the farthest to the nearest, each of which may move as a whole.
import type { Understood } from "../../../../../proto/resources/job.ts";
import type { Color } from "./color.ts";
import { gradient, type SceneBox, svgDocument, tag } from "./svg.ts";

export type SceneRequest = {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  /** Different for every take on the same prompt. */
  readonly variation: string;
  /** Of the model's own params: which of its kinds, where it has several. */
  readonly style?: string | undefined;
};

export type Scene = {
  readonly width: number;
  readonly height: number;
  readonly sprites: readonly Sprite[];
  readonly understood: Understood;
  /** How much the grain of a still differs from its colours, 0..255. Hides the steps of a gradient, too. */
  readonly grain: number;
};

/** What a prompt becomes, in one of the ways of the built-in models. */
export type Draw = (request: SceneRequest) => Scene;

/** What all sizes are measured on. */
export type Frame = {
  readonly width: number;
  readonly height: number;
  /** A thousandth of the shorter side: sizes given in it look the same at every resolution. */
  readonly unit: number;
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

export function frameOf({ width, height }: Pick<SceneRequest, "width" | "height">): Frame {
  return { width, height, unit: Math.min(width, height) / 1000 };
}

/** -1..1, in whole swings a turn. */
export function swing(turn: number, phase: number, cycles = 1): number {
  return Math.sin(2 * Math.PI * (turn * cycles + phase));
}

export function fullBox(
  { width, height }: Pick<Frame, "width" | "height">,
  top = 0,
  bottom = height,
): SceneBox {
  return { x: 0, y: top, width, height: bottom - top };
}

/** A stripe across the stage that goes evenly through colours, from top to bottom. */
export function backdrop(
  frame: Frame,
  id: string,
  colors: readonly Color[],
  top = 0,
  bottom = frame.height,
): Sprite {
  const box = fullBox(frame, top, bottom);
  const svg = gradient(id, colors) + tag("rect", { ...box, fill: `url(#${id})` });
  return { svg, box, depth: 0 };
}

/** Sprites at rest, over each other. */
export function drawSprites(sprites: readonly Sprite[]): string {
  return sprites
    .map(({ svg, move }) => {
      const { dx = 0, dy = 0, alpha = 1 } = move?.(0) ?? {};
      return tag("g", { transform: `translate(${dx} ${dy})`, opacity: alpha }, svg);
    })
    .join("");
}

/** A whole SVG document of a scene at rest. */
export function drawStill({ width, height, sprites }: Scene): string {
  return svgDocument({ x: 0, y: 0, width, height }, drawSprites(sprites));
}
