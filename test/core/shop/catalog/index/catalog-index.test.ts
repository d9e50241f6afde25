// The index returns what reading every product returns, for any catalog, query and change.
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { demoProduct } from "../../../../../core/shop/catalog/demo/product.ts";
import { readArrays, writeArrays } from "../../../../../core/shop/catalog/index/arrays-file.ts";
import {
  createBaseBuilder,
  type IndexedProduct,
  type Base,
} from "../../../../../core/shop/catalog/index/base.ts";
import {
  type CatalogIndex,
  createCatalogIndex,
  type PageQuery,
} from "../../../../../core/shop/catalog/index/catalog-index.ts";
import { type TaxonomyNames, toIndexed } from "../../../../../core/shop/catalog/indexed-product.ts";
import { drawn } from "../../../../support/thorough.ts";
import { arbitraryProduct, arbitraryProducts, arbitraryQuery, idOf } from "../arbitrary-products.ts";
import { readAll } from "../brute-force.ts";

function indexOf(products: readonly IndexedProduct[]): CatalogIndex {
  const builder = createBaseBuilder();
  for (const product of products) builder.add(product);
  return createCatalogIndex(builder.finish());
}

function ask(index: CatalogIndex, query: PageQuery) {
  const { total, slots, facets } = index.search(query);
  return { total, ids: slots.map((slot) => index.idAt(slot)), facets };
}

function expectSameAnswers(
  index: CatalogIndex,
  products: readonly IndexedProduct[],
  queries: readonly PageQuery[],
) {
  for (const query of queries) expect(ask(index, query)).toEqual(readAll(products, query));
  expect(index.productCount).toBe(products.length);
}

const queries = fc.array(arbitraryQuery, { minLength: 8, maxLength: 8 });

describe("a search with misspelt words", () => {
  const NAMES: TaxonomyNames = { categories: new Map(), tags: new Map() };
  const WORDS = ["harbour", "lantern", "meadow", "orchard", "thunder", "willow"];
  const demo = { ...demoProduct(0, new Date("2026-03-01T00:00:00Z")), catalog_version: 1 };
  const product = toIndexed({ ...demo, name: WORDS.join(" ") }, NAMES);
  const misspell = (word: string) => `${word.slice(0, -1)}q`;
  const totalOf = (words: readonly string[]) => {
    if (!product) throw new Error("the product is not public");
    const query = { category: null, subcategory: null, pricingTier: null, tags: [], statuses: null } as const;
    return indexOf([product]).search({ ...query, words, sort: "featured", offset: 0, limit: 10, facets: [] })
      .total;
  };

  test("corrects four words at most, which bounds the cost of a search", () => {
    const wrong = (count: number) => WORDS.map((word, i) => (i < count ? misspell(word) : word));
    expect([0, 1, 4, 5, 6].map((count) => totalOf(wrong(count)))).toEqual([1, 1, 1, 0, 0]);
  });

  test("finds nothing when one word matches no product, in any position", () => {
    for (let at = 0; at <= WORDS.length; at++)
      expect(totalOf([...WORDS.slice(0, at), "zzzzzzzzz", ...WORDS.slice(at)])).toBe(0);
  });
});

