// The unchanging part of the index: typed arrays about the products that were public when it was built, each known by a dense number, its
// slot. It consists only of typed arrays, so that a thread can build it and hand it over without a copy.
import {
  CATALOG_FACETS,
  CATALOG_SORTS,
  type CatalogSort,
  PUBLIC_STATUSES,
  type PublicStatus,
} from "../../../../proto/resources/product.ts";
import { wordsFor } from "./bitset.ts";
import { buildHeavyPrefixes, type HeavyPrefixes } from "./heavy-prefixes.ts";
import { idWords, type SortKeys } from "./keys.ts";
import { createListsBuilder, type Forward, type Lists, type ListsBuilder } from "./lists.ts";
import { createNumbers, createTexts, type Numbers, textAt, type Texts } from "./numbers.ts";
import { buildOrders, NONE } from "./orders.ts";
import { buildTable, findInTable, hashBytes, hashId, type Table } from "./table.ts";
import { nameKey, wordsOf } from "./text.ts";

/** The indexed fields of a product. */
export type IndexedProduct = {
  /** A uuid. */
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly status: PublicStatus;
  readonly category: string | null;
  readonly subcategory: string | null;
  readonly pricingTier: string | null;
  readonly tags: readonly string[];
  /** The searched text: name, tagline, description, tags, and names of the categories. */
  readonly texts: readonly string[];
  readonly isFeatured: boolean;
  /** A whole number within 32 bits. */
  readonly featuredRank: number | null;
  readonly homeOrder: number | null;
  readonly publishedAtMs: number | null;
  readonly updatedAtMs: number;
  readonly popularity: number;
  /** The rating times 100, as a whole number. */
  readonly rating: number | null;
  readonly ratingCount: number;
  /** Without a sale; null for a product that cannot be bought yet. */
  readonly priceCents: number | null;
  /** When the price changes automatically, and to which; infinite on an open side of the sale. Null without a sale. */
  readonly sale: {
    readonly priceCents: number;
    readonly startsAtMs: number;
    readonly endsAtMs: number;
  } | null;
  /** The catalog version in which it last changed publicly. */
  readonly version: number;
};

/** The fields to filter by. `home` has a single value, which all products with a home order have. */
export const FIELDS = ["word", "category", "subcategory", "pricing_tier", "tag", "status", "home"] as const;
export type Field = (typeof FIELDS)[number];
/** The fields that are counted over the matches of a query. */
const COUNTED_FIELDS = [...CATALOG_FACETS, "subcategory"] as const;
export type CountedField = (typeof COUNTED_FIELDS)[number];
export const HOME_VALUE = "home";

export type Base = {
  readonly count: number;
  /** Four numbers for each slot. */
  readonly ids: Uint32Array<ArrayBuffer>;
  readonly idTable: Table;
  readonly slugs: Texts;
  readonly slugTable: Table;
  readonly names: Texts;
  readonly featuredRank: Int32Array<ArrayBuffer>;
  readonly homeOrder: Int32Array<ArrayBuffer>;
  /** -Infinity for null. */
  readonly publishedAtMs: Float64Array<ArrayBuffer>;
  readonly updatedAtMs: Float64Array<ArrayBuffer>;
  readonly popularity: Float64Array<ArrayBuffer>;
  readonly rating: Int32Array<ArrayBuffer>;
  readonly ratingCount: Uint32Array<ArrayBuffer>;
  readonly versions: Uint32Array<ArrayBuffer>;
  /** The position in PUBLIC_STATUSES. */
  readonly status: Uint8Array<ArrayBuffer>;
  /** The slots in the order of each sort; `home` contains only those with a home order. */
  readonly orders: Readonly<Record<CatalogSort, Uint32Array<ArrayBuffer>>>;
  /** The position of each slot in its order. */
  readonly ranks: Readonly<Record<CatalogSort, Uint32Array<ArrayBuffer>>>;
  readonly lists: Readonly<Record<Field, Lists>>;
  readonly forward: Readonly<Record<CountedField, Forward>>;
  readonly heavyPrefixes: HeavyPrefixes;
  readonly prices: Int32Array<ArrayBuffer>;
  readonly salePrices: Uint32Array<ArrayBuffer>;
  readonly saleStarts: Float64Array<ArrayBuffer>;
  readonly saleEnds: Float64Array<ArrayBuffer>;
  readonly saleSlots: Uint32Array<ArrayBuffer>;
};

