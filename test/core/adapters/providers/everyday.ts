// What a picture shows: by the painter's report, and by its drawing.
import type { Scene } from "../../../../core/adapters/providers/local/art/stage.ts";
import type { Understood } from "../../../../proto/resources/job.ts";

/** Matches the noun itself or as a part of a longer name: a drawn "sailing boat" shows a boat. */
export function showsNoun({ drawn }: Understood, noun: string): boolean {
  return drawn.some((words) => ` ${words} `.includes(` ${noun.toLowerCase()} `));
}

/** The drawing of all sprites, in their order. */
export function svgOf(scene: Scene): string {
  return scene
    .paint()
    .map(({ svg }) => svg)
    .join("");
}
