// The part of the index that changes: the products written since the base was built, few compared to it. A changed product is a new entry
// here and a dead slot there. Entries are only ever added, so their lists stay ascending.
import { CATALOG_SORTS, type CatalogSort } from "../../../../proto/resources/product.ts";
import { type Base, type Field, FIELDS, type IndexedProduct, keysAt, valuesOf } from "./base.ts";
import { COMPARE, idWords, type SortKeys } from "./keys.ts";
import { nameKey } from "./text.ts";

export type TailEntry = {
  readonly product: Omit<IndexedProduct, "texts">;
  readonly keys: SortKeys;
  readonly values: Record<Field, readonly string[]>;
  alive: boolean;
};

/** The living entries in the order of one sort, each with its position among the slots of the base, between two ranks. */
export type TailOrder = { readonly entries: readonly number[]; readonly places: readonly number[] };

export type Tail = {
  readonly entries: readonly TailEntry[];
  readonly aliveCount: number;
  /** The numbers of the entries that have the value, ascending, including dead ones; undefined if there are none. */
  list(field: Field, value: string): readonly number[] | undefined;
  values(field: Field): Iterable<[value: string, entries: readonly number[]]>;
  order(sort: CatalogSort): TailOrder;
  findById(id: string): number | undefined;
  findBySlug(slug: string): number | undefined;
  add(products: readonly IndexedProduct[]): void;
  /** Removes the entry with this id. Returns whether there was a living one. */
  remove(id: string): boolean;
  /** To be called after a group of additions and removals. */
  settle(): void;
};

export function createTail(base: Base): Tail {
  const entries: TailEntry[] = [];
  const byId = new Map<string, number>();
  const bySlug = new Map<string, number>();
  const lists = Object.fromEntries(FIELDS.map((field) => [field, new Map<string, number[]>()])) as Record<
    Field,
    Map<string, number[]>
  >;
  const empty: TailOrder = { entries: [], places: [] };
  const orders = Object.fromEntries(CATALOG_SORTS.map((sort) => [sort, empty])) as Record<
    CatalogSort,
    TailOrder
  >;
  let settled = 0;

  function add(product: IndexedProduct): void {
    const number = entries.length;
    const values = valuesOf(product);
    for (const field of FIELDS) {
      values[field] = [...new Set(values[field])];
      for (const value of values[field]) {
        const list = lists[field].get(value);
        if (list) list.push(number);
        else lists[field].set(value, [number]);
      }
    }
    const { texts: _, ...rest } = product;
    entries.push({ product: rest, keys: keysOf(product), values, alive: true });
    byId.set(product.id, number);
    bySlug.set(product.slug, number);
  }

  return {
    entries,
    get aliveCount() {
      return byId.size;
    },
    list: (field, value) => lists[field].get(value),
    values: (field) => lists[field],
    order: (sort) => orders[sort],
    findById: (id) => byId.get(id),
    findBySlug: (slug) => bySlug.get(slug),
    add: (products) => {
      for (const product of products) add(product);
    },
    remove: (id) => {
      const number = byId.get(id);
      const entry = number === undefined ? undefined : entries[number];
      if (!entry) return false;
      entry.alive = false;
      byId.delete(id);
      if (bySlug.get(entry.product.slug) === number) bySlug.delete(entry.product.slug);
      return true;
    },
    settle: () => {
      const added: number[] = [];
      for (let number = settled; number < entries.length; number++) added.push(number);
      for (const sort of CATALOG_SORTS) orders[sort] = extend(base, entries, sort, orders[sort], added);
      settled = entries.length;
    },
  };
}

function keysOf(product: IndexedProduct): SortKeys {
  const { isFeatured, featuredRank, publishedAtMs, popularity, rating, ratingCount, homeOrder } = product;
  return {
    isFeatured,
    featuredRank,
    publishedAtMs,
    name: Buffer.from(nameKey(product.name)),
    popularity,
    rating,
    ratingCount,
    homeOrder,
    id: idWords(product.id),
  };
}

/** The order without the dead entries and with the living ones of `added`. */
function extend(
  base: Base,
  all: readonly TailEntry[],
  sort: CatalogSort,
  before: TailOrder,
  added: readonly number[],
): TailOrder {
  const compare = COMPARE[sort];
  const isIn = (number: number) => {
    const entry = all[number];
    return entry?.alive === true && (sort !== "home" || entry.keys.homeOrder !== null);
  };
  const compareNumbers = (a: number, b: number) => {
    const [entryA, entryB] = [all[a], all[b]];
    return entryA && entryB ? compare(entryA.keys, entryB.keys) : 0;
  };
  const fresh = added.filter(isIn).sort(compareNumbers);
  const entries: number[] = [];
  const ranks: number[] = [];
  let next = 0;
  const takeFresh = (until: (number: number) => boolean) => {
    for (let number = fresh[next]; number !== undefined && until(number); number = fresh[++next]) {
      entries.push(number);
      ranks.push(rankInBase(base, sort, all[number] as TailEntry));
    }
  };
  before.entries.forEach((number, i) => {
    if (!isIn(number)) return;
    takeFresh((candidate) => compareNumbers(candidate, number) < 0);
    entries.push(number);
    ranks.push(Math.ceil(before.places[i] as number));
  });
  takeFresh(() => true);
  // Distinct numbers below the rank that they precede, ascending in the order of the entries.
  return { entries, places: ranks.map((rank, i) => rank - 1 + (i + 1) / (ranks.length + 2)) };
}

/** How many slots of the base come before the entry. */
function rankInBase(base: Base, sort: CatalogSort, entry: TailEntry): number {
  const order = base.orders[sort];
  let from = 0;
  let to = order.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (COMPARE[sort](keysAt(base, order[middle] as number), entry.keys) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
