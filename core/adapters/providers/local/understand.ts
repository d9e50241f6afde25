// The pictures that are drawn from a prompt, by the model, and what they show of it.
import type { Understood } from "../../../../proto/resources/job.ts";
import type { Predicted } from "../provider.ts";
import { type Draw, understandWith } from "./art/stage.ts";
import { drawGradient } from "./gradient/gradient.ts";
import { drawLandscape } from "./landscape/landscape.ts";
import { styleOf } from "./maker.ts";
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

export function understand(picture: string, { prompt, params }: Predicted): Understood | undefined {
  const draw = PICTURES.get(picture);
  return draw && understandWith(draw, prompt, styleOf(params));
}
