// A short prefix can stand for lists that together are as long as the whole index. For each prefix with long lists, their union is made
// once, at build time. Any other prefix is fast to compute on request.
import { wordsFor } from "./bitset.ts";
import { dictionarySize, type Range } from "./dictionary.ts";
import { addRange, type Lists } from "./lists.ts";

/** The ranges of word numbers of these prefixes, ascending by `from` and then `to`, and their bitsets one after another. */
export type HeavyPrefixes = {
  readonly from: Uint32Array<ArrayBuffer>;
  readonly to: Uint32Array<ArrayBuffer>;
  readonly bits: Uint32Array<ArrayBuffer>;
};

/** A smaller index needs no stored union. */
const MIN_SLOTS = 20_000;
/** A prefix is heavy if its lists have more entries than this fraction of all slots. */
const HEAVY_PART = 1 / 4;

export function buildHeavyPrefixes(lists: Lists, slotCount: number): HeavyPrefixes {
  const ranges = slotCount < MIN_SLOTS ? [] : findHeavy(lists, slotCount * HEAVY_PART);
  const words = wordsFor(slotCount);
  const bits = new Uint32Array(ranges.length * words);
  ranges.forEach((range, i) => addRange(lists, range, bits.subarray(i * words, (i + 1) * words)));
  return {
    from: Uint32Array.from(ranges, ({ from }) => from),
    to: Uint32Array.from(ranges, ({ to }) => to),
    bits,
  };
}

/** The union of the range, if it was made. */
export function heavyBits(heavy: HeavyPrefixes, range: Range, words: number): Uint32Array | undefined {
  // There are at most some hundreds, and only one word of a query may be a prefix.
  for (let i = 0; i < heavy.from.length; i++) {
    if (heavy.from[i] === range.from && heavy.to[i] === range.to)
      return heavy.bits.subarray(i * words, (i + 1) * words);
  }
  return undefined;
}

function findHeavy({ dictionary, counts }: Lists, limit: number): Range[] {
  const { units, offsets } = dictionary;
  const found: Range[] = [];
  const visit = (range: Range, depth: number): void => {
    let from = range.from;
    // Words that end here have no longer prefix.
    while (from < range.to && (offsets[from] as number) + depth === (offsets[from + 1] as number)) from++;
    while (from < range.to) {
      const unit = units[(offsets[from] as number) + depth];
      let to = from;
      let entries = 0;
      while (to < range.to && units[(offsets[to] as number) + depth] === unit)
        entries += counts[to++] as number;
      if (entries > limit && to - from > 1) {
        const last = found.at(-1);
        // A longer prefix of exactly the same words needs no union of its own.
        if (last?.from !== from || last.to !== to) found.push({ from, to });
        visit({ from, to }, depth + 1);
      }
      from = to;
    }
  };
  visit({ from: 0, to: dictionarySize(dictionary) }, 0);
  return found;
}
