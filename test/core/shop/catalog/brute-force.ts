// The index's queries, answered by reading every product: slow and simple.
import type { IndexedProduct } from "../../../../core/shop/catalog/index/base.ts";
import type { PageQuery } from "../../../../core/shop/catalog/index/catalog-index.ts";
import { CATALOG_FACETS, type CatalogFacet, PUBLIC_STATUSES } from "../../../../proto/resources/product.ts";

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}

function words(product: IndexedProduct): Set<string> {
  return new Set(product.texts.flatMap((text) => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []));
}

/** Optimal string alignment, the textbook version. */
function distance(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => d[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let best = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(i - 2, j - 2) + 1);
      (d[i] ?? [])[j] = best;
    }
  }
  return at(a.length, b.length);
}

function byKey<T>(...keys: ((product: T) => number | string | null)[]): (a: T, b: T) => number {
  return (a, b) => {
    for (const key of keys) {
      const [x, y] = [key(a), key(b)];
      if (x === y) continue;
      if (x === null) return 1;
      if (y === null) return -1;
      return x < y ? -1 : 1;
    }
    return 0;
  };
}

const descending = (value: number | null) => (value === null ? null : -value);

const HOME = [(p: IndexedProduct) => p.homeOrder, (p: IndexedProduct) => p.id];
const RATING = [(p: IndexedProduct) => descending(p.rating), (p: IndexedProduct) => -p.ratingCount, ...HOME];
const POPULAR = [(p: IndexedProduct) => -p.popularity, ...RATING];
const ALPHABETICAL = [(p: IndexedProduct) => plain(p.name).trim(), ...POPULAR];
const NEWEST = [(p: IndexedProduct) => descending(p.publishedAtMs), ...ALPHABETICAL];
const FEATURED = [
  (p: IndexedProduct) => (p.status === "featured" ? 0 : 1),
  (p: IndexedProduct) => p.featuredRank,
  ...NEWEST,
];
const SORTS = {
  featured: byKey(...FEATURED),
  newest: byKey(...NEWEST),
  alphabetical: byKey(...ALPHABETICAL),
  popular: byKey(...POPULAR),
  rating: byKey(...RATING),
  home: byKey(...HOME),
};

function wordMatcher(
  all: readonly IndexedProduct[],
  word: string,
  isLast: boolean,
): (p: IndexedProduct) => boolean {
  const matches = (candidate: string) => (isLast ? candidate.startsWith(word) : candidate === word);
  const known = (p: IndexedProduct) => [...words(p)].some(matches);
  if (all.some(known)) return known;
  return (p) => word.length >= 3 && [...words(p)].some((candidate) => distance(candidate, word) === 1);
}

function facetValues(p: IndexedProduct, facet: CatalogFacet): readonly (string | null)[] {
  if (facet === "tag") return [...new Set(p.tags)];
  return [facet === "category" ? p.category : facet === "pricing_tier" ? p.pricingTier : p.status];
}

function isInRange({ priceCents, sale }: IndexedProduct, price: PageQuery["price"]): boolean {
  const { minCents = null, maxCents = null, atMs = 0 } = price ?? {};
  if (minCents === null && maxCents === null) return true;
  const cents = sale && sale.startsAtMs <= atMs && atMs < sale.endsAtMs ? sale.priceCents : priceCents;
  return cents !== null && cents >= (minCents ?? 0) && cents <= (maxCents ?? cents);
}

export function readAll(all: readonly IndexedProduct[], query: PageQuery) {
  const words = query.words ?? [];
  const matchers = words.map((word, i) => wordMatcher(all, word, i === words.length - 1));
  const found = all
    .filter((p) => query.category === null || p.category === query.category)
    .filter((p) => query.subcategory === null || p.subcategory === query.subcategory)
    .filter((p) => query.pricingTier === null || p.pricingTier === query.pricingTier)
    .filter((p) => query.tags.every((tag) => p.tags.includes(tag)))
    .filter((p) => (query.statuses ?? PUBLIC_STATUSES).includes(p.status))
    .filter((p) => isInRange(p, query.price))
    .filter((p) => query.sort !== "home" || p.homeOrder !== null)
    .filter(() => query.words !== null)
    .filter((p) => matchers.every((matches) => matches(p)))
    .sort(SORTS[query.sort]);
  return {
    total: found.length,
    ids: found.slice(query.offset, query.offset + query.limit).map(({ id }) => id),
    facets: CATALOG_FACETS.filter((facet) => query.facets.includes(facet)).map((facet) => {
      const counts = new Map<string, number>();
      for (const p of found)
        for (const value of facetValues(p, facet))
          if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
      const values = [...counts]
        .map(([value, count]) => ({ value, count }))
        .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
      return { facet, values };
    }),
  };
}
