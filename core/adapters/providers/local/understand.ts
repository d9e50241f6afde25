// What the embedded models make of a prompt, without making it.
import type { Understood } from "../../../../proto/resources/job.ts";
import type { Predicted } from "../provider.ts";
import type { SceneRequest } from "./art/stage.ts";
import { drawGradient } from "./gradient/gradient.ts";
import { landscapeWords } from "./landscape/landscape.ts";
import { drawPattern } from "./pattern/pattern.ts";
import { posterWords } from "./poster/copy.ts";
import { sketchWords } from "./sketch/scene.ts";

type Reader = (prompt: string, style?: string) => Understood;
const small = (prompt: string, style?: string): SceneRequest => ({
  prompt,
  width: 64,
  height: 64,
  variation: "",
  style,
});
/** What pictures show of a prompt, by the model. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["landscape", (prompt) => landscapeWords(prompt)],
  ["poster", posterWords],
  ["pattern", (prompt, style) => drawPattern(small(prompt, style)).understood],
  ["gradient", (prompt, style) => drawGradient(small(prompt, style)).understood],
  ["sketch", sketchWords],
]);

/** `picture` is the model whose picture is made, or moves. */
export function understand(
  picture: string,
  { prompt, params: { style } }: Predicted,
): Understood | undefined {
  return READERS.get(picture)?.(prompt, typeof style === "string" ? style : undefined);
}
