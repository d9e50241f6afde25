// Refused current messages, by the service or the protocol library: each HTTP refusal carries an ApiError as data.
import { describe, expect, test } from "vitest";
import { sharedByTests } from "../support/shared.ts";
import { startEndpoint } from "./endpoint-server.ts";
import { asCurrent, callTool, PICTURE, request } from "./messages.ts";

const endpoint = sharedByTests(() => startEndpoint({ ATELIER_RATE_LIMITS: "off" }));

type Sent = { body: object; headers: Record<string, string> };
const list = () => asCurrent(request("tools/list"));
const call = () => asCurrent(callTool("connect_generate", PICTURE));
const withHeaders = (sent: Sent, headers: Record<string, string>): Sent => ({
  ...sent,
  headers: { ...sent.headers, ...headers },
});
const withMeta = (meta: object): Sent => {
  const sent = list();
  const { params } = sent.body as { params: { _meta: object } };
  return { ...sent, body: { ...sent.body, params: { ...params, _meta: { ...params._meta, ...meta } } } };
};

describe("[MCP-20] a refusal of 2026-07-28 carries an ApiError as data", () => {
  test.each<[string, () => Sent, number, string]>([
    [
      "an unsupported version",
      () =>
        withHeaders(withMeta({ "io.modelcontextprotocol/protocolVersion": "2099-01-01" }), {
          "mcp-protocol-version": "2099-01-01",
        }),
      -32_022,
      "invalid_request",
    ],
    [
      "a version in the header that the body lacks",
      () => withHeaders(list(), { "mcp-protocol-version": "2099-01-01" }),
      -32_020,
      "invalid_request",
    ],
    [
      "a header with another method",
      () => withHeaders(list(), { "mcp-method": "tools/call" }),
      -32_020,
      "invalid_request",
    ],
    [
      "a header with another tool",
      () => withHeaders(call(), { "mcp-name": "get_job" }),
      -32_020,
      "invalid_request",
    ],
    [
      "a header without the tool",
      () => {
        const { "mcp-name": _, ...headers } = call().headers;
        return { body: call().body, headers };
      },
      -32_020,
      "invalid_request",
    ],
    [
      "invalid capabilities",
      () => withMeta({ "io.modelcontextprotocol/clientCapabilities": 5 }),
      -32_602,
      "invalid_request",
    ],
    ["an unknown method", () => asCurrent(request("no/such")), -32_601, "method_not_allowed"],
    [
      "initialize",
      () => asCurrent(request("initialize", { protocolVersion: "2026-07-28" })),
      -32_601,
      "method_not_allowed",
    ],
  ])("%s", async (_what, make, rpc, code) => {
    const { body, headers } = make();
    const reply = await endpoint.post(JSON.stringify(body), headers);
    expect(reply.status, reply.text).toBe(code === "method_not_allowed" ? 404 : 400);
    expect(reply.json).toMatchObject({
      jsonrpc: "2.0",
      error: {
        code: rpc,
        message: expect.any(String),
        data: {
          error: expect.any(String),
          code,
          message: expect.any(String),
          hint: expect.any(String),
          docs: `/docs/errors#${code}`,
          request_id: expect.stringMatching(/^req_/),
        },
      },
    });
  });

  test("next to the protocol's own data, the supported versions", async () => {
    const { body, headers } = withHeaders(
      withMeta({ "io.modelcontextprotocol/protocolVersion": "2099-01-01" }),
      {
        "mcp-protocol-version": "2099-01-01",
      },
    );
    const reply = await endpoint.post(JSON.stringify(body), headers);
    expect(reply.json).toMatchObject({
      error: { data: { code: "invalid_request", supported: expect.arrayContaining(["2026-07-28"]) } },
    });
  });
});

describe("the advice of a refusal", () => {
  const messageOf = async ({ body, headers }: Sent): Promise<string> => {
    const reply = await endpoint.post(JSON.stringify(body), headers);
    return (reply.json as { error: { message: string } }).error.message;
  };
  const OLDER = (method: string, params?: object, headers: Record<string, string> = {}): Sent => ({
    body: request(method, params),
    headers,
  });

  test("of an unknown method is the same in both eras, and does not mention headers", async () => {
    const advice =
      'This server has no method "no/such". Use tools/list to see the tools and tools/call to use one.';
    expect(await messageOf(asCurrent(request("no/such")))).toBe(advice);
    expect(await messageOf(OLDER("no/such"))).toBe(advice);
  });

  test("of contradicting headers names the headers to change", async () => {
    for (const sent of [
      withHeaders(list(), { "mcp-protocol-version": "2031-01-01" }),
      withHeaders(list(), { "mcp-method": "tools/call" }),
      withHeaders(call(), { "mcp-name": "get_job" }),
    ])
      expect(await messageOf(sent)).toMatch(
        /disagree: .*\. Make the headers MCP-Protocol-Version, Mcp-Method and Mcp-Name say what the body says\.$/,
      );
  });

  test("of an unsupported version names all supported ones, in both eras", async () => {
    const wrong = withHeaders(withMeta({ "io.modelcontextprotocol/protocolVersion": "2099-01-01" }), {
      "mcp-protocol-version": "2099-01-01",
    });
    for (const sent of [wrong, OLDER("tools/list", undefined, { "mcp-protocol-version": "2020-01-01" })]) {
      const message = await messageOf(sent);
      for (const version of ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"])
        expect(message).toContain(version);
      expect(message).not.toMatch(/disagree|say what the body says/);
    }
  });

  test("of a missing or wrong envelope describes the right one", async () => {
    for (const sent of [
      withMeta({ "io.modelcontextprotocol/clientCapabilities": 5 }),
      OLDER("tools/list", undefined, { "mcp-protocol-version": "2031-01-01" }),
      OLDER("tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
    ])
      expect(await messageOf(sent)).toMatch(
        /\. A request of 2026-07-28 has protocolVersion, clientInfo and clientCapabilities in params\._meta; /,
      );
  });

  test("of params of the wrong type names the right type", async () => {
    expect(await messageOf(OLDER("tools/list", { cursor: 5 }))).toContain("params.cursor must be a string.");
    expect(await messageOf(OLDER("tools/call", { name: "get_job", arguments: ["job_1"] }))).toContain(
      "params.arguments must be an object.",
    );
    expect(await messageOf(OLDER("tools/call", {}))).toContain("params.name is required.");
  });
});
