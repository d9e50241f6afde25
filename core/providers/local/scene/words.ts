// What a prompt speaks of, as far as a picture can be made of it.

/** Lower-case words without accents, each also without its plural s. */
export function wordsOf(prompt: string): Set<string> {
  const plain = prompt.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words.flatMap((word) => (word.length > 3 && word.endsWith("s") ? [word, word.slice(0, -1)] : [word])),
  );
}

/** True where the prompt has one of these words (given in one string, apart by spaces). */
export function speaksOf(words: ReadonlySet<string>, list: string): boolean {
  return list.split(" ").some((word) => words.has(word));
}
