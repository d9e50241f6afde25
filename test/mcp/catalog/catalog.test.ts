// The catalog endpoint is public, for any client and without a key.
import { describe, expect, test } from "vitest";
import { CATALOG_TOOLSET } from "../../../mcp/catalog/tools.ts";
import { sharedByTests } from "../../support/shared.ts";
import { callerOf, type Post, send, textOf } from "../endpoint-server.ts";
import { MCP_CLIENTS } from "../mcp-clients.ts";
import { startMemberEndpoint } from "../member/member-endpoint.ts";
import { callTool, request } from "../messages.ts";

const NO_KEY = { authorization: null };

const endpoint = sharedByTests(() => startMemberEndpoint({ ATELIER_RATE_LIMITS: "off" }));
const post: Post = (body, headers = NO_KEY) => send(`${endpoint.origin}/mcp`, "", body, headers);
const call = callerOf(post);

describe.each(MCP_CLIENTS)("%s", (_name, connect, version) => {
  test("connects without a key, and every result matches its output schema", async () => {
    const client = await connect(`${endpoint.origin}/mcp`);
    expect(client.version()).toBe(version);
    expect(await client.toolNames()).toEqual(CATALOG_TOOLSET.listing.tools.map(({ name }) => name));
    expect(await client.call("search_catalog", {})).toMatchObject({
      structuredContent: { products: [{ slug: "harbour-icons" }] },
    });
    expect(await client.call("get_product", { slug: "harbour-icons" })).toMatchObject({
      structuredContent: { url: "http://atelier.test/products/harbour-icons" },
    });
    expect(await client.call("list_models", {})).toMatchObject({
      structuredContent: { models: [{ model_slug: "canvas-one" }] },
    });
    expect(await client.call("get_plans", {})).toMatchObject({
      structuredContent: { plans: [{ plan: "pro", price_usd: 29 }] },
    });
    expect(await client.call("how_to_connect", {})).toMatchObject({
      structuredContent: { connect_page: "http://atelier.test/connect" },
    });
    await client.close();
  });
});

test("core is called without an account, and a key that is sent is not checked", async () => {
  endpoint.core.calls.length = 0;
  for (const headers of [NO_KEY, { authorization: "Bearer atl_gen_wrong" }, { "x-api-key": endpoint.key }])
    expect((await post(callTool("get_plans", {}), headers)).status).toBe(200);
  expect(endpoint.core.calls.map(({ method, options }) => [method, options.caller])).toEqual(
    Array.from({ length: 3 }, () => ["models.ListPlans", { kind: "none" }]),
  );
});

test("account tools are absent, and the error lists the existing ones", async () => {
  const { json } = await post(callTool("connect_generate", { modality: "image" }));
  expect(json).toMatchObject({
    error: {
      message: expect.stringContaining("There is no tool"),
      data: { hint: expect.stringContaining("how_to_connect") },
    },
  });
});

test("only live models of the requested modality are shown", async () => {
  expect(textOf(await call("list_models", { modality: "image" }))).toContain("canvas-one (image)");
  expect(textOf(await call("list_models", { modality: "audio" }))).toBe(
    "No live model makes this at the moment.",
  );
});

test("how_to_connect names each endpoint, its key, and the page for the user", async () => {
  const text = textOf(await call("how_to_connect"));
  for (const address of ["/mcp:", "http://generate.atelier.test/api/mcp:", "/api/member/mcp:"])
    expect(text).toContain(address);
  expect(text).toMatch(/Needs no key.*\n.*generation key.*\n.*member key/);
  expect(text).toMatch(/http:\/\/atelier\.test\/connect$/);
});

test("an address above its rate gets the wait, with any key", async () => {
  const few = await startMemberEndpoint({ ATELIER_RATE_CATALOG: "2" });
  const ask = (headers: Record<string, string | null>) =>
    send(`${few.origin}/mcp`, "", request("tools/list"), headers);
  const replies = [
    await ask(NO_KEY),
    await ask({ authorization: `Bearer ${few.key}` }),
    await ask({ authorization: "Bearer other" }),
  ];
  await few.close();
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(replies[2]?.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(replies[2]?.json).toMatchObject({ error: { data: { code: "rate_limited" } } });
});

test("OAuth discovery is a plain 404", async () => {
  const { status, headers } = await fetch(`${endpoint.origin}/mcp/.well-known/oauth-protected-resource`);
  expect([status, headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
});
