// Whether a picture shows what its prompt is about, by what its painter says.
import type { Understood } from "../../../../proto/resources/job.ts";

/** As it stands, or as a part of a longer name: who has drawn the "sailing boat" has drawn the boat. */
export function showsNoun({ drawn }: Understood, noun: string): boolean {
  return drawn.some((words) => ` ${words} `.includes(` ${noun.toLowerCase()} `));
}
