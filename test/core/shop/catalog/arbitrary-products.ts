// Random products and queries from few words and values, so that filters match, ties occur and misspellings hit.
import fc from "fast-check";
import type { IndexedProduct } from "../../../../core/shop/catalog/index/base.ts";
import type { PageQuery } from "../../../../core/shop/catalog/index/catalog-index.ts";
import { wordsOf } from "../../../../core/shop/catalog/index/text.ts";
import { CATALOG_FACETS, CATALOG_SORTS, PUBLIC_STATUSES } from "../../../../proto/resources/product.ts";

const WORDS = [
  "icon",
  "icons",
  "iconic",
  "dash",
  "dashboard",
  "dashbord",
  "Café",
  "cafe",
  "kit",
  "kits",
  "ui",
  "UX",
  "Naïve",
  "font",
  "fond",
  "fonts",
  "плагин",
  "図鑑",
  "3d",
  "a",
  "ab",
  "abc",
  "template",
  "templates",
  "tempo",
  "ﬁgure",
  "STRASSE",
  "straße",
];
const MISSPELT = [
  "icno",
  "fnt",
  "dashbaord",
  "tempalte",
  "kitz",
  "cfe",
  "плагн",
  "xyzzy",
  "te",
  "i",
  "figur",
  "onts",
  "bc",
  "図",
];

const slugs = (...values: string[]) => fc.constantFrom(...values);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(" "));
const cents = fc.constantFrom(0, 900, 1_900);
const DAY = 86_400_000;

export function arbitraryProduct(id: string): fc.Arbitrary<IndexedProduct> {
  return fc
    .record({
      name: text,
      tagline: text,
      status: fc.constantFrom(...PUBLIC_STATUSES),
      category: orNull(slugs("icons", "fonts", "kits")),
      subcategory: orNull(slugs("line", "solid")),
      pricingTier: orNull(slugs("free", "standard", "premium")),
      tags: fc.uniqueArray(slugs("dark", "light", "3d", "retro"), { maxLength: 4 }),
      featuredRank: orNull(fc.integer({ min: -1, max: 3 })),
      homeOrder: orNull(fc.integer({ min: 0, max: 3 })),
      publishedAtMs: orNull(fc.integer({ min: 0, max: 5 }).map((day) => day * DAY)),
      updatedAtMs: fc.integer({ min: 0, max: 5 }).map((day) => day * DAY),
      popularity: fc.integer({ min: 0, max: 2 }),
      rating: orNull(fc.constantFrom(0, 350, 499)),
      ratingCount: fc.integer({ min: 0, max: 2 }),
      priceCents: orNull(cents),
      sale: orNull(
        fc.record({
          priceCents: cents,
          startsAtMs: fc.constantFrom(Number.NEGATIVE_INFINITY, 0, 2),
          endsAtMs: fc.constantFrom(2, 3, Number.POSITIVE_INFINITY),
        }),
      ),
    })
    .map(({ tagline, ...rest }) => ({
      ...rest,
      id,
      slug: `product-${id}`,
      texts: [rest.name, tagline, ...rest.tags],
      isFeatured: rest.status === "featured",
      version: 1,
    }));
}

/** Ids whose order differs from the order of creation. */
export const idOf = (i: number) =>
  `${((i * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0")}-0000-4000-8000-${String(i).padStart(12, "0")}`;

export function arbitraryProducts(max: number, from = 0): fc.Arbitrary<IndexedProduct[]> {
  return fc
    .integer({ min: 0, max })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => arbitraryProduct(idOf(from + i)))));
}

export const arbitraryQuery: fc.Arbitrary<PageQuery> = fc.record({
  words: fc
    .array(fc.constantFrom(...WORDS, ...MISSPELT), { maxLength: 3 })
    .map((words) => wordsOf(words.join(" "))),
  category: orNull(slugs("icons", "fonts", "nowhere")),
  subcategory: fc.option(slugs("line", "solid"), { nil: null, freq: 1 }),
  pricingTier: fc.option(slugs("free", "standard", "lost"), { nil: null, freq: 1 }),
  tags: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    fc.array(slugs("dark", "3d", "retro"), { maxLength: 2 }),
  ),
  statuses: fc.option(fc.subarray([...PUBLIC_STATUSES]), { nil: null, freq: 1 }),
  sort: fc.constantFrom(...CATALOG_SORTS),
  offset: fc.oneof(fc.constant(0), fc.nat(30)),
  limit: fc.integer({ min: 1, max: 12 }),
  facets: fc.subarray([...CATALOG_FACETS]),
  price: fc.option(
    fc.record({ minCents: orNull(cents), maxCents: orNull(cents), atMs: fc.integer({ min: 0, max: 4 }) }),
    { nil: undefined, freq: 1 },
  ),
});
