// The tools of the Universal Commerce Protocol: for anybody, in the protocol's own shapes, as they are over REST.
import { afterAll, beforeAll, expect, test } from "vitest";
import { UCP_TOOLSET } from "../../../mcp/ucp/tools.ts";
import type { ProductOffer } from "../../../proto/types/atelier/v1/ProductOffer.ts";
import { countTokens } from "../../support/count-tokens.ts";
import { createUcpCheck } from "../../support/shopping/ucp-schemas.ts";
import { send } from "../endpoint-server.ts";
import { MCP_CLIENTS } from "../mcp-clients.ts";
import { type MemberEndpoint, startMemberEndpoint } from "../member/member-endpoint.ts";
import { callTool } from "../messages.ts";

const ID = "5f0c1c1e-7a86-4a53-9d5c-2b6f6a1f0e11";
const OFFER: ProductOffer = {
  product: {
    id: ID,
    name: "Harbour Icons",
    slug: "harbour-icons",
    status: "published",
    plus_only: false,
    tags: [],
    rating_count: 0,
    updated_at: "2026-01-30T15:20:00.000Z",
    url: "http://atelier.test/products/harbour-icons",
  },
  licences: [{ licence: "standard", price_cents: 4_900, list_price_cents: 4_900 }],
  category_name: "",
  subcategory_name: "",
};
/** As the protocol's clients send it with each call. */
const meta = { "ucp-agent": { profile: "https://agent.example/profile.json" } };

const check = createUcpCheck();
let endpoint: MemberEndpoint;
let url: string;
beforeAll(async () => {
  endpoint = await startMemberEndpoint({ ATELIER_RATE_LIMITS: "off" });
  url = `${endpoint.origin}/ucp/mcp`;
  endpoint.core.replies.set("SearchOffers", { offers: [OFFER], next_offset: 0 });
  endpoint.core.replies.set("FindOffers", { offers: [OFFER] });
});
afterAll(() => endpoint.close());

type Result = { isError?: boolean; structuredContent?: object; content: { text: string }[] };
async function call(name: string, args: object): Promise<Result> {
  const { status, json } = await send(url, "", callTool(name, args), { authorization: null });
  expect(status).toBe(200);
  return (json as { result: Result }).result;
}

test("every answer fits the protocol's schema, and its text is the same for who reads no more", async () => {
  for (const [name, catalog, shape] of [
    ["search_catalog", { query: "icons", context: { address_country: "FR" } }, "search_response"],
    ["lookup_catalog", { ids: [ID, "nothing"] }, "lookup_response"],
    ["get_product", { id: ID, preferences: ["Licence"] }, "get_product_response"],
    ["get_product", { id: `${ID}:nothing` }, "error_response"],
  ] as const) {
    for (const args of [{ meta, catalog }, { catalog }]) {
      const { structuredContent, content, isError } = await call(name, args);
      expect(isError).toBeUndefined();
      expect(check(shape, structuredContent), name).toEqual([]);
      expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
    }
  }
});

test("core is asked for nobody, and the same as over REST", async () => {
  endpoint.core.calls.length = 0;
  await call("search_catalog", { meta, catalog: { query: "icons", pagination: { limit: 3 } } });
  expect(endpoint.core.calls).toMatchObject([
    { method: "SearchOffers", options: { caller: { kind: "none" } } },
  ]);
});

test("wrong arguments are a result that says what is wrong", async () => {
  const { isError, content } = await call("search_catalog", { meta, catalog: {} });
  expect(isError).toBe(true);
  expect(content[0]?.text).toContain("query must say what is looked for");
  expect((await call("lookup_catalog", { meta })).isError).toBe(true);
});

test("the list has what the protocol names, and costs under 4,000 tokens", () => {
  const { listing } = UCP_TOOLSET;
  expect(listing.tools.map(({ name }) => name)).toEqual(["search_catalog", "lookup_catalog", "get_product"]);
  for (const { inputSchema } of listing.tools)
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(["meta", "catalog"]);
  expect(countTokens(JSON.stringify(listing))).toBeLessThan(4_000);
});

test.each(MCP_CLIENTS)("%s connects without a key, and takes the answers", async (_name, connect) => {
  const client = await connect(url);
  expect(await client.call("lookup_catalog", { meta, catalog: { ids: [ID] } })).toMatchObject({
    structuredContent: { products: [{ id: ID }] },
  });
  await client.close();
});
