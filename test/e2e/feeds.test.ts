// What shopping agents are told, over the whole way and the demonstration catalog: every answer fits the protocol's own schema, or where no
// package has one our reading of it, and lists just what anybody can buy.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoProduct } from "../../core/shop/catalog/demo/product.ts";
import { seedDemoCatalog } from "../../core/shop/catalog/demo/seed.ts";
import {
  acpMetadataReading,
  acpProductReading,
  googleItemReading,
  readGoogleText,
  readGoogleXml,
} from "../support/shopping/feed-readings.ts";
import { createUcpCheck } from "../support/shopping/ucp-schemas.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

const PRODUCTS = 300;
const ANY_SHELF = { categories: ["Software > Digital Goods & Currency"] };

type Found = {
  products: { id: string; handle: string; variants: { id: string; price: { amount: number } }[] }[];
  pagination: { has_next_page: boolean; cursor?: string };
};

let service: WholeService;
/** By id: what each licence costs now, of all that anybody can buy. */
let forSale: Map<string, { standard: number | null; client: number | null }>;
const check = createUcpCheck();

beforeAll(async () => {
  service = await startWholeService({ worker: false, env: { ATELIER_BASE_URL: "https://shop.example" } });
  const today = new Date();
  today.setUTCHours(0, 0, 0, 0);
  await seedDemoCatalog(service.app);
  const documents = Array.from({ length: PRODUCTS }, (_, i) => demoProduct(i, today));
  forSale = new Map(documents.filter(isForSale).map((product) => [product._id, pricesOf(product)]));
  await waitFor("the catalog", async () => (await service.call("/api/catalog")).text.includes('"total":2'));
}, 60_000);
afterAll(() => service.close());

type Demo = ReturnType<typeof demoProduct>;

/** Read plainly, beside the rules of core. */
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

async function ask<T>(path: string, body: object): Promise<T> {
  const answered = await service.call<T>(`/ucp/catalog/${path}`, { method: "POST", body });
  expect(answered.status, JSON.stringify(answered.body)).toBe(200);
  return answered.body;
}

