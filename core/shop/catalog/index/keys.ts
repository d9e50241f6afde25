// The sort keys. Each sort breaks ties by the next one, in the order featured, newest, alphabetical, popular, rating, home, and the last
// tie by id, so every order is total and the same at every core.
import { type CatalogSort } from "../../../../proto/resources/product.ts";

/** The keys of one product. Null always comes last. */
export type SortKeys = {
  readonly isFeatured: boolean;
  readonly featuredRank: number | null;
  readonly publishedAtMs: number | null;
  /** The UTF-8 of nameKey(name). */
  readonly name: Uint8Array;
  readonly popularity: number;
  /** The rating times 100. */
  readonly rating: number | null;
  readonly ratingCount: number;
  readonly homeOrder: number | null;
  /** The uuid as four numbers of 32 bits. */
  readonly id: readonly [number, number, number, number];
};

type Compare = (a: SortKeys, b: SortKeys) => number;

const byId: Compare = (a, b) =>
  a.id[0] - b.id[0] || a.id[1] - b.id[1] || a.id[2] - b.id[2] || a.id[3] - b.id[3];

const home: Compare = (a, b) => smallestFirst(a.homeOrder, b.homeOrder) || byId(a, b);

const rating: Compare = (a, b) =>
  largestFirst(a.rating, b.rating) || b.ratingCount - a.ratingCount || home(a, b);

const popular: Compare = (a, b) => b.popularity - a.popularity || rating(a, b);

const alphabetical: Compare = (a, b) => Buffer.compare(a.name, b.name) || popular(a, b);

const newest: Compare = (a, b) => largestFirst(a.publishedAtMs, b.publishedAtMs) || alphabetical(a, b);

const featured: Compare = (a, b) =>
  Number(b.isFeatured) - Number(a.isFeatured) ||
  smallestFirst(a.featuredRank, b.featuredRank) ||
  newest(a, b);

/** Less than 0 if `a` comes before `b`. */
export const COMPARE: Record<CatalogSort, Compare> = {
  featured,
  newest,
  alphabetical,
  popular,
  rating,
  home,
};

function smallestFirst(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null ? -1 : a - b;
}

function largestFirst(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null ? -1 : b - a;
}

/** Four big-endian numbers whose order is the order of the uuid's text. */
export function idWords(uuid: string): [number, number, number, number] {
  const hex = uuid.replaceAll("-", "");
  const word = (at: number) => Number.parseInt(hex.slice(at * 8, at * 8 + 8), 16);
  return [word(0), word(1), word(2), word(3)];
}

export function idText(words: readonly [number, number, number, number]): string {
  const hex = words.map((word) => word.toString(16).padStart(8, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
