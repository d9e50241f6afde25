// Decides from the painter's report whether a picture shows what its prompt is about.
import type { Understood } from "../../../../proto/resources/job.ts";

/** Matches the noun itself or as a part of a longer name: a drawn "sailing boat" shows a boat. */
export function showsNoun({ drawn }: Understood, noun: string): boolean {
  return drawn.some((words) => ` ${words} `.includes(` ${noun.toLowerCase()} `));
}
