// Core's offers feed: its rules, its time, and its memory.
import { beforeAll, describe, expect, test } from "vitest";
import { type Priced, licencesForSale, listOffers } from "../../../../core/shop/catalog/list-offers.ts";
import { createCatalog } from "../../../../core/shop/catalog/live-catalog.ts";
import type { ListOffersRequestInput } from "../../../../proto/types/atelier/v1/ListOffersRequest.ts";
import type { ProductOffer } from "../../../../proto/types/atelier/v1/ProductOffer.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { useTestCore } from "../../../support/core.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { watchCommands } from "../../../support/watch-commands.ts";
import { importRows, type Row, row } from "./rows.ts";

const START = "2026-01-01T00:00:00.000Z";
const clock = createFakeClock(START);
const MANY = 600;

const testCore = useTestCore({ clock, env: { ATELIER_BASE_URL: "https://shop.example" } });
const core = sharedByTests(async () => testCore.client());
beforeAll(async () => {
  await write([
    row("plain", { category: "icons", subcategory: "line-icons", client_price_cents: 9_900, popularity: 3 }),
    row("free", { category: "fonts", price_regular_cents: 0, popularity: 2 }),
    row("for-clients", { category: "icons", price_regular_cents: null, client_price_cents: 5_000 }),
    row("on-sale", {
      category: "kits",
      sale: { price_cents: 1_900, starts_at: "2026-02-01T00:00:00Z", ends_at: "2026-03-01T00:00:00Z" },
    }),
    row("beta", { status: "beta", category: "kits" }),
    row("draft", { status: "draft", category: "icons" }),
    row("archived", { status: "archived", category: "icons" }),
    row("coming", { status: "coming_soon", category: "icons" }),
    row("priceless", { price_regular_cents: null, category: "icons" }),
    row("members", { plus_only: true, category: "icons" }),
  ]);
});

async function write(rows: readonly Row[]): Promise<void> {
  const { version, findings } = await importRows(core, rows);
  expect(findings).toEqual([]);
  await waitFor("the write to show", async () => (await core.catalog.ListProducts({})).version >= version);
}

async function all(request: ListOffersRequestInput = { shard: 1, shards: 1 }): Promise<ProductOffer[]> {
  const offers: ProductOffer[] = [];
  for await (const batch of core.catalog.ListOffers(request)) offers.push(...batch.offers);
  return offers;
}
const slugs = (offers: readonly ProductOffer[]) => offers.map(({ product }) => product?.slug).toSorted();
const FOR_SALE = ["beta", "for-clients", "free", "on-sale", "plain"];