export type BaseBuilder = { add(product: IndexedProduct): void; readonly count: number; finish(): Base };

/** The words by which search finds a product, with repetitions. */
export function searchWords({ texts }: Pick<IndexedProduct, "texts">): string[] {
  return texts.flatMap(wordsOf);
}

/** The values of a product in each field. */
export function valuesOf(product: IndexedProduct): Record<Field, readonly string[]> {
  return {
    word: searchWords(product),
    category: present(product.category),
    subcategory: present(product.subcategory),
    pricing_tier: present(product.pricingTier),
    tag: product.tags,
    status: [product.status],
    home: product.homeOrder === null ? [] : [HOME_VALUE],
  };
}

function present(value: string | null): readonly string[] {
  return value === null ? [] : [value];
}

export function createBaseBuilder(): BaseBuilder {
  const gathered = createGathered();
  return {
    get count() {
      return gathered.count;
    },
    add: (product) => {
      addProduct(gathered, product);
      gathered.count++;
    },
    finish: () => finishBase(gathered),
  };
}

function createGathered() {
  return {
    count: 0,
    ids: createNumbers(),
    slugs: createTexts(),
    names: createTexts(),
    featuredRank: createNumbers(),
    homeOrder: createNumbers(),
    publishedAtMs: createNumbers(Float64Array),
    updatedAtMs: createNumbers(Float64Array),
    popularity: createNumbers(Float64Array),
    rating: createNumbers(),
    ratingCount: createNumbers(),
    versions: createNumbers(),
    status: createNumbers(),
    prices: createNumbers(),
    saleSlots: createNumbers(),
    salePrices: createNumbers(),
    saleStarts: createNumbers(Float64Array),
    saleEnds: createNumbers(Float64Array),
    lists: Object.fromEntries(FIELDS.map((field) => [field, createListsBuilder()])) as Record<
      Field,
      ListsBuilder
    >,
  };
}

type Gathered = ReturnType<typeof createGathered>;

function addProduct(gathered: Gathered, product: IndexedProduct): void {
  for (const word of idWords(product.id)) gathered.ids.push(word);
  gathered.slugs.add(product.slug);
  gathered.names.add(nameKey(product.name));
  gathered.featuredRank.push(product.featuredRank ?? NONE);
  gathered.homeOrder.push(product.homeOrder ?? NONE);
  gathered.publishedAtMs.push(product.publishedAtMs ?? Number.NEGATIVE_INFINITY);
  gathered.updatedAtMs.push(product.updatedAtMs);
  gathered.popularity.push(product.popularity);
  gathered.rating.push(product.rating ?? NONE);
  gathered.ratingCount.push(product.ratingCount);
  gathered.versions.push(product.version);
  gathered.status.push(PUBLIC_STATUSES.indexOf(product.status));
  gathered.prices.push(product.priceCents ?? NONE);
  if (product.sale) {
    gathered.saleSlots.push(gathered.count);
    gathered.salePrices.push(product.sale.priceCents);
    gathered.saleStarts.push(product.sale.startsAtMs);
    gathered.saleEnds.push(product.sale.endsAtMs);
  }
  const values = valuesOf(product);
  for (const field of FIELDS) gathered.lists[field].add(values[field]);
}

