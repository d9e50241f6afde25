// One page of the matches in the order of a sort. It uses the cheaper of two methods: walking along the whole order and picking the matches
// (many matches), or selecting by the positions of the matches (few).
import type { CatalogSort } from "../../../../proto/resources/product.ts";
import type { Base } from "./base.ts";
import { hasBit, listBits, setAll } from "./bitset.ts";
import type { Matches, Scratch } from "./matches.ts";
import type { Tail } from "./tail.ts";

/** The measured cost of selecting one match, in steps of a walk. */
const STEPS_PER_SELECTED = 4;

type Ordered = {
  base: Base;
  tail: Tail;
  sort: CatalogSort;
  /** The positions of the matching entries of the tail, ascending, and their slots. */
  tailPlaces: number[];
  tailSlots: number[];
};

/** The slots of the page; slots from base.count on are entries of the tail. `limit` is small. */
export function pageOf(
  { base, tail }: { base: Base; tail: Tail },
  matches: Matches,
  { sort, offset, limit }: { sort: CatalogSort; offset: number; limit: number },
  scratch: Scratch,
): number[] {
  const { total } = matches;
  if (offset >= total) return [];
  const end = Math.min(offset + limit, total);
  const ordered = { base, tail, sort, ...orderTail(base, tail, sort, matches.tail) };
  const order = base.orders[sort];
  const everything = matches.base.count === order.length && matches.base.count === base.count;
  if (everything && ordered.tailSlots.length === 0) return [...order.subarray(offset, end)];

  // From the nearer end.
  const backward = total - end < offset;
  const reach = backward ? total - offset : end;
  const steps = (reach * order.length) / Math.max(1, matches.base.count);
  if (steps > matches.base.count * STEPS_PER_SELECTED) return select(ordered, matches, offset, end, scratch);
  const bits = toBits(matches, scratch);
  if (!backward) return walk(ordered, bits, offset, end);
  return walkBack(ordered, bits, total - end, total - offset).reverse();
}

function orderTail(
  base: Base,
  tail: Tail,
  sort: CatalogSort,
  matching: readonly number[],
): Pick<Ordered, "tailPlaces" | "tailSlots"> {
  const tailPlaces: number[] = [];
  const tailSlots: number[] = [];
  if (matching.length === 0) return { tailPlaces, tailSlots };
  const { entries, places } = tail.order(sort);
  const wanted = new Set(matching);
  entries.forEach((entry, i) => {
    if (!wanted.has(entry)) return;
    tailPlaces.push(places[i] as number);
    tailSlots.push(base.count + entry);
  });
  return { tailPlaces, tailSlots };
}

function toBits({ base }: Matches, scratch: Scratch): Uint32Array {
  if (base.kind === "bits") return base.bits;
  scratch.bits.fill(0);
  setAll(scratch.bits, base.slots);
  return scratch.bits;
}

/** The matches from number `from` up to, but not including, number `to`. */
function walk(
  { base, sort, tailPlaces, tailSlots }: Ordered,
  bits: Uint32Array,
  from: number,
  to: number,
): number[] {
  const order = base.orders[sort];
  const page: number[] = [];
  let seen = 0;
  let next = 0;
  const take = (slot: number) => {
    if (seen++ >= from) page.push(slot);
  };
  for (let rank = 0; rank < order.length && seen < to; rank++) {
    while (next < tailPlaces.length && (tailPlaces[next] as number) < rank && seen < to)
      take(tailSlots[next++] as number);
    const slot = order[rank] as number;
    if (hasBit(bits, slot) && seen < to) take(slot);
  }
  while (next < tailPlaces.length && seen < to) take(tailSlots[next++] as number);
  return page;
}

/** The same counted from the end, last one first. */
function walkBack(
  { base, sort, tailPlaces, tailSlots }: Ordered,
  bits: Uint32Array,
  from: number,
  to: number,
): number[] {
  const order = base.orders[sort];
  const page: number[] = [];
  let seen = 0;
  let next = tailPlaces.length - 1;
  const take = (slot: number) => {
    if (seen++ >= from) page.push(slot);
  };
  for (let rank = order.length - 1; rank >= 0 && seen < to; rank--) {
    while (next >= 0 && (tailPlaces[next] as number) > rank && seen < to) take(tailSlots[next--] as number);
    const slot = order[rank] as number;
    if (hasBit(bits, slot) && seen < to) take(slot);
  }
  while (next >= 0 && seen < to) take(tailSlots[next--] as number);
  return page;
}

function select(ordered: Ordered, matches: Matches, from: number, to: number, scratch: Scratch): number[] {
  const { base, sort, tailPlaces, tailSlots } = ordered;
  const ranks = base.ranks[sort];
  const slots = toList(matches, scratch);
  const count = slots.length + tailPlaces.length;
  const places = count <= scratch.places.length ? scratch.places : new Float64Array(count);
  for (let i = 0; i < slots.length; i++) places[i] = ranks[slots[i] as number] as number;
  places.set(tailPlaces, slots.length);
  partition(places, 0, count, from);
  partition(places, from, count, to);
  const order = base.orders[sort];
  return [...places.subarray(from, to).sort()].map((place) =>
    Number.isInteger(place) ? (order[place] as number) : (tailSlots[tailPlaces.indexOf(place)] as number),
  );
}

function toList({ base }: Matches, scratch: Scratch): Uint32Array {
  if (base.kind === "list") return base.slots;
  return scratch.list.subarray(0, listBits(base.bits, scratch.list));
}

/** Moves the smallest numbers of [from, to) before `middle`. The numbers are distinct. */
function partition(numbers: Float64Array, from: number, to: number, middle: number): void {
  let low = from;
  let high = to - 1;
  while (low < high && middle > low && middle <= high) {
    const pivot = numbers[(low + high) >>> 1] as number;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((numbers[i] as number) < pivot) i++;
      while ((numbers[j] as number) > pivot) j--;
      if (i <= j) {
        const held = numbers[i] as number;
        numbers[i++] = numbers[j] as number;
        numbers[j--] = held;
      }
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}