/** Every page of a search. */
async function walk(request: object): Promise<Found["products"]> {
  const products: Found["products"] = [];
  for (let cursor: string | undefined, pages = 0; ; pages++) {
    expect(pages).toBeLessThan(100);
    const wanted = { ...request, pagination: { limit: 50, ...(cursor !== undefined && { cursor }) } };
    expect(check("search_request", wanted)).toEqual([]);
    const page = await ask<Found>("search", wanted);
    expect(check("search_response", page)).toEqual([]);
    products.push(...page.products);
    if (!page.pagination.has_next_page) return products;
    cursor = page.pagination.cursor;
  }
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
const sorted = (ids: Iterable<string>) => [...ids].toSorted();

describe("the feed of the Agentic Commerce Protocol", () => {
  test("has exactly what anybody can buy, at the price of the moment, and fits our reading of its schema", async () => {
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

  test("is the same in parts, each product in one of them", async () => {
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
  test("has what is for sale for money, as XML and as text alike, and fits our reading of its specification", async () => {
    const items = readGoogleXml(await textOf("/feeds/google.xml"));
    for (const item of items) googleItemReading.parse(item);
    const paid = [...forSale].filter(([, { standard }]) => standard !== null && standard > 0);
    expect(sorted(items.map(({ id = "" }) => id))).toEqual(sorted(paid.map(([id]) => id)));
    expect(items.filter(({ sale_price }) => sale_price !== undefined).length).toBeGreaterThan(5);
    expect(items.every(({ link }) => link?.startsWith("https://shop.example/products/"))).toBe(true);
    expect(readGoogleText(await textOf("/feeds/google.tsv"))).toEqual(items);
  });
});

describe("the catalog of the Universal Commerce Protocol", () => {
  test("is announced by a profile that fits its schema, and that has no checkout", async () => {
    const { status, headers, body } = await service.call<{ ucp: Record<string, object> }>("/.well-known/ucp");
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toMatch(/^public, max-age=(6\d|[7-9]\d|\d{3,})/);
    expect(headers.get("etag")).toBeTruthy();
    expect(check("profile", body)).toEqual([]);
    expect(Object.keys(body.ucp["capabilities"] ?? {})).toEqual([
      "dev.ucp.shopping.catalog.search",
      "dev.ucp.shopping.catalog.lookup",
    ]);
    expect(body.ucp["payment_handlers"]).toEqual({});
    const services =
      (body.ucp["services"] as Record<string, { endpoint: string }[]>)["dev.ucp.shopping"] ?? [];
    // Where it says that it is, it is.
    const paths = services.map(({ endpoint }) => endpoint.replace("https://shop.example", ""));
    expect(paths).toEqual(["/ucp", "/ucp/mcp"]);
    const params = { name: "lookup_catalog", arguments: { meta: {}, catalog: { ids: ["x"] } } };
    for (const [path, request] of [
      [`${paths[0]}/catalog/lookup`, { ids: ["x"] }],
      [`${paths[1]}`, { jsonrpc: "2.0", id: 1, method: "tools/call", params }],
    ] as const) {
      const { status, text } = await service.call(path, { method: "POST", body: request });
      expect([status, text]).toEqual([200, expect.stringContaining('"not_found"')]);
    }
  });

  test("a walk through all pages finds exactly what anybody can buy, each product once", async () => {
    const all = await walk({ filters: ANY_SHELF });
    expect(sorted(all.map(({ id }) => id))).toEqual(sorted(forSale.keys()));
    const shelf = await walk({ filters: { categories: ["icons", "fonts"] } });
    expect(shelf.length).toBeLessThan(all.length);
    const cheap = await walk({ filters: { ...ANY_SHELF, price: { min: 1, max: 2_000 } } });
    const wanted = [...forSale].filter(([, { standard, client }]) =>
      [standard, client].some((cents) => cents !== null && cents >= 1 && cents <= 2_000),
    );
    expect(sorted(cheap.map(({ id }) => id))).toEqual(sorted(wanted.map(([id]) => id)));
    expect(cheap.flatMap(({ variants }) => variants).every(({ price }) => price.amount <= 2_000)).toBe(true);
  });

  test("a lookup and a product fit their schemas, and say what is not there", async () => {
    const [one] = [...forSale].find(([, { standard, client }]) => standard !== null && client !== null) ?? [
      "",
    ];
    const hidden = demoProductNotForSale();
    const request = { ids: [one, `${one}:client`, `${one}:client`, hidden, "nothing:at:all"] };
    expect(check("lookup_request", request)).toEqual([]);
    const looked = await ask<{ products: { variants: object[] }[]; messages: object[] }>("lookup", request);
    expect(check("lookup_response", looked)).toEqual([]);
    expect(looked.products).toHaveLength(1);
    expect(looked.products[0]?.variants).toMatchObject([
      { id: `${one}:standard`, inputs: [{ id: one, match: "featured" }] },
      { id: `${one}:client`, inputs: [{ id: `${one}:client`, match: "exact" }] },
    ]);
    expect(looked.messages).toEqual([
      { type: "info", code: "not_found", content: hidden },
      { type: "info", code: "not_found", content: "nothing:at:all" },
    ]);

    const wanted = { id: one, selected: [{ name: "Licence", label: "Client" }] };
    expect(check("get_product_request", wanted)).toEqual([]);
    const detail = await ask<{ product: object }>("product", wanted);
    expect(check("get_product_response", detail)).toEqual([]);
    expect(detail.product).toMatchObject({
      selected: [{ name: "Licence", label: "Client" }],
      variants: [{ id: `${one}:client` }],
    });
    const missing = await ask<object>("product", { id: hidden });
    expect(check("error_response", missing)).toEqual([]);
  });
});

/** Public, but not for everybody to buy. */
function demoProductNotForSale(): string {
  const today = new Date();
  today.setUTCHours(0, 0, 0, 0);
  const hidden = Array.from({ length: PRODUCTS }, (_, i) => demoProduct(i, today)).find(
    ({ status, plus_only }) => status === "published" && plus_only,
  );
  return hidden?._id ?? "";
}
