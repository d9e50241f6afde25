// The texts of a large catalog in memory: their pages equal those from the database, without reading it.
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listProducts } from "../../../../core/shop/catalog/list-products.ts";
import { type Catalog, createCatalog } from "../../../../core/shop/catalog/live-catalog.ts";
import { fromText, toText } from "../../../../core/shop/catalog/product-json.ts";
import { createTextsBuilder, findText } from "../../../../core/shop/catalog/product-texts.ts";
import { CATALOG_SORTS } from "../../../../proto/resources/product.ts";
import { createTestApp, type TestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { watchCommands } from "../../../support/watch-commands.ts";
import { ANY, row, write } from "./rows.ts";

const START = "2026-01-10T00:00:00.000Z";
const DAY_MS = 86_400_000;

let clock: ReturnType<typeof createFakeClock>;
let test_: TestApp;
let watched: Awaited<ReturnType<typeof watchCommands>>;
/** A thread starts, reads and compresses. */
const THREAD_MS = 60_000;
/** How often products were read by id. */
let reads = 0;

beforeAll(async () => {
  clock = createFakeClock(START);
  test_ = await createTestApp({ clock });
  watched = await watchCommands(test_, ({ commandName, command }) => {
    if (commandName === "find" && command["find"] === "products" && command["filter"]._id) reads++;
  });
});

beforeEach(() => test_.empty());

afterAll(async () => {
  await watched.close();
  await test_.close();
});

/** `isLarge`: with the texts in memory; otherwise every product is rendered from its document. */
async function open(isLarge: boolean): Promise<Catalog> {
  const catalog = createCatalog(watched.app, { largeFrom: isLarge ? 1 : 1_000_000 });
  await catalog.live.start();
  return catalog;
}

/** Waits until `catalog` uses the texts of its index. A sale that starts at this moment moves its product to a new slot. */
async function haveTexts(catalog: Catalog): Promise<void> {
  const areThere = async () => {
    const { index, json } = await catalog.live.current();
    return index.search({ ...EVERYTHING, limit: 1 }).slots.every((slot) => json.get(slot) !== undefined);
  };
  await waitFor("the texts", areThere, THREAD_MS);
}

const EVERYTHING = {
  words: [],
  category: null,
  subcategory: null,
  pricingTier: null,
  tags: [],
  statuses: null,
  sort: "featured" as const,
  facets: [],
  offset: 0,
  limit: 50,
};

const pages = (catalog: Catalog) =>
  Promise.all(
    CATALOG_SORTS.flatMap((sort) =>
      [1, 2].map(async (page) => {
        const reply = await listProducts(catalog, {
          ...ANY,
          sort,
          page,
          page_size: 7,
          facets: ["tag"],
          typed: true,
        });
        return { ...reply, body: String(reply.body) };
      }),
    ),
  );

const text = fc.oneof(
  fc.lorem({ maxCount: 6 }),
  fc.constantFrom("Ünïcødé – 図鑑 🎨", 'a "quote"\n and a line', "\\n", "<b>\u2028</b>"),
);
const line = text.map((words) => words.replace(/\s+/g, " ").trim() || "Nameless");
const day = fc.integer({ min: -3, max: 3 }).map((days) => new Date(Date.parse(START) + days * DAY_MS));
const sale = fc.record({
  price_cents: fc.integer({ min: 0, max: 900 }),
  starts_at: fc.option(day.filter((at) => at.getTime() <= Date.parse(START)).map((at) => at.toISOString())),
  ends_at: fc.option(day.filter((at) => at.getTime() > Date.parse(START)).map((at) => at.toISOString())),
});
const product = fc.record(
  {
    name: line,
    tagline: fc.option(line),
    description: fc.option(fc.array(text, { maxLength: 20 }).map((parts) => parts.join(" "))),
    status: fc.constantFrom("published", "featured", "beta", "coming_soon", "draft", "archived"),
    price_regular_cents: fc.integer({ min: 1_000, max: 9_000 }),
    sale: fc.option(sale),
    tags: fc.subarray(["dark", "light", "retro"]),
    popularity: fc.integer({ min: 0, max: 5 }),
  },
  { requiredKeys: ["name", "status"] },
);
const rows = (maxLength: number) =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 20 }), product), { minLength: 1, maxLength })
    .map((made) => [...new Map(made.map(([i, over]) => [i, row(`product-${i}`, over)])).values()]);

