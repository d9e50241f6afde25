// Which slots have which value: each value of a dictionary has an ascending list of its slots or, if that is smaller, a bitset.
import { countCommon, hasBit, haveCommon, orInto, setAll, wordsFor } from "./bitset.ts";
import { type Dictionary, dictionarySize, makeDictionary, type Range } from "./dictionary.ts";
import { createNumbers, type Numbers } from "./numbers.ts";

export type Lists = {
  readonly dictionary: Dictionary;
  /** The number of slots that have each value, including dead ones. */
  readonly counts: Uint32Array<ArrayBuffer>;
  /** The start of each list in `slots`; the list of a value with a bitset is empty. */
  readonly offsets: Uint32Array<ArrayBuffer>;
  readonly slots: Uint32Array<ArrayBuffer>;
  /** The numbers of the values that have a bitset, ascending, and their bitsets one after another. */
  readonly dense: Uint32Array<ArrayBuffer>;
  readonly bits: Uint32Array<ArrayBuffer>;
};

/** The inverse: the values of each slot. */
export type Forward = {
  readonly offsets: Uint32Array<ArrayBuffer>;
  readonly values: Uint32Array<ArrayBuffer>;
};

/** The slots of one value, in one of the two forms. */
export type SlotSet =
  | { readonly kind: "list"; readonly slots: Uint32Array }
  | { readonly kind: "bits"; readonly bits: Uint32Array };

export const NO_SLOTS: SlotSet = { kind: "list", slots: new Uint32Array(0) };

/** `words` is a bitset over all slots. */
export function slotsOf(lists: Lists, value: number, words: number): SlotSet {
  const dense = findNumber(lists.dense, value);
  if (lists.dense[dense] === value)
    return { kind: "bits", bits: lists.bits.subarray(dense * words, (dense + 1) * words) };
  return { kind: "list", slots: lists.slots.subarray(lists.offsets[value], lists.offsets[value + 1]) };
}

/** Adds the slots of all values of the range to `target`. */
export function addRange(lists: Lists, { from, to }: Range, target: Uint32Array): void {
  if (from >= to) return;
  setAll(target, lists.slots, lists.offsets[from], lists.offsets[to]);
  for (let i = findNumber(lists.dense, from); i < lists.dense.length; i++) {
    if ((lists.dense[i] as number) >= to) return;
    orInto(target, lists.bits.subarray(i * target.length, (i + 1) * target.length));
  }
}

/** Whether any value of the range has a living slot. */
export function anyAlive(lists: Lists, { from, to }: Range, live: Uint32Array): boolean {
  if (from >= to) return false;
  const end = lists.offsets[to] as number;
  for (let i = lists.offsets[from] as number; i < end; i++)
    if (hasBit(live, lists.slots[i] as number)) return true;
  for (let i = findNumber(lists.dense, from); i < lists.dense.length; i++) {
    if ((lists.dense[i] as number) >= to) return false;
    if (haveCommon(lists.bits.subarray(i * live.length, (i + 1) * live.length), live)) return true;
  }
  return false;
}

/** How many of the slots in `bits` have the value. */
export function countIn(lists: Lists, value: number, bits: Uint32Array): number {
  const set = slotsOf(lists, value, bits.length);
  if (set.kind === "bits") return countCommon(set.bits, bits);
  let count = 0;
  for (let i = 0; i < set.slots.length; i++) if (hasBit(bits, set.slots[i] as number)) count++;
  return count;
}

/** The position of the first number in the ascending `numbers` that is at least `value`. */
function findNumber(numbers: Uint32Array, value: number): number {
  let from = 0;
  let to = numbers.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((numbers[middle] as number) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

export type ListsBuilder = {
  /** Adds the values of the next slot; repeated ones count once. */
  add(values: readonly string[]): void;
  /** To be called once. Builds `forward` only on request, and releases all memory used for gathering. */
  finish(wantsForward: boolean): { lists: Lists; forward: Forward };
};

const NO_FORWARD: Forward = { offsets: new Uint32Array(0), values: new Uint32Array(0) };

export function createListsBuilder(): ListsBuilder {
  const numbers = new Map<string, number>();
  // For each value the last slot that it was given, by which a repetition is recognized.
  const lastSlot = createNumbers();
  const counts = createNumbers();
  // The values of all slots, one after another, numbered in the order of their first occurrence.
  const pairs = createNumbers();
  const ends = createNumbers();

  return {
    add: (values) => {
      const slot = ends.length;
      for (const value of values) {
        let number = numbers.get(value);
        if (number === undefined) {
          number = numbers.size;
          numbers.set(value, number);
          lastSlot.push(slot);
          counts.push(1);
        } else {
          if (lastSlot.get(number) === slot) continue;
          lastSlot.set(number, slot);
          counts.set(number, counts.get(number) + 1);
        }
        pairs.push(number);
      }
      ends.push(pairs.length);
    },
    finish: (wantsForward) => {
      const sorted = [...numbers.keys()].sort(byCodeUnit);
      const sortedCounts = new Uint32Array(sorted.length);
      const placeOf = new Uint32Array(sorted.length);
      sorted.forEach((value, place) => {
        const number = numbers.get(value) ?? 0;
        placeOf[number] = place;
        sortedCounts[place] = counts.get(number);
      });
      const gathered = { pairs, ends, placeOf };
      const lists = invert(makeDictionary(sorted), sortedCounts, gathered);
      const forward = wantsForward ? toForward(gathered) : NO_FORWARD;
      numbers.clear();
      for (const each of [lastSlot, counts, pairs, ends]) each.clear();
      return { lists, forward };
    },
  };
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type Gathered = { pairs: Numbers; ends: Numbers; placeOf: Uint32Array };

function toForward({ pairs, ends, placeOf }: Gathered): Forward {
  const offsets = new Uint32Array(ends.length + 1);
  ends.copyTo(offsets, 1);
  const values = new Uint32Array(pairs.length);
  pairs.copyTo(values, 0);
  for (let i = 0; i < values.length; i++) values[i] = placeOf[values[i] as number] as number;
  return { offsets, values };
}

function invert(
  dictionary: Dictionary,
  counts: Uint32Array<ArrayBuffer>,
  { pairs, ends, placeOf }: Gathered,
): Lists {
  const values = dictionarySize(dictionary);
  const slotCount = ends.length;
  const words = wordsFor(slotCount);
  const offsets = new Uint32Array(values + 1);
  const dense: number[] = [];
  // The position of each value's bitset plus 1; 0 for a list.
  const densePlace = new Uint32Array(values);
  let end = 0;
  for (let value = 0; value < values; value++) {
    const count = counts[value] as number;
    if (count > words) densePlace[value] = dense.push(value);
    else end += count;
    offsets[value + 1] = end;
  }
  const slots = new Uint32Array(end);
  const bits = new Uint32Array(dense.length * words);
  const next = offsets.slice(0, values);
  let pair = 0;
  for (let slot = 0; slot < slotCount; slot++) {
    for (const to = ends.get(slot); pair < to; pair++) {
      const value = placeOf[pairs.get(pair)] as number;
      const place = densePlace[value] as number;
      if (place > 0) {
        const word = (place - 1) * words + (slot >>> 5);
        bits[word] = (bits[word] as number) | (1 << (slot & 31));
      } else {
        const at = next[value] as number;
        next[value] = at + 1;
        slots[at] = slot;
      }
    }
  }
  return { dictionary, counts, offsets, slots, dense: Uint32Array.from(dense), bits };
}