describe("the catalog index", () => {
  test("returns the same as reading every product, for any query", () => {
    fc.assert(
      fc.property(arbitraryProducts(60), queries, (products, asked) => {
        expectSameAnswers(indexOf(products), products, asked);
      }),
      { numRuns: drawn(250) },
    );
  });

  test("returns the same after any live changes", () => {
    const change = fc
      .nat(39)
      .chain((i) =>
        fc.oneof(
          { weight: 3, arbitrary: arbitraryProduct(idOf(i)).map((product) => ({ id: product.id, product })) },
          { weight: 1, arbitrary: fc.constant({ id: idOf(i), product: undefined }) },
        ),
      );
    const rounds = fc.array(fc.tuple(fc.array(change, { minLength: 1, maxLength: 8 }), queries), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(arbitraryProducts(30), rounds, (products, changes) => {
        const index = indexOf(products);
        const current = new Map(products.map((product) => [product.id, product]));
        for (const [round, asked] of changes) {
          for (const { id, product } of round) {
            if (product) current.set(id, product);
            else current.delete(id);
          }
          const touched = [...new Set(round.map(({ id }) => id))];
          const upserts = touched.flatMap((id) => current.get(id) ?? []);
          index.apply(
            upserts,
            touched.filter((id) => !current.has(id)),
          );
          expectSameAnswers(index, [...current.values()], asked);
          for (const { id, slug } of current.values()) {
            expect(index.idAt(index.findSlug(slug))).toBe(id);
            expect(index.slugAt(index.findId(id))).toBe(slug);
          }
          for (const { id } of round) if (!current.has(id)) expect(index.findSlug(`product-${id}`)).toBe(-1);
        }
      }),
      { numRuns: drawn(120) },
    );
  });

  test("returns the same with lists long enough to be bitsets and prefixes frequent enough to be stored", () => {
    const products: IndexedProduct[] = [];
    for (let i = 0; products.length < 21_000; i++) {
      const product = { ...demoProduct(i, new Date("2026-01-01T00:00:00.000Z")), catalog_version: 1 };
      const indexed = toIndexed({ ...product, description: "" }, { categories: new Map(), tags: new Map() });
      if (indexed) products.push(indexed);
    }
    const index = indexOf(products);
    const everything: PageQuery = {
      words: [],
      category: null,
      subcategory: null,
      pricingTier: null,
      tags: [],
      statuses: null,
      sort: "featured",
      offset: 0,
      limit: 12,
      facets: [],
    };
    expectSameAnswers(index, products, [
      { ...everything, words: ["c"], facets: ["category", "tag", "status"] },
      { ...everything, words: ["co"], sort: "rating", offset: 3_000, category: "fonts" },
      { ...everything, words: ["lumen"], sort: "alphabetical" },
      { ...everything, words: ["dasbhoard"], sort: "newest", pricingTier: "standard" },
      {
        ...everything,
        sort: "popular",
        offset: 20_990,
        statuses: ["published", "beta", "featured", "coming_soon"],
      },
      { ...everything, tags: ["icons", "svg"], sort: "newest", offset: 1_500, facets: ["tag"] },
      { ...everything, sort: "home" },
    ]);
    const changed = products
      .slice(0, 500)
      .map((product) => ({ ...product, popularity: 5_000_000 + (product.popularity % 7) }));
    index.apply(
      changed,
      products.slice(500, 700).map(({ id }) => id),
    );
    expectSameAnswers(
      index,
      [...changed, ...products.slice(700)],
      [
        { ...everything, words: ["c"], sort: "popular", offset: 490, limit: 20 },
        { ...everything, sort: "popular", offset: 495 },
        { ...everything, sort: "featured", offset: 15_000, facets: ["pricing_tier"] },
      ],
    );
  });
});

// The index file returns exactly what was written, for any chunks.
const arbitraryBase = arbitraryProducts(60).map((products) => {
  const builder = createBaseBuilder();
  for (const product of products) builder.add(product);
  return builder.finish();
});

const bytesOf = (base: Base, about: unknown) => Buffer.concat([...writeArrays(base, about)]);

function* inPieces(bytes: Buffer, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = (pieces: Iterable<Uint8Array>) => readArrays(Readable.from(pieces));

test("returns every array and its metadata, in chunks of any size", async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryBase,
      fc.integer({ min: 1, max: 5_000 }),
      fc.jsonValue(),
      async (base, size, about) => {
        const found = await read(inPieces(bytesOf(base, about), size));
        expect(found.arrays).toEqual(base);
        expect(found.about).toEqual(JSON.parse(JSON.stringify(about)));
      },
    ),
    { numRuns: 40 },
  );
});

test("refuses a truncated file, extra bytes, and a missing header", async () => {
  const [base] = fc.sample(arbitraryBase, { seed: 1, numRuns: 1 });
  const bytes = bytesOf(base as Base, {});
  await expect(read([bytes.subarray(0, -1)])).rejects.toThrow("ends too early");
  await expect(read([bytes.subarray(0, 5)])).rejects.toThrow("ends too early");
  await expect(read([bytes, Buffer.from("x")])).rejects.toThrow("goes on after its end");
  await expect(read([Buffer.alloc(64, 255)])).rejects.toThrow("begins with no header");
});
