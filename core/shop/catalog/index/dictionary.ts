// Sorted words in two typed arrays, so that a thread can hand over a million of them without a copy. A word's number is its position, so
// words with the same beginning have neighbouring numbers. They are ordered by UTF-16 code unit, which is how JavaScript compares strings.

export type Dictionary = {
  readonly units: Uint16Array<ArrayBuffer>;
  /** The start of each word in `units`; one more for the end. */
  readonly offsets: Uint32Array<ArrayBuffer>;
};

/** A half-open range of numbers. */
export type Range = { readonly from: number; readonly to: number };

/** The most characters that are tried at one position of a misspelt word; only scripts with thousands of letters have more. */
const MAX_BRANCHES = 256;

/** Built from distinct words in ascending order. */
export function makeDictionary(sorted: readonly string[]): Dictionary {
  const offsets = new Uint32Array(sorted.length + 1);
  let end = 0;
  sorted.forEach((word, i) => {
    end += word.length;
    offsets[i + 1] = end;
  });
  const units = new Uint16Array(end);
  let at = 0;
  for (const word of sorted) for (let i = 0; i < word.length; i++) units[at++] = word.charCodeAt(i);
  return { units, offsets };
}

export function dictionarySize({ offsets }: Dictionary): number {
  return offsets.length - 1;
}

export function wordAt({ units, offsets }: Dictionary, number: number): string {
  return String.fromCharCode(...units.subarray(offsets[number], offsets[number + 1]));
}

/** The number of a word, or -1 if it does not exist. */
export function findWord(dictionary: Dictionary, word: string): number {
  return finish(dictionary, { from: 0, to: dictionarySize(dictionary) }, 0, word, 0);
}

/** The range of all words that begin with the prefix. */
export function prefixRange(dictionary: Dictionary, prefix: string): Range {
  let range: Range = { from: 0, to: dictionarySize(dictionary) };
  for (let i = 0; i < prefix.length && range.from < range.to; i++)
    range = narrow(dictionary, range, i, prefix.charCodeAt(i));
  return range;
}

/** The numbers of all words that are one edit away from `word` (a character inserted, deleted or replaced, or two neighbours swapped). */
export function oneEditAway(dictionary: Dictionary, word: string): number[] {
  const found = new Set<number>();
  const note = (number: number) => {
    if (number >= 0) found.add(number);
  };
  // Words of this range begin with the first `i` characters of the misspelt one; the edit is made at position i.
  let range: Range = { from: 0, to: dictionarySize(dictionary) };
  for (let i = 0; i <= word.length && range.from < range.to; i++) {
    const unit = word.charCodeAt(i);
    if (i < word.length) note(finish(dictionary, range, i, word, i + 1));
    if (i + 1 < word.length && unit !== word.charCodeAt(i + 1)) {
      const swapped = narrow(dictionary, narrow(dictionary, range, i, word.charCodeAt(i + 1)), i + 1, unit);
      note(finish(dictionary, swapped, i + 2, word, i + 2));
    }
    for (const [next, branch] of branches(dictionary, range, i)) {
      note(finish(dictionary, branch, i + 1, word, i));
      if (i < word.length && next !== unit) note(finish(dictionary, branch, i + 1, word, i + 1));
    }
    if (i < word.length) range = narrow(dictionary, range, i, unit);
  }
  return [...found];
}

/** Each character that words of the range have at `depth`, with the words that have it. They must agree before that position. */
function* branches(dictionary: Dictionary, range: Range, depth: number): Generator<[number, Range]> {
  let from = bound(dictionary, range, depth, 0);
  for (let n = 0; n < MAX_BRANCHES && from < range.to; n++) {
    const unit = unitAt(dictionary, from, depth);
    const to = bound(dictionary, { from, to: range.to }, depth, unit + 1);
    yield [unit, { from, to }];
    from = to;
  }
}

/** The word of the range that continues, after `depth` characters, exactly as `word` does from `at`; -1 if there is none. */
function finish(dictionary: Dictionary, range: Range, depth: number, word: string, at: number): number {
  let current = range;
  let place = depth;
  for (let i = at; i < word.length; i++, place++) {
    if (current.from >= current.to) return -1;
    current = narrow(dictionary, current, place, word.charCodeAt(i));
  }
  // The shortest of words that begin alike comes first.
  return current.from < current.to && unitAt(dictionary, current.from, place) < 0 ? current.from : -1;
}

function narrow(dictionary: Dictionary, range: Range, depth: number, unit: number): Range {
  const from = bound(dictionary, range, depth, unit);
  if (from >= range.to || unitAt(dictionary, from, depth) !== unit) return { from, to: from };
  return { from, to: bound(dictionary, { from, to: range.to }, depth, unit + 1) };
}

/** The first word of the range whose character at `depth` is at least `unit`. */
function bound(dictionary: Dictionary, range: Range, depth: number, unit: number): number {
  let { from, to } = range;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (unitAt(dictionary, middle, depth) < unit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** -1 if the word has ended. */
function unitAt({ units, offsets }: Dictionary, number: number, depth: number): number {
  const at = (offsets[number] as number) + depth;
  return at < (offsets[number + 1] as number) ? (units[at] as number) : -1;
}
