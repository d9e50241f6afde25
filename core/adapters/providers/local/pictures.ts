// The pictures that are drawn from a prompt, by the model.
import type { Draw } from "./art/stage.ts";
import { drawGradient } from "./gradient/gradient.ts";
import { drawLandscape } from "./landscape/landscape.ts";
import { drawPattern } from "./pattern/pattern.ts";
import { drawPoster } from "./poster/poster.ts";
import { drawSketch } from "./sketch/scene.ts";

export const PICTURES: ReadonlyMap<string, Draw> = new Map([
  ["landscape", drawLandscape],
  ["poster", drawPoster],
  ["pattern", drawPattern],
  ["gradient", drawGradient],
  ["sketch", drawSketch],
]);