function finishBase(gathered: Gathered): Base {
  const { count } = gathered;
  // The words are built first, because they take most memory, which is released before the rest is built.
  const finished = Object.fromEntries(
    FIELDS.map((field) => [field, gathered.lists[field].finish(isCounted(field))]),
  ) as Record<Field, ReturnType<ListsBuilder["finish"]>>;
  const lists = Object.fromEntries(FIELDS.map((field) => [field, finished[field].lists])) as Base["lists"];
  const columns = {
    ids: toUints(gathered.ids),
    names: gathered.names.finish(),
    featuredRank: toInts(gathered.featuredRank),
    homeOrder: toInts(gathered.homeOrder),
    publishedAtMs: toFloats(gathered.publishedAtMs),
    updatedAtMs: toFloats(gathered.updatedAtMs),
    popularity: toFloats(gathered.popularity),
    rating: toInts(gathered.rating),
    ratingCount: toUints(gathered.ratingCount),
    versions: toUints(gathered.versions),
    status: Uint8Array.from(toUints(gathered.status)),
  };
  const slugs = gathered.slugs.finish();
  const orders = buildOrders(count, columns);
  return {
    count,
    ...columns,
    idTable: buildTable(count, (slot) => hashId(columns.ids, slot * 4)),
    slugs,
    slugTable: buildTable(count, (slot) => hashBytes(textAt(slugs, slot))),
    orders,
    ranks: Object.fromEntries(
      CATALOG_SORTS.map((sort) => [sort, invertOrder(orders[sort], count)]),
    ) as Base["ranks"],
    lists,
    forward: Object.fromEntries(
      COUNTED_FIELDS.map((field) => [field, finished[field].forward]),
    ) as Base["forward"],
    heavyPrefixes: buildHeavyPrefixes(lists.word, count),
    prices: toInts(gathered.prices),
    saleSlots: toUints(gathered.saleSlots),
    salePrices: toUints(gathered.salePrices),
    saleStarts: toFloats(gathered.saleStarts),
    saleEnds: toFloats(gathered.saleEnds),
  };
}

function isCounted(field: Field): boolean {
  return (COUNTED_FIELDS as readonly Field[]).includes(field);
}

function toUints(numbers: Numbers): Uint32Array<ArrayBuffer> {
  const array = new Uint32Array(numbers.length);
  numbers.copyTo(array, 0);
  numbers.clear();
  return array;
}

/** Negative numbers were gathered modulo 2^32. */
function toInts(numbers: Numbers): Int32Array<ArrayBuffer> {
  return new Int32Array(toUints(numbers).buffer);
}

function toFloats(numbers: Numbers): Float64Array<ArrayBuffer> {
  const array = new Float64Array(numbers.length);
  numbers.copyTo(array, 0);
  numbers.clear();
  return array;
}

function invertOrder(order: Uint32Array, count: number): Uint32Array<ArrayBuffer> {
  const ranks = new Uint32Array(count).fill(0xffffffff);
  for (let rank = 0; rank < order.length; rank++) ranks[order[rank] as number] = rank;
  return ranks;
}

/** -1 if the base has no product with this id. */
export function findInBase({ ids, idTable }: Pick<Base, "ids" | "idTable">, id: string): number {
  const words = idWords(id);
  return findInTable(idTable, hashId(words, 0), (slot) =>
    words.every((word, i) => ids[slot * 4 + i] === word),
  );
}

/** The keys of a slot that the sorts compare. */
export function keysAt(base: Base, slot: number): SortKeys {
  const at = slot * 4;
  const { ids } = base;
  return {
    isFeatured: PUBLIC_STATUSES[base.status[slot] as number] === "featured",
    featuredRank: orNull(base.featuredRank[slot] as number, NONE),
    publishedAtMs: orNull(base.publishedAtMs[slot] as number, Number.NEGATIVE_INFINITY),
    name: textAt(base.names, slot),
    popularity: base.popularity[slot] as number,
    rating: orNull(base.rating[slot] as number, NONE),
    ratingCount: base.ratingCount[slot] as number,
    homeOrder: orNull(base.homeOrder[slot] as number, NONE),
    id: [ids[at] as number, ids[at + 1] as number, ids[at + 2] as number, ids[at + 3] as number],
  };
}

function orNull(value: number, none: number): number | null {
  return value === none ? null : value;
}

/** The buffers in a value that can be transferred to another thread. */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) buffersOf(inner, found);
  }
  return found;
}

export function wordsOfBase({ count }: Base): number {
  return wordsFor(count);
}
