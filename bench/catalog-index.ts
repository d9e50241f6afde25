// The catalog's index alone, without database or wire: what a build takes, what the index weighs, and how long one question takes, from
// a thousand products to a million. Sizes come as arguments, for example `npm run bench -- catalog-index 1000 100000`.
import { demoProduct } from "../core/shop/catalog/demo/product.ts";
import { SHELVES } from "../core/shop/catalog/demo/shelves.ts";
import { createBaseBuilder, sizeOfBase } from "../core/shop/catalog/index/base.ts";
import {
  type CatalogIndex,
  createCatalogIndex,
  type PageQuery,
} from "../core/shop/catalog/index/catalog-index.ts";
import { wordsOf } from "../core/shop/catalog/index/text.ts";
import { type TaxonomyNames, toIndexed } from "../core/shop/catalog/indexed-product.ts";
import { CATALOG_FACETS, CATALOG_SORTS } from "../proto/resources/product.ts";
import { mulberry32 } from "../runtime/covers/mulberry32.ts";
import { ms, printTable, quantile, rate } from "./support/stats.ts";
import { printMachine } from "./support/world.ts";

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const QUERIES = 5_000;
const CHANGES = 200;
const NAMES: TaxonomyNames = { categories: new Map(), tags: new Map() };
const TODAY = new Date("2026-03-01T00:00:00.000Z");
/** A real catalog has many more words than the demonstration: makers, places, model numbers. Each product gets some rare ones. */
const RARE_WORDS = 200_000;
const RARE_PER_PRODUCT = 12;

export async function run(): Promise<void> {
  printMachine();
  const sizes = process.argv.slice(3).map(Number);
  printIndexCosts(sizes.length > 0 ? sizes : SIZES);
}

/** The figures of the index at each of these numbers of products. */
export function printIndexCosts(sizes: readonly number[]): void {
  const rows = sizes.map(measure);
  printTable(
    [
      "products",
      "build s",
      "arrays MB",
      "rss MB",
      "p50 ms",
      "p99 ms",
      "max ms",
      "facets p50",
      "facets p99",
      "change ms",
    ],
    rows,
  );
}

function measure(size: number): string[] {
  const startedAt = performance.now();
  const builder = createBaseBuilder();
  for (let i = 0; builder.count < size; i++) {
    const product = { ...demoProduct(i, TODAY), catalog_version: 1 };
    const description = `${product.description} ${rareWords(i).join(" ")}`;
    const indexed = toIndexed({ ...product, description }, NAMES);
    if (indexed) builder.add(indexed);
  }
  const base = builder.finish();
  const index = createCatalogIndex(base);
  const buildSeconds = (performance.now() - startedAt) / 1000;
  const random = mulberry32(size);
  for (let i = 0; i < 500; i++) index.search(randomQuery(random, size));
  const plain = timeQueries(index, () => randomQuery(random, size), QUERIES);
  const faceted = timeQueries(
    index,
    () => ({ ...randomQuery(random, size), facets: CATALOG_FACETS }),
    QUERIES / 10,
  );
  const changes = Array.from({ length: CHANGES }, (_, n) =>
    timeChange(index, Math.floor(random() * size), n),
  );
  return [
    rate(size),
    buildSeconds.toFixed(1),
    rate(sizeOfBase(base) / 2 ** 20),
    rate(process.memoryUsage().rss / 2 ** 20),
    ms(quantile(plain, 0.5)),
    ms(quantile(plain, 0.99)),
    ms(quantile(plain, 1)),
    ms(quantile(faceted, 0.5)),
    ms(quantile(faceted, 0.99)),
    ms(quantile(changes, 0.5)),
  ];
}

function timeQueries(index: CatalogIndex, make: () => PageQuery, count: number): number[] {
  return Array.from({ length: count }, () => {
    const query = make();
    const before = performance.now();
    index.search(query);
    return performance.now() - before;
  });
}

function timeChange(index: CatalogIndex, i: number, n: number): number {
  const indexed = toIndexed({ ...demoProduct(i, TODAY), popularity: n, catalog_version: n + 2 }, NAMES);
  const before = performance.now();
  if (indexed) index.apply([indexed], []);
  return performance.now() - before;
}

function rareWords(i: number): string[] {
  const random = mulberry32(i + 7);
  return Array.from({ length: RARE_PER_PRODUCT }, () => rareWord(Math.floor(random() ** 2 * RARE_WORDS)));
}

function rareWord(n: number): string {
  const syllables = [
    "ka",
    "ro",
    "mi",
    "ten",
    "sul",
    "ver",
    "non",
    "bi",
    "dra",
    "fel",
    "gor",
    "hup",
    "jin",
    "lox",
    "pra",
    "quo",
  ];
  let rest = n;
  let word = "";
  do {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  } while (rest > 0);
  return `${word}${n % 7}`;
}

/** As people ask: words, misspelt words, beginnings of words, filters alone and together, mostly the first pages. */
function randomQuery(random: () => number, size: number): PageQuery {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const maybe = <T>(share: number, make: () => T): T | null => (random() < share ? make() : null);
  const shelf = pick(SHELVES);
  const words = random() < 0.55 ? randomWords(random, pick) : [];
  const page = random() < 0.9 ? Math.floor(random() * 5) : Math.floor(random() * (size / 24));
  return {
    words,
    category: maybe(0.35, () => shelf.category),
    subcategory: maybe(0.15, () => shelf.slug),
    pricingTier: maybe(0.15, () => pick(["free", "essential", "standard", "premium"])),
    tags: maybe(0.2, () => [pick(shelf.tags)]) ?? [],
    statuses: maybe(0.1, () => [pick(["published", "featured", "beta"] as const)]),
    sort: pick(CATALOG_SORTS),
    offset: page * 12,
    limit: 12,
    facets: [],
  };
}

function randomWords(random: () => number, pick: <T>(list: readonly T[]) => T): string[] {
  const shelf = pick(SHELVES);
  const words = wordsOf(`${pick(shelf.features)} ${pick(shelf.nouns)}`);
  const count = 1 + Math.floor(random() * 2);
  const chosen = Array.from({ length: count }, () =>
    random() < 0.3 ? rareWord(Math.floor(random() ** 2 * RARE_WORDS)) : pick(words),
  );
  const last = chosen.pop() ?? "";
  const how = random();
  if (how < 0.25) chosen.push(last.slice(0, 1 + Math.floor(random() * last.length)));
  else if (how < 0.4) chosen.push(`${last.slice(0, 2)}x${last.slice(2)}`);
  else chosen.push(last);
  return chosen;
}
