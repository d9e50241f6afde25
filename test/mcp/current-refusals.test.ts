// Refused current messages, by the service or the protocol library: each HTTP refusal carries an ApiError as data.
import { describe, expect, test } from "vitest";
import { sharedByTests } from "../support/shared.ts";
import { startEndpoint } from "./endpoint-server.ts";
import { asCurrent, callTool, CAPABILITIES, PICTURE, request } from "./messages.ts";

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

const NO_SUCH =
  /^This server has no method "no\/such"\. Use tools\/list to see the tools and tools\/call to use one\.$/;
const DISAGREE =
  /disagree: .*\. Make the headers MCP-Protocol-Version, Mcp-Method and Mcp-Name say what the body says\.$/;
const ENVELOPE =
  /\. A request of 2026-07-28 has protocolVersion, clientInfo and clientCapabilities in params\._meta; /;
/** All supported versions, in any order, and nothing about headers. */
const VERSIONS =
  /^(?=.*2026-07-28)(?=.*2025-11-25)(?=.*2025-06-18)(?=.*2025-03-26)(?!.*(?:disagree|say what the body says))/s;

const LATER = { "mcp-protocol-version": "2099-01-01" };
const unsupported = () =>
  withHeaders(withMeta({ "io.modelcontextprotocol/protocolVersion": "2099-01-01" }), LATER);

const withoutTool = (): Sent => {
  const { "mcp-name": _, ...headers } = call().headers;
  return { body: call().body, headers };
};

test.each<[string, () => Sent, number, RegExp]>([
  ["an unsupported version", unsupported, -32_022, VERSIONS],
  ["a version that the body lacks", () => withHeaders(list(), LATER), -32_020, DISAGREE],
  ["another method", () => withHeaders(list(), { "mcp-method": "tools/call" }), -32_020, DISAGREE],
  ["another tool", () => withHeaders(call(), { "mcp-name": "get_job" }), -32_020, DISAGREE],
  ["a tool that no header names", withoutTool, -32_020, /./],
  ["invalid capabilities", () => withMeta({ [CAPABILITIES]: 5 }), -32_602, ENVELOPE],
  ["an unknown method", () => asCurrent(request("no/such")), -32_601, NO_SUCH],
  ["initialize", () => asCurrent(request("initialize", { protocolVersion: "2026-07-28" })), -32_601, /./],
])(
  "[MCP-20] a refusal of 2026-07-28 carries an ApiError as data, and advice: %s",
  async (_what, make, rpc, advice) => {
    const { body, headers } = make();
    const reply = await endpoint.post(JSON.stringify(body), headers);
    const isMethod = rpc === -32_601;
    const code = isMethod ? "method_not_allowed" : "invalid_request";
    expect(reply.status, reply.text).toBe(isMethod ? 404 : 400);
    expect(reply.json).toMatchObject({
      jsonrpc: "2.0",
      error: {
        code: rpc,
        message: expect.stringMatching(advice),
        data: {
          error: expect.any(String),
          code,
          message: expect.any(String),
          hint: expect.any(String),
          docs: `/docs/errors#${code}`,
          request_id: expect.stringMatching(/^req_/),
          // Next to the protocol's own data.
          ...(rpc === -32_022 && { supported: expect.arrayContaining(["2026-07-28"]) }),
        },
      },
    });
  },
);

describe("the advice of a refusal of an older client", () => {
  const adviceOn = async (method: string, params?: object, headers: Record<string, string> = {}) => {
    const reply = await endpoint.post(JSON.stringify(request(method, params)), headers);
    return (reply.json as { error: { message: string } }).error.message;
  };

  test.each<[string, RegExp, ...Parameters<typeof adviceOn>]>([
    ["an unknown method", NO_SUCH, "no/such"],
    ["an unsupported version", VERSIONS, "tools/list", undefined, { "mcp-protocol-version": "2020-01-01" }],
    ["a missing envelope", ENVELOPE, "tools/list", undefined, { "mcp-protocol-version": "2031-01-01" }],
    [
      "a part of the envelope",
      ENVELOPE,
      "tools/list",
      { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
    ],
    ["a cursor of the wrong type", /params\.cursor must be a string\./, "tools/list", { cursor: 5 }],
    [
      "arguments of the wrong type",
      /params\.arguments must be an object\./,
      "tools/call",
      { name: "get_job", arguments: ["job_1"] },
    ],
    ["no name of a tool", /params\.name is required\./, "tools/call", {}],
  ])("names the next step for %s", async (_what, advice, ...sent) => {
    expect(await adviceOn(...sent)).toMatch(advice);
  });
});
