// What a prompt speaks of, as far as a picture can be made of it.

/** Lower-case words without accents, each also without its plural s. */
export function wordsOf(prompt: string): Set<string> {
  const plain = prompt.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? []);
  for (const word of [...words]) if (word.length > 3 && word.endsWith("s")) words.add(word.slice(0, -1));
  return words;
}

/** True where the prompt has one of these words (given in one string, apart by spaces). */
export function speaksOf(words: ReadonlySet<string>, list: string): boolean {
  return list.split(" ").some((word) => words.has(word));
}
