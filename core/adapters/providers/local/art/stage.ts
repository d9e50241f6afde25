// What a picture is made of: sprites, from the farthest to the nearest, each of which may move as a whole.
import type { Understood } from "../../../../../proto/resources/job.ts";
import type { Color } from "./palette.ts";
import { gradient, rect, type SceneBox } from "./svg.ts";

type Size = { readonly width: number; readonly height: number };

export type SceneRequest = Size & {
  readonly prompt: string;
  /** Different for every take on the same prompt. */
  readonly variation: string;
  /** Of the model's own params: which of its kinds, where it has several. */
  readonly style?: string | undefined;
};

export type Scene = Size & {
  readonly understood: Understood;
  /** How much the grain of a still differs from its colours, 0..255. Hides the steps of a gradient, too. */
  readonly grain: number;
  /** Not called where only what is understood matters. */
  readonly paint: () => readonly Sprite[];
};

/** What a prompt becomes, in one of the ways of the built-in models. */
export type Draw = (request: SceneRequest) => Scene;

/** What such a picture shows of a prompt, whatever its seed. */
export function understandWith(draw: Draw, prompt: string, style?: string): Understood {
  return draw({ prompt, width: 64, height: 64, variation: "", style }).understood;
}

/** What all sizes are measured on. */
export type Frame = Size & {
  /** A thousandth of the shorter side: sizes given in it look the same at every resolution. */
  readonly unit: number;
};

export type Sprite = {
  /** In the coordinates of the stage. */
  readonly svg: string;
  /** What of a clip's stage it keeps within, which is drawn faster, or how far beyond the stage it reaches. */
  readonly box?: SceneBox;
  /** Without edges, so that it may be drawn coarsely. */
  readonly soft?: true;
  /** 0 is as far as the sky and 1 is near: how much of the camera's movement it takes part in. */
  readonly depth: number;
  /** Where it is at a moment, beside its place. The same at 0 and at 1. */
  readonly move?: (turn: number) => { readonly dx?: number; readonly dy?: number; readonly alpha?: number };
};

export function frameOf({ width, height }: Size): Frame {
  return { width, height, unit: Math.min(width, height) / 1000 };
}

/** -1..1, in whole swings a turn. */
export function swing(turn: number, phase: number, cycles = 1): number {
  return Math.sin(2 * Math.PI * (turn * cycles + phase));
}

/** A stripe across the stage; `beyond` is how much of its width it is wider at each side. */
export function fullBox({ width, height }: Size, top = 0, bottom = height, beyond = 0): SceneBox {
  return { x: -width * beyond, y: top, width: width * (1 + 2 * beyond), height: bottom - top };
}

/** Colours that go evenly into each other, from top to bottom. */
export function backdrop(id: string, colors: readonly Color[], box: SceneBox): Sprite {
  return { svg: gradient(id, colors) + rect(box, `url(#${id})`), depth: 0 };
}
