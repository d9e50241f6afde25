// The Universal Commerce Protocol over REST, in front of a core of the test's own: what core is asked, and what becomes of requests that are
// not right.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AppError } from "../../proto/codes.ts";
import type { ProductOffer } from "../../proto/types/atelier/v1/ProductOffer.ts";
import { createUcpCheck } from "../support/shopping/ucp-schemas.ts";
import { type Gateway, serveGateway } from "./serve-gateway.ts";

const ID = "5f0c1c1e-7a86-4a53-9d5c-2b6f6a1f0e11";
const OFFER: ProductOffer = {
  product: {
    id: ID,
    name: "Harbour Icons",
    slug: "harbour-icons",
    status: "published",
    plus_only: false,
    tags: ["svg"],
    category: "icons",
    rating_average: 4.7,
    rating_count: 12,
    updated_at: "2026-01-30T15:20:00.000Z",
    url: "https://generate.example.com/products/harbour-icons",
  },
  licences: [
    {
      licence: "standard",
      price_cents: 3_900,
      list_price_cents: 4_900,
      sale: { price_cents: 3_900, starts_at: "", ends_at: "" },
    },
    { licence: "client", price_cents: 14_900, list_price_cents: 14_900 },
  ],
  category_name: "Icons",
  subcategory_name: "",
};

const check = createUcpCheck();
let gateway: Gateway;
beforeAll(async () => {
  gateway = await serveGateway();
  gateway.answer("catalog.SearchOffers", () => ({ offers: [OFFER], next_offset: 60 }));
  gateway.answer("catalog.FindOffers", () => ({ offers: [OFFER] }));
});
afterAll(() => gateway.close());

