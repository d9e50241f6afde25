import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../../proto/codes.ts";
import { eventsOf } from "../endpoint-server.ts";
import { MCP_CLIENTS } from "../mcp-clients.ts";
import { callTool, INITIALIZE, PICTURE, request } from "../messages.ts";
import { type MemberEndpoint, startMemberEndpoint } from "./member-endpoint.ts";

let endpoint: MemberEndpoint;
beforeEach(async () => {
  endpoint = await startMemberEndpoint({ ATELIER_RATE_LIMITS: "off" });
});
afterEach(() => endpoint.close());

describe.each(MCP_CLIENTS)("%s", (_name, connect, version) => {
  test("connects, lists and calls the tools, and accepts every answer against their output schemas", async () => {
    const client = await connect(endpoint.url, endpoint.key);
    expect(client.version()).toBe(version);
    expect(await client.toolNames()).toContain("connect_generate");
    expect(await client.call("get_membership", {})).toMatchObject({ structuredContent: { tier: "plus" } });
    expect(await client.call("search_catalog", { facets: ["category"] })).toMatchObject({
      structuredContent: { total: 1 },
    });
    expect(await client.call("get_product", { slug: "harbour-icons" })).toMatchObject({
      structuredContent: { effective_price: 39.5 },
    });
    expect(await client.call("get_purchase_link", { slug: "harbour-icons" })).toMatchObject({
      content: [{ type: "text" }, { type: "resource_link" }],
    });
    expect(await client.call("list_licences", {})).toMatchObject({
      structuredContent: { licences: [{ product_slug: "harbour-icons", status: "active" }] },
    });
    const made = await client.call("connect_generate", PICTURE);
    expect(made).toMatchObject({ structuredContent: { job_id: "job_1" } });
    for (const name of ["list_models", "get_credits", "list_ledger", "list_jobs"])
      expect(await client.call(name, {})).not.toHaveProperty("isError");
    expect(await client.call("get_job", { job_id: "job_1" })).toMatchObject({
      structuredContent: { state: "reserved" },
    });
    await client.close();
  });

  test("is refused with its very next call once the membership has lapsed", async () => {
    const client = await connect(endpoint.url, endpoint.key);
    await client.toolNames();
    await client.call("get_credits", {});
    endpoint.refuse(endpoint.key, new AppError("membership_inactive"));
    await expect(client.call("get_credits", {})).rejects.toThrow(/no active membership|403/);
    await client.close();
  });

  test("reads why its key is refused", async () => {
    await expect(connect(endpoint.url, endpoint.core.addKey())).rejects.toThrow(
      /member key is not valid here|requires authorization \(HTTP 401\)/,
    );
  });
});

describe("a plain HTTP client", () => {
  test.each([null, "*/*", "application/json", "text/html", "application/json, text/event-stream"])(
    "that accepts %s gets JSON, with or without initialize",
    async (accept) => {
      for (const message of [INITIALIZE, request("tools/list"), callTool("get_membership")]) {
        const reply = await endpoint.post(message, { accept });
        expect([reply.status, reply.headers.get("content-type")]).toEqual([
          200,
          expect.stringMatching(/^application\/json/),
        ]);
        expect(reply.json).toMatchObject({ jsonrpc: "2.0", id: message.id, result: {} });
        expect(reply.headers.has("mcp-session-id")).toBe(false);
      }
    },
  );

  test("that accepts events only gets events", async () => {
    for (const message of [INITIALIZE, request("tools/list"), callTool("get_membership")]) {
      const reply = await endpoint.post(message, { accept: "text/event-stream" });
      expect(reply.headers.get("content-type")).toMatch(/^text\/event-stream/);
      expect(eventsOf(reply.text).at(-1)).toMatchObject({ id: message.id, result: {} });
    }
  });
});
