// The part of a prompt that can be spoken; a prompt without any is played, a note for each symbol.
import alphabets from "./alphabets.json" with { type: "json" };

const MAX_NOTES = 32;
/** By letter. */
const SOUNDS: ReadonlyMap<string, string> = new Map(
  Object.values(alphabets).flatMap((letters) =>
    letters.split(" ").map((pair) => [pair.charAt(0), pair.slice(2)] as const),
  ),
);
/** Some sentences, or what there is up to a space, or as much of a word: the voice says nothing until it has thought all of it over. */
const PIECE = /\S(?:.{0,298}[.!?;:](?= |$)|.{0,298}(?= |$)|.{0,99})/g;

/** In letters that the voice knows: those with accents lose them, those of near alphabets are written in Latin ones. */
export function speakableOf(prompt: string): string[] {
  const letters = [...prompt.normalize("NFKC").toLowerCase()].map(
    (letter) => SOUNDS.get(letter) ?? SOUNDS.get(letter.normalize("NFD").charAt(0)) ?? letter,
  );
  const text = letters
    .join("")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[‘’‛]/g, "'")
    .replace(/[–—…]/g, ", ")
    .replace(/[^a-z0-9$%&@#+=<>.,;:!?'-]+/g, " ");
  return (text.match(PIECE) ?? []).filter((piece) => /[a-z0-9$%&@#+=<>]/.test(piece));
}

/** Pitches 0..1, never none. */
export function playableOf(prompt: string): number[] {
  // Joiners and selectors change how a sign looks, not how many there are.
  const signs = [...prompt].filter((sign) => !/[\s\p{M}\p{Cf}\p{Sk}]/u.test(sign)).slice(0, MAX_NOTES);
  return signs.length === 0 ? [0.5] : signs.map((sign) => (((sign.codePointAt(0) ?? 0) * 7) % 15) / 14);
}