type Body = Record<string, unknown> & { products: Record<string, unknown>[] };

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  gateway.calls.length = 0;
  const response = await fetch(`${gateway.url}/ucp/catalog/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}
const asked = () => gateway.calls.find(({ method }) => method !== "catalog.WatchCatalog")?.request;

describe("a search", () => {
  test("asks core for what is wanted, and answers in the protocol's terms, for nobody to keep", async () => {
    const { status, headers, body } = await post(
      "search",
      {
        query: "line icons",
        filters: { categories: ["icons"], price: { min: 100, max: 5_000 } },
        context: { currency: "usd", address_country: "FR" },
        signals: { "dev.ucp.buyer_ip": "203.0.113.7" },
        pagination: { limit: 1_000, cursor: Buffer.from("50").toString("base64url") },
      },
      { "ucp-agent": 'profile="https://agent.example/profile.json"' },
    );
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(asked()).toEqual({
      search: "line icons",
      categories: ["icons"],
      min_cents: 100,
      max_cents: 5_000,
      offset: 50,
      limit: 50,
    });
    expect(check("search_response", body)).toEqual([]);
    expect(body).toMatchObject({
      ucp: { version: "2026-08-25", status: "success" },
      pagination: { has_next_page: true, cursor: Buffer.from("60").toString("base64url") },
    });
    // Only the licence that costs so little.
    expect(body.products).toMatchObject([
      {
        id: ID,
        handle: "harbour-icons",
        url: "https://generate.example.com/products/harbour-icons",
        categories: [{ value: "icons", taxonomy: "merchant" }, { taxonomy: "google_product_category" }],
        price_range: { min: { amount: 3_900, currency: "USD" }, max: { amount: 3_900 } },
        list_price_range: { max: { amount: 4_900 } },
        options: [{ name: "Licence", values: [{ label: "Standard" }, { label: "Client" }] }],
        variants: [{ id: `${ID}:standard`, price: { amount: 3_900 }, list_price: { amount: 4_900 } }],
        rating: { value: 4.7, scale_min: 0, scale_max: 5, count: 12 },
      },
    ]);
    expect(body).not.toHaveProperty("messages");
  });

  test("takes ten where it is not told how many, and any shelf where Google's is named", async () => {
    await post("search", { filters: { categories: ["Software > Digital Goods & Currency"] } });
    expect(asked()).toEqual({ search: "", categories: [], offset: 0, limit: 10 });
  });

  test("leaves out a price in another currency, and says so", async () => {
    const { body } = await post("search", {
      filters: { price: { max: 100 } },
      context: { currency: "EUR" },
    });
    expect(asked()).not.toHaveProperty("max_cents");
    expect(check("search_response", body)).toEqual([]);
    expect(body["messages"]).toMatchObject([{ type: "info", code: "price_filter_ignored" }]);
    expect(body.products[0]?.["variants"]).toHaveLength(2);
  });

  test.each<[string, unknown, string]>([
    ["nothing that is looked for", {}, "query"],
    ["words without end", { query: "x".repeat(201) }, "query"],
    ["a cursor of nobody's", { query: "a", pagination: { cursor: "!!" } }, "pagination.cursor"],
    ["an empty cursor", { query: "a", pagination: { cursor: "" } }, "pagination.cursor"],
    ["no products on a page", { query: "a", pagination: { limit: 0 } }, "pagination.limit"],
    ["a price below nothing", { query: "a", filters: { price: { min: -1 } } }, "filters.price.min"],
    ["a price in dollars and cents", { query: "a", filters: { price: { max: 9.99 } } }, "filters.price.max"],
  ])("refuses %s by name, and asks nothing", async (_name, request, path) => {
    const { status, body } = await post("search", request);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "invalid_request", issues: [{ path }] });
    expect(asked()).toBeUndefined();
  });
});

describe("a lookup", () => {
  test("asks for each product once, and says of each id where it led", async () => {
    const ids = [ID, "harbour-icons", `${ID}:client`, `${ID}:client`, `${ID}:nothing`, "old:kit"];
    const { body } = await post("lookup", { ids });
    expect(asked()).toEqual({ products: [ID, "harbour-icons", "old"] });
    expect(check("lookup_response", body)).toEqual([]);
    expect(body.products[0]?.["variants"]).toMatchObject([
      {
        id: `${ID}:standard`,
        inputs: [
          { id: ID, match: "featured" },
          { id: "harbour-icons", match: "featured" },
        ],
      },
      { id: `${ID}:client`, inputs: [{ id: `${ID}:client`, match: "exact" }] },
    ]);
    expect(body["messages"]).toEqual([
      { type: "info", code: "not_found", content: `${ID}:nothing` },
      { type: "info", code: "not_found", content: "old:kit" },
    ]);
  });

  test("leaves out what the filters exclude", async () => {
    const { body } = await post("lookup", { ids: [ID], filters: { price: { min: 10_000 } } });
    expect(body.products[0]?.["variants"]).toMatchObject([{ id: `${ID}:client` }]);
    const none = await post("lookup", { ids: [ID], filters: { categories: ["fonts"] } });
    expect(none.body.products).toEqual([]);
    expect(check("lookup_response", none.body)).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ["no ids", {}, "ids"],
    ["an empty list", { ids: [] }, "ids"],
    ["more than fifty", { ids: Array.from({ length: 51 }, (_, i) => `x${i}`) }, "ids"],
    ["an id without end", { ids: ["x".repeat(201)] }, "ids.0"],
    ["an id that is a number", { ids: [7] }, "ids.0"],
  ])("refuses %s by name", async (_name, request, path) => {
    const { status, body } = await post("lookup", request);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "invalid_request", issues: [{ path }] });
  });
});

describe("one product", () => {
  const detail = async (request: object) => (await post("product", request)).body["product"];

  test("comes with the variant that is named, else selected, else the first", async () => {
    const client = { selected: [{ name: "Licence", label: "Client" }], variants: [{ id: `${ID}:client` }] };
    const standard = { selected: [{ label: "Standard" }], variants: [{ id: `${ID}:standard` }] };
    expect(await detail({ id: ID })).toMatchObject(standard);
    expect(
      await detail({ id: "harbour-icons", selected: [{ name: "licence", label: "CLIENT" }] }),
    ).toMatchObject(client);
    expect(
      await detail({ id: `${ID}:client`, selected: [{ name: "Licence", label: "Standard" }] }),
    ).toMatchObject(client);
    expect(
      await detail({ id: ID, selected: [{ name: "Colour", label: "Blue" }], preferences: ["Colour"] }),
    ).toMatchObject(standard);
    const { body } = await post("product", { id: ID });
    expect(check("get_product_response", body)).toEqual([]);
    expect(body["product"]).toMatchObject({
      options: [
        {
          values: [
            { label: "Standard", available: true, exists: true },
            { label: "Client", available: true, exists: true },
          ],
        },
      ],
    });
  });

  test("that cannot be bought, or not like this, is an answer that says so", async () => {
    for (const request of [
      { id: `${ID}:nothing` },
      { id: ID, filters: { price: { max: 1 } } },
      { id: ID, filters: { categories: ["fonts"] } },
    ]) {
      const { status, body } = await post("product", request);
      expect(status).toBe(200);
      expect(check("error_response", body)).toEqual([]);
      expect(body).toMatchObject({
        ucp: { status: "error" },
        messages: [{ code: "not_found", severity: "unrecoverable" }],
        continue_url: "https://generate.example.com/products",
      });
    }
  });
});

test("JSON that is none, another media type, and a core that is away have the errors of any request", async () => {
  expect((await post("search", "{")).body).toMatchObject({ code: "invalid_json" });
  expect((await post("search", "{}", { "content-type": "text/plain" })).body).toMatchObject({
    code: "unsupported_media_type",
  });
  const away = await serveGateway();
  away.answer("catalog.SearchOffers", () => {
    throw new AppError("service_unavailable");
  });
  const response = await fetch(`${away.url}/ucp/catalog/search`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"query":"icons"}',
  });
  await away.close();
  expect(await response.json()).toMatchObject({ code: "catalog_unavailable" });
});
