// The products that meet all conditions of a query, and their number. The result is exact for any size.
import { andInto, countBits, hasBit } from "./bitset.ts";
import type { Condition, Segments } from "./conditions.ts";
import type { SlotSet } from "./lists.ts";

/** Work space as large as the base, allocated once. It holds the answer of a query until the next one. */
export type Scratch = {
  readonly bits: Uint32Array;
  readonly union: Uint32Array;
  readonly list: Uint32Array;
  readonly places: Float64Array;
};

export type Matches = {
  /** Living slots of the base. */
  readonly base:
    | { readonly kind: "bits"; readonly bits: Uint32Array; readonly count: number }
    | { readonly kind: "list"; readonly slots: Uint32Array; readonly count: number };
  /** Living entries of the tail, ascending. */
  readonly tail: readonly number[];
  readonly total: number;
};

export function createScratch(count: number, words: number): Scratch {
  return {
    bits: new Uint32Array(words),
    union: new Uint32Array(words),
    list: new Uint32Array(count),
    places: new Float64Array(count),
  };
}

export function findMatches(
  segments: Segments & { liveCount: number },
  conditions: readonly Condition[],
  scratch: Scratch,
): Matches {
  // The smallest comes first: intersections never grow.
  const sorted = [...conditions].sort((a, b) => a.size - b.size);
  const tail = matchTail(segments, sorted);
  const base = matchBase(segments, sorted, scratch);
  return { base, tail, total: base.count + tail.length };
}

function matchBase(
  { live, liveCount }: Segments & { liveCount: number },
  conditions: readonly Condition[],
  scratch: Scratch,
): Matches["base"] {
  const [first, ...others] = conditions;
  if (!first) return { kind: "bits", bits: live, count: liveCount };
  const { list } = scratch;
  let length = -1;
  const start = materialise(first, scratch);
  if (start.kind === "list") length = keep(start.slots, start.slots.length, live, list);
  else {
    scratch.bits.set(start.bits);
    andInto(scratch.bits, live);
  }
  for (const condition of others) {
    if (length === 0) break;
    const set = materialise(condition, scratch);
    // A negative count means that it is still a bitset.
    if (set.kind === "bits") {
      if (length >= 0) length = keep(list, length, set.bits, list);
      else andInto(scratch.bits, set.bits);
    } else if (length >= 0) length = intersect(list, length, set.slots);
    else length = keep(set.slots, set.slots.length, scratch.bits, list);
  }
  return length >= 0
    ? { kind: "list", slots: list.subarray(0, length), count: length }
    : { kind: "bits", bits: scratch.bits, count: countBits(scratch.bits) };
}

function materialise({ base }: Condition, { union }: Scratch): SlotSet {
  if (base.kind !== "union") return base;
  union.fill(0);
  base.fill(union);
  return { kind: "bits", bits: union };
}

/** Writes those of the slots that are in `bits` to `out`, which may be the same array; returns how many. */
function keep(slots: Uint32Array, length: number, bits: Uint32Array, out: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < length; i++) {
    const slot = slots[i] as number;
    if (hasBit(bits, slot)) out[count++] = slot;
  }
  return count;
}

/** Keeps those of the list that are also in `other`; both ascend. Skips ahead if `other` is longer. */
function intersect(list: Uint32Array, length: number, other: Uint32Array): number {
  let count = 0;
  let at = 0;
  for (let i = 0; i < length && at < other.length; i++) {
    const slot = list[i] as number;
    at = leap(other, at, slot);
    if (other[at] === slot) list[count++] = slot;
  }
  return count;
}

/** The first position from `from` on whose number is at least `value`. */
function leap(numbers: Uint32Array, from: number, value: number): number {
  let step = 1;
  let low = from;
  let high = from;
  while (high < numbers.length && (numbers[high] as number) < value) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, numbers.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function matchTail({ tail }: Segments, conditions: readonly Condition[]): number[] {
  if (tail.aliveCount === 0) return [];
  const isAlive = (entry: number) => tail.entries[entry]?.alive === true;
  const [shortest, ...others] = conditions
    .map((condition) => condition.tail)
    .sort((a, b) => a.length - b.length);
  if (!shortest) return [...tail.entries.keys()].filter(isAlive);
  return shortest.filter((entry) => isAlive(entry) && others.every((list) => includes(list, entry)));
}

function includes(ascending: readonly number[], value: number): boolean {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ascending[middle] as number) < value) from = middle + 1;
    else to = middle;
  }
  return ascending[from] === value;
}
