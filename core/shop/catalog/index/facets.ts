// How many of the matches have each value of a field.
import { type Base, type CountedField, wordsOfBase } from "./base.ts";
import { dictionarySize, wordAt } from "./dictionary.ts";
import { countIn } from "./lists.ts";
import type { Matches } from "./matches.ts";
import type { Tail } from "./tail.ts";

export type FacetValue = { readonly value: string; readonly count: number };

/** The measured cost of looking up one match's value, in words of a bitset. */
const WORDS_PER_LOOKUP = 3;

/** Values with at least one match, most frequent first, equal ones by value. */
export function countValues(
  { base, tail }: { base: Base; tail: Tail },
  matches: Matches,
  field: CountedField,
): FacetValue[] {
  const counts = new Map<string, number>();
  const { dictionary } = base.lists[field];
  countBase(base, matches, field).forEach((count, number) => {
    if (count > 0) counts.set(wordAt(dictionary, number), count);
  });
  for (const entry of matches.tail) {
    for (const value of tail.entries[entry]?.values[field] ?? [])
      counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function countBase(base: Base, { base: matches }: Matches, field: CountedField): Uint32Array {
  const lists = base.lists[field];
  const values = dictionarySize(lists.dictionary);
  const counts = new Uint32Array(values);
  if (matches.count === 0) return counts;
  // All slots match, and none is dead.
  if (matches.count === base.count) return lists.counts;
  if (matches.kind === "bits") {
    const byValue = lists.slots.length + lists.dense.length * wordsOfBase(base);
    if (byValue < matches.count * WORDS_PER_LOOKUP) {
      for (let value = 0; value < values; value++) counts[value] = countIn(lists, value, matches.bits);
      return counts;
    }
  }
  const { offsets, values: valuesOf } = base.forward[field];
  eachSlot(matches, (slot) => {
    const to = offsets[slot + 1] as number;
    for (let i = offsets[slot] as number; i < to; i++) {
      const value = valuesOf[i] as number;
      counts[value] = (counts[value] as number) + 1;
    }
  });
  return counts;
}

function eachSlot(matches: Matches["base"], visit: (slot: number) => void): void {
  if (matches.kind === "list") {
    for (let i = 0; i < matches.count; i++) visit(matches.slots[i] as number);
    return;
  }
  for (let w = 0; w < matches.bits.length; w++) {
    for (let word = matches.bits[w] as number; word !== 0; word &= word - 1)
      visit((w << 5) | (31 - Math.clz32(word & -word)));
  }
}
