// Feeds for shopping agents over the demonstration catalog: each matches a schema from its specification and lists exactly the purchasable
// products.
import { beforeAll, describe, expect, test } from "vitest";
import { demoProduct } from "../../core/shop/catalog/demo/product.ts";
import { seedDemoCatalog } from "../../core/shop/catalog/demo/seed.ts";
import { sharedByTests } from "../support/shared.ts";
import {
  acpMetadataReading,
  acpProductReading,
  googleItemReading,
  readGoogleText,
  readGoogleXml,
} from "../support/shopping/feed-readings.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

const PRODUCTS = 300;

/** By id: the current price of each licence of all purchasable products. */
let forSale: Map<string, { standard: number | null; client: number | null }>;

const service = sharedByTests(() =>
  startWholeService({ worker: false, env: { ATELIER_BASE_URL: "https://shop.example" } }),
);
beforeAll(async () => {
  const today = new Date();
  today.setUTCHours(0, 0, 0, 0);
  await seedDemoCatalog(service.app);
  const documents = Array.from({ length: PRODUCTS }, (_, i) => demoProduct(i, today));
  forSale = new Map(documents.filter(isForSale).map((product) => [product._id, pricesOf(product)]));
  await waitFor("the catalog", async () => (await service.call("/api/catalog")).text.includes('"total":2'));
});

type Demo = ReturnType<typeof demoProduct>;

/** Computed plainly, independent of core's rules. */
function isForSale({ status, plus_only, price_regular_cents, client_price_cents }: Demo): boolean {
  const isOpen = status === "published" || status === "featured" || status === "beta";
  return isOpen && !plus_only && (price_regular_cents !== null || client_price_cents !== null);
}

function pricesOf({ price_regular_cents: regular, client_price_cents: client, sale }: Demo) {
  const now = Date.now();
  const isOn =
    sale &&
    (sale.starts_at?.getTime() ?? 0) <= now &&
    now < (sale.ends_at?.getTime() ?? Number.POSITIVE_INFINITY);
  return { standard: isOn ? sale.price_cents : regular, client };
}

async function textOf(path: string): Promise<string> {
  const { status, text } = await service.call(path);
  expect(status, path).toBe(200);
  return text;
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
const sorted = (ids: Iterable<string>) => [...ids].toSorted();

describe("the feed of the Agentic Commerce Protocol", () => {
  test("[FEED-01] has exactly the purchasable products, at current prices, and matches a schema of the specification", async () => {
    const products = linesOf(await textOf("/feeds/acp/products.jsonl")).map((line) =>
      acpProductReading.parse(line),
    );
    expect(forSale.size).toBeGreaterThan(200);
    expect(forSale.size).toBeLessThan(PRODUCTS - 20);
    expect(sorted(products.map(({ id }) => id))).toEqual(sorted(forSale.keys()));
    for (const { id, variants } of products) {
      const costs = forSale.get(id);
      const told = Object.fromEntries(
        variants.map((variant) => [variant.id.slice(id.length + 1), variant.price?.amount]),
      );
      expect(told).toEqual({
        ...(costs?.standard !== null && { standard: costs?.standard }),
        ...(costs?.client !== null && { client: costs?.client }),
      });
    }
    expect(acpMetadataReading.parse(JSON.parse(await textOf("/feeds/acp/metadata.json")))).toMatchObject({
      id: "shop.example",
    });
  });

  test("is the same in shards, with each product in one of them", async () => {
    const parts = await Promise.all(
      [1, 2, 3].map((shard) => textOf(`/feeds/acp/products.jsonl?shard=${shard}&of=3`)),
    );
    for (const part of parts) expect(part.length).toBeGreaterThan(1_000);
    expect(parts.join("")).toBe(await textOf("/feeds/acp/products.jsonl"));
    for (const query of ["shard=4&of=3", "shard=0", "of=1001", "shard=x"])
      expect((await service.call(`/feeds/acp/products.jsonl?${query}`)).status).toBe(400);
  });
});

describe("Google's product feed", () => {
  test("[FEED-01] has the products sold for money, in XML and text, and matches the rules of the specification", async () => {
    const items = readGoogleXml(await textOf("/feeds/google.xml"));
    for (const item of items) googleItemReading.parse(item);
    const paid = [...forSale].filter(([, { standard }]) => standard !== null && standard > 0);
    expect(sorted(items.map(({ id = "" }) => id))).toEqual(sorted(paid.map(([id]) => id)));
    expect(items.filter(({ sale_price }) => sale_price !== undefined).length).toBeGreaterThan(5);
    expect(items.every(({ link }) => link?.startsWith("https://shop.example/products/"))).toBe(true);
    expect(readGoogleText(await textOf("/feeds/google.tsv"))).toEqual(items);
  });
});