describe("the offers feed", () => {
  const now = Date.parse(START);
  const open = { nowMs: now, takesPayments: true };
  const priced: Priced = {
    status: "published",
    isForMembers: false,
    regularCents: 4_900,
    clientCents: null,
    sale: null,
  };
  const pricesOf = (over: Partial<Priced>, context = open) =>
    licencesForSale({ ...priced, ...over }, context).map(({ licence, cents }) => `${licence} ${cents}`);

  test.each<[string, Partial<Priced>, string[]]>([
    ["a published product", {}, ["standard 4900"]],
    ["a product in beta", { status: "beta" }, ["standard 4900"]],
    ["an announced product", { status: "coming_soon" }, []],
    ["a members' product", { isForMembers: true }, []],
    ["a product without a price", { regularCents: null }, []],
    ["a product with client licences only", { regularCents: null, clientCents: 9_900 }, ["client 9900"]],
    ["both licences", { clientCents: 9_900 }, ["standard 4900", "client 9900"]],
    [
      "the first moment of a sale",
      { sale: { cents: 900, startsAtMs: now, endsAtMs: now + 1 } },
      ["standard 900"],
    ],
    ["the end of a sale", { sale: { cents: 900, startsAtMs: -Infinity, endsAtMs: now } }, ["standard 4900"]],
    [
      "the moment before a sale",
      { sale: { cents: 900, startsAtMs: now + 1, endsAtMs: Infinity } },
      ["standard 4900"],
    ],
  ])("has the expected offers for %s", (_name, over, expected) => {
    expect(pricesOf(over)).toEqual(expected);
  });

  test("[FEED-03] contains free products, by a sale too, where no payments are taken", () => {
    const closed = { ...open, takesPayments: false };
    expect(pricesOf({ clientCents: 9_900 }, closed)).toEqual([]);
    expect(pricesOf({ clientCents: 0 }, closed)).toEqual(["client 0"]);
    expect(pricesOf({ regularCents: 0, clientCents: 9_900 }, closed)).toEqual(["standard 0"]);
    const sale = { cents: 0, startsAtMs: now, endsAtMs: now + 1 };
    expect(pricesOf({ sale }, closed)).toEqual(["standard 0"]);
  });

  test("lists purchasable products with their category names, and no others", async () => {
    const offers = await all();
    expect(slugs(offers)).toEqual(FOR_SALE);
    expect(offers.find(({ product }) => product?.slug === "plain")).toMatchObject({
      category_name: "Icons",
      subcategory_name: "Line icons",
      licences: [
        { licence: "standard", price_cents: 4_900, list_price_cents: 4_900 },
        { licence: "client", price_cents: 9_900, list_price_cents: 9_900 },
      ],
    });
  });

  test("has the current price through the start and end of a sale, and its window until it is over", async () => {
    const sale = {
      price_cents: 1_900,
      starts_at: "2026-02-01T00:00:00.000Z",
      ends_at: "2026-03-01T00:00:00.000Z",
    };
    const told = async (time: string) => {
      clock.set(time);
      const listed = (await all()).find(({ product }) => product?.slug === "on-sale");
      const [licence] = listed?.licences ?? [];
      expect(licence?.list_price_cents).toBe(4_900);
      return [licence?.price_cents, licence?.sale];
    };
    try {
      expect(await told("2026-01-31T23:59:59.999Z")).toEqual([4_900, sale]);
      expect(await told("2026-02-01T00:00:00.000Z")).toEqual([1_900, sale]);
      expect(await told("2026-02-28T23:59:59.999Z")).toEqual([1_900, sale]);
      expect(await told("2026-03-01T00:00:00.000Z")).toEqual([4_900, undefined]);
    } finally {
      clock.set(START);
    }
  });
});

describe("a feed of many products", () => {
  beforeAll(async () => {
    const rows = Array.from({ length: MANY }, (_, i) =>
      row(`many-${i}`, { category: "many", price_regular_cents: 100 + i }),
    );
    await write(rows);
  });

  test.each([{ shard: 0, shards: 1 }, { shard: 2, shards: 1 }, { shard: 1, shards: 1_001 }, {}])(
    "is refused for the shard %o",
    (request) => expect(all(request)).rejects.toMatchObject({ code: "invalid_request" }),
  );

  test("[FEED-02] is produced in small batches as its reader takes it", async () => {
    let reads = 0;
    const { app, close } = await watchCommands(
      { app: testCore.app, database: { name: testCore.app.mongo.db.databaseName } as never },
      ({ commandName, command }) => {
        const { find, getMore, collection } = command as Record<string, unknown>;
        if ((find ?? (getMore === undefined ? "" : collection)) === "products")
          reads += commandName === "find" || commandName === "getMore" ? 1 : 0;
      },
    );
    const catalog = createCatalog(app);
    await catalog.live.start();
    try {
      const batches = listOffers(catalog, { shard: 1, shards: 1 });
      expect((await batches.next()).value).toMatchObject({ takes_payments: true, offers: [] });
      reads = 0;
      const first = await batches.next();
      expect(first.value?.offers).toHaveLength(50);
      expect(reads).toBe(1);
      await batches.next();
      expect(reads).toBe(1);
      await batches.return(undefined);
      let largest = 0;
      let count = 0;
      for await (const { offers } of listOffers(catalog, { shard: 1, shards: 1 })) {
        largest = Math.max(largest, offers?.length ?? 0);
        count += offers?.length ?? 0;
      }
      expect([largest, count]).toEqual([50, MANY + FOR_SALE.length]);
      expect(reads).toBeGreaterThan(2);
    } finally {
      await catalog.live.stop();
      await close();
    }
  });
});