test("pages of random catalogs equal those from the database, byte for byte, while products change and sales end", async () => {
  await fc.assert(
    fc.asyncProperty(rows(20), fc.array(rows(4), { maxLength: 3 }), async (first, changes) => {
      await test_.empty();
      clock.set(START);
      await write(test_.app, [row("always-there", { popularity: 1 }), ...first]);
      const [large, plain] = [await open(true), await open(false)];
      try {
        await haveTexts(large);
        expect(await pages(large)).toEqual(await pages(plain));
        for (const change of changes) {
          const version = await write(test_.app, change);
          for (const { live } of [large, plain])
            await waitFor("the change", () => live.state().version >= version);
          expect(await pages(large)).toEqual(await pages(plain));
        }
        clock.advance(2 * DAY_MS);
        const bodies = async (catalog: Catalog) => (await pages(catalog)).map(({ body }) => body);
        expect(await bodies(large)).toEqual(await bodies(plain));
      } finally {
        await Promise.all([large.live.stop(), plain.live.stop()]);
      }
    }),
    { numRuns: 3, endOnFailure: true },
  );
}, 180_000);

const SHELF = Array.from({ length: 30 }, (_, i) => row(`kit-${i}`, { popularity: i }));
const keptTexts = () =>
  test_.database.mongo.db.collection("catalog_snapshots").findOne({ _id: /texts$/ as never });

test("products are served from stored texts without a database read, by a second core too", async () => {
  await write(test_.app, SHELF);
  const first = await open(true);
  await waitFor("the file", keptTexts, THREAD_MS);
  await first.live.stop();
  const kept = await keptTexts();
  expect(kept?.["products"]).toBe(SHELF.length);

  const second = await open(true);
  try {
    await haveTexts(second);
    const version = await write(test_.app, [row("kit-3", { name: "Another name" })]);
    await waitFor("the change", () => second.live.state().version >= version);
    const before = reads;
    const bodies = (await pages(second)).map(({ body }) => body);
    expect(bodies.join("")).toContain("Another name");
    expect(reads).toBe(before);
    // This core has made no texts of its own.
    expect(await keptTexts()).toEqual(kept);
  } finally {
    await second.live.stop();
  }
}, 180_000);

test("texts of another index or another public URL are rebuilt", async () => {
  await write(test_.app, SHELF);
  const first = await open(true);
  await waitFor("the file", keptTexts, THREAD_MS);
  await first.live.stop();
  const kept = await keptTexts();
  const moved = { ...watched.app, config: { ...watched.app.config, baseUrl: "https://moved.example" } };
  const catalog = createCatalog(moved, { largeFrom: 1 });
  await catalog.live.start();
  try {
    const wereMade = async () => (await keptTexts())?.["file_id"] !== kept?.["file_id"];
    await waitFor("other texts", wereMade, THREAD_MS);
    const bodies = (await pages(catalog)).map(({ body }) => body).join("");
    expect(bodies).toContain(`"url":"https://moved.example/products/kit-1"`);
  } finally {
    await catalog.live.stop();
  }
}, 180_000);

// Compressed texts by slot: every added text is read back, and texts above the limit are left to the database.
const dictionary = Uint8Array.from(Buffer.from(`{"id":"","name":"","slug":"","status":"published"}`));

test("returns every text, for any order of slots and any dictionary", () => {
  const texts = fc.array(fc.option(fc.string({ unit: "grapheme", maxLength: 200 })), { maxLength: 30 });
  fc.assert(
    fc.property(texts, fc.uint8Array({ max: 255, maxLength: 300 }), (all, bytes) => {
      const builder = createTextsBuilder(all.length, Uint8Array.from(bytes));
      for (const [slot, text] of [...all.entries()].reverse()) if (text !== null) builder.add(slot, text);
      const made = builder.finish();
      expect(all.map((_, slot) => findText(made, slot) ?? null)).toEqual(all);
      expect(findText(made, all.length)).toBeUndefined();
    }),
  );
});

test("leaves out a text longer than 64 KiB, and all texts above the memory limit", () => {
  const noise = Array.from({ length: 500 }, (_, i) => (i * 7919).toString(36)).join("");
  const builder = createTextsBuilder(4, dictionary, 2_500);
  builder.add(0, "x".repeat(70_000));
  builder.add(1, noise);
  builder.add(2, noise);
  builder.add(3, "short");
  const texts = builder.finish();
  expect([0, 1, 2, 3].map((slot) => findText(texts, slot))).toEqual([undefined, noise, undefined, "short"]);
});

test("a product's JSON is restored with its sale, also without a start or end", () => {
  const times = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 1_767_225_600_000];
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.option(fc.tuple(fc.constantFrom(...times), fc.constantFrom(...times))),
      fc.nat(),
      (value, window, version) => {
        const json = JSON.stringify(value);
        const onSale = window && { json: `${json} `, startsAtMs: window[0], endsAtMs: window[1] };
        const product = { version, regular: json, onSale };
        expect(fromText(toText(product), version)).toEqual(product);
      },
    ),
  );
});
