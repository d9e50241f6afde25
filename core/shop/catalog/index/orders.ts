// Puts all slots in the order of each sort. Every sort breaks ties by the next one, so each starts from the next one's order and needs only
// a stable sort by its own key.
import { type CatalogSort, PUBLIC_STATUSES } from "../../../../proto/resources/product.ts";
import { textAt, type Texts } from "./numbers.ts";

/** The same as in Base. */
type Columns = {
  ids: Uint32Array;
  names: Texts;
  featuredRank: Int32Array;
  homeOrder: Int32Array;
  publishedAtMs: Float64Array;
  popularity: Float64Array;
  rating: Int32Array;
  ratingCount: Uint32Array;
  status: Uint8Array;
};

/** Stands for null in the columns of whole numbers. */
export const NONE = -0x80000000;
const FEATURED = PUBLIC_STATUSES.indexOf("featured");
/** The bytes of a name that fit exactly into one number, by which nearly all names differ. */
const HEAD_BYTES = 6;

export function buildOrders(count: number, columns: Columns): Record<CatalogSort, Uint32Array<ArrayBuffer>> {
  const smallestFirst = (column: Int32Array) => (slot: number) => {
    const value = column[slot] as number;
    return value === NONE ? Number.POSITIVE_INFINITY : value;
  };
  const largestFirst = (column: ArrayLike<number>) => (slot: number) => -(column[slot] as number);

  const byId = sortById(count, columns.ids);
  const home = sortBy(byId, smallestFirst(columns.homeOrder));
  const byCount = sortBy(home, largestFirst(columns.ratingCount));
  const rating = sortBy(byCount, largestFirst(columns.rating));
  const popular = sortBy(rating, largestFirst(columns.popularity));
  const alphabetical = sortByName(popular, columns.names);
  const newest = sortBy(alphabetical, largestFirst(columns.publishedAtMs));
  const byRank = sortBy(newest, smallestFirst(columns.featuredRank));
  const featured = sortBy(byRank, (slot) => (columns.status[slot] === FEATURED ? 0 : 1));
  const atHome = home.findIndex((slot) => columns.homeOrder[slot] === NONE);
  return {
    featured,
    newest,
    alphabetical,
    popular,
    rating,
    home: atHome < 0 ? home : home.slice(0, atHome),
  };
}

/** A stable sort of `order`: slots with equal keys keep their order. Infinite keys are equal to each other. */
function sortBy(order: Uint32Array, keyOf: (slot: number) => number): Uint32Array<ArrayBuffer> {
  const keys = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) keys[i] = keyOf(order[i] as number);
  const places = sequence(order.length).sort((a, b) => {
    const [keyA, keyB] = [keys[a] as number, keys[b] as number];
    return keyA < keyB ? -1 : keyA > keyB ? 1 : a - b;
  });
  return places.map((place) => order[place] as number);
}

function sortById(count: number, ids: Uint32Array): Uint32Array<ArrayBuffer> {
  return sequence(count).sort((a, b) => {
    for (let i = 0; i < 4; i++) {
      const difference = (ids[a * 4 + i] as number) - (ids[b * 4 + i] as number);
      if (difference !== 0) return difference;
    }
    return a - b;
  });
}

function sortByName(order: Uint32Array, names: Texts): Uint32Array<ArrayBuffer> {
  const heads = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) heads[i] = headOf(textAt(names, order[i] as number));
  const places = sequence(order.length).sort((a, b) => {
    const [headA, headB] = [heads[a] as number, heads[b] as number];
    if (headA !== headB) return headA - headB;
    return compareBytes(names, order[a] as number, order[b] as number) || a - b;
  });
  return places.map((place) => order[place] as number);
}

function headOf(name: Uint8Array): number {
  let head = 0;
  for (let i = 0; i < HEAD_BYTES; i++) head = head * 256 + (name[i] ?? 0);
  return head;
}

function compareBytes({ bytes, offsets }: Texts, a: number, b: number): number {
  const [fromA, toA] = [offsets[a] as number, offsets[a + 1] as number];
  const [fromB, toB] = [offsets[b] as number, offsets[b + 1] as number];
  const length = Math.min(toA - fromA, toB - fromB);
  for (let i = 0; i < length; i++) {
    const difference = (bytes[fromA + i] as number) - (bytes[fromB + i] as number);
    if (difference !== 0) return difference;
  }
  return toA - fromA - (toB - fromB);
}

function sequence(length: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(length);
  for (let i = 0; i < length; i++) numbers[i] = i;
  return numbers;
}
