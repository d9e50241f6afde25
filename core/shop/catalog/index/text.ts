// Text comparison: accents, case and compatibility forms do not count; a word is a sequence of letters and digits.

/** Text beyond this limit is ignored, both in a product and in a search. Counted in UTF-16 code units. */
const MAX_WORD = 64;

const PLAIN = /^[\u0000-\u007f]*$/;

/** Lower-case, decomposed (NFKD), without marks. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}

/** Folded words in their order, with repetitions. */
export function wordsOf(text: string): string[] {
  const folded = fold(text);
  const words = folded.match(PLAIN.test(folded) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > MAX_WORD ? word.slice(0, MAX_WORD) : word));
}

/** The fixed key by which names are ordered: compared by Unicode code point. */
export function nameKey(name: string): string {
  return fold(name).trim();
}

/** Whether inserting, deleting or replacing one character, or swapping two neighbours, turns one word into the other. */
export function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let start = 0;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  const restIsEqual = (fromA: number, fromB: number) => a.slice(fromA) === b.slice(fromB);
  if (a.length > b.length) return restIsEqual(start + 1, start);
  if (a.length < b.length) return restIsEqual(start, start + 1);
  return restIsEqual(start + 1, start + 1) || (isSwap(a, b, start) && restIsEqual(start + 2, start + 2));
}

function isSwap(a: string, b: string, at: number): boolean {
  return (
    at + 1 < a.length &&
    a.charCodeAt(at) === b.charCodeAt(at + 1) &&
    a.charCodeAt(at + 1) === b.charCodeAt(at)
  );
}
