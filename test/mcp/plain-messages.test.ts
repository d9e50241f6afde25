// The fast path accepts exactly the messages that the protocol library would accept, in the same era.
import { classifyInboundRequest, specTypeSchemas } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { expect, test, describe } from "vitest";
import { MessageRefusal, readMessage, type Request } from "../../mcp/protocol/message.ts";
import { createPlainMessages } from "../../mcp/protocol/plain-messages.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { KEYED_ENDPOINTS } from "./keyed-endpoints.ts";
import { MCP_CLIENTS } from "./mcp-clients.ts";
import { CAPABILITIES, PICTURE } from "./messages.ts";

const VERSION = "io.modelcontextprotocol/protocolVersion";

const versions = ["2026-07-28", "2025-11-25", "2024-11-05", "2027-01-01", "2025-13-99", ""];
const junk = fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.constant([]), fc.constant({}));

const anyEnvelope = fc.record(
  {
    [VERSION]: fc.oneof(
      { weight: 4, arbitrary: fc.constant("2026-07-28") },
      { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...versions), junk) },
    ),
    [CAPABILITIES]: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc.oneof(fc.constant({ elicitation: {} }), fc.constant({ sampling: 1 }), junk),
      },
    ),
    "io.modelcontextprotocol/clientInfo": fc.oneof(fc.constant({ name: "a", version: "1" }), junk),
    progressToken: fc.oneof(fc.constantFrom<unknown>("a", 1, 1.5, true), junk),
    "io.modelcontextprotocol/logLevel": fc.oneof(fc.constantFrom("debug", "loud"), junk),
    "io.modelcontextprotocol/related-task": junk,
  },
  { requiredKeys: [] },
);
const META = {
  [VERSION]: "2026-07-28",
  [CAPABILITIES]: {},
  "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
};
const envelope = fc.oneof(
  { weight: 2, arbitrary: fc.constant(META) },
  { weight: 1, arbitrary: anyEnvelope.map((some) => ({ ...META, ...some })) },
  { weight: 1, arbitrary: anyEnvelope },
);
const named = {
  name: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("list_models", "none") },
    { weight: 1, arbitrary: junk },
  ),
  arguments: fc.oneof({ weight: 2, arbitrary: fc.constant({ a: 1 }) }, { weight: 1, arbitrary: junk }),
  _meta: fc.oneof({ weight: 4, arbitrary: envelope }, { weight: 1, arbitrary: junk }),
};
const params = fc.oneof(
  fc.constant(undefined),
  fc.record(named, { requiredKeys: ["_meta"] }),
  fc.record(named, { requiredKeys: [] }),
  fc.record({ ...named, cursor: fc.oneof(fc.string(), junk), task: junk }, { requiredKeys: [] }),
);
const requests = fc.record({
  method: fc.constantFrom("tools/call", "tools/call", "tools/list", "tools/list", "initialize", "toString"),
  params,
  version: fc.oneof(fc.constant("2026-07-28"), fc.constantFrom(undefined, ...versions)),
  mcpMethod: fc.constantFrom(undefined, "tools/call", "tools/list"),
  mcpName: fc.constantFrom(undefined, "list_models", "none"),
  /** The headers match the body, as those of real clients do. */
  isHonest: fc.boolean(),
});
type Sent = typeof requests extends fc.Arbitrary<infer T> ? T : never;

function toMessage({ method, params: given }: Sent): Request {
  // Parsed from JSON, so that every object is a plain one.
  return JSON.parse(JSON.stringify({ jsonrpc: "2.0", id: 1, method, ...(given && { params: given }) }));
}

function toHeaders({ version, mcpMethod, mcpName, isHonest, method, params: given }: Sent) {
  const name = given?.name;
  if (isHonest && version === "2026-07-28")
    return {
      "mcp-protocol-version": version,
      "mcp-method": method,
      "mcp-name": typeof name === "string" ? name : undefined,
    };
  return { "mcp-protocol-version": version, "mcp-method": mcpMethod, "mcp-name": mcpName };
}

/** The era in which the library serves a message with valid params. */
function judge(message: Request, version: string | undefined): "current" | "older" | undefined {
  const schema =
    message.method === "tools/call" ? specTypeSchemas.CallToolRequest : specTypeSchemas.ListToolsRequest;
  const checked = schema["~standard"].validate(message);
  if (checked instanceof Promise || checked.issues) return undefined;
  const route = classifyInboundRequest({
    httpMethod: "POST",
    ...(version !== undefined && { protocolVersionHeader: version }),
    body: message,
  });
  if (route.kind === "legacy") return "older";
  return route.kind === "modern" && route.classification.revision === "2026-07-28" ? "current" : undefined;
}

test("the fast path accepts no message that the library would treat differently", () => {
  const plain = createPlainMessages();
  const seen = { older: 0, current: 0 };
  fc.assert(
    fc.property(requests, (sent) => {
      const message = toMessage(sent);
      const known = judge(message, sent.version);
      const isTools = message.method === "tools/call" || message.method === "tools/list";
      const era = plain.eraOf(message, toHeaders(sent));
      if (era !== undefined) {
        seen[era] += 1;
        expect(isTools).toBe(true);
        expect(era).toBe(known);
      }
      // As the endpoint does: only messages that the library has accepted.
      if (isTools && known === "current" && sent.version === "2026-07-28") plain.remember(message);
    }),
    { numRuns: 20_000 },
  );
  expect(seen.older).toBeGreaterThan(100);
  expect(seen.current).toBeGreaterThan(100);
});

const current = (name: string, meta: object = META): Request => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: {}, _meta: meta },
});
const headersFor = (name: string) => ({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": name,
});

test("an envelope that passed once is recognized, with any progress token", () => {
  const plain = createPlainMessages();
  expect(plain.eraOf(current("a"), headersFor("a"))).toBeUndefined();
  plain.remember(current("a"));
  expect(plain.eraOf(current("b"), headersFor("b"))).toBe("current");
  expect(plain.eraOf(current("b", { ...META, progressToken: 7 }), headersFor("b"))).toBe("current");
  expect(plain.eraOf(current("b", { ...META, progressToken: 7.5 }), headersFor("b"))).toBeUndefined();
  expect(plain.eraOf(current("b"), headersFor("a"))).toBeUndefined();
  expect(plain.eraOf(current("b", { ...META, other: 1 }), headersFor("b"))).toBeUndefined();
});

test("the memory of envelopes is bounded", () => {
  const plain = createPlainMessages();
  const long = current("a", { ...META, other: "x".repeat(3_000) });
  plain.remember(long);
  expect(plain.eraOf(long, headersFor("a"))).toBeUndefined();
  plain.remember(current("a"));
  for (let n = 0; n < 1_000; n++) plain.remember(current("a", { ...META, n }));
  expect(plain.eraOf(current("a"), headersFor("a"))).toBeUndefined();
});

const ROWS = MCP_CLIENTS.flatMap(([client, connect, version]) =>
  KEYED_ENDPOINTS.map((endpoint) => ({ client, connect, version, ...endpoint })),
);

describe.each(ROWS)(
  "[MEM-02] $client at the $name endpoint",
  ({ connect, version, start, toolset, kind }) => {
    const endpoint = sharedByTests(() => start({ ATELIER_RATE_LIMITS: "off" }));

    test("connects, lists and calls the tools, and validates every result against the output schemas", async () => {
      const client = await connect(endpoint.url, endpoint.key);
      expect(client.version()).toBe(version);
      expect(await client.toolNames()).toEqual(toolset.listing.tools.map(({ name }) => name));

      expect(await client.call("list_models", {})).toMatchObject({
        structuredContent: { models: [{ model_slug: "canvas-one", credits: 4 }] },
      });
      const made = await client.call("connect_generate", PICTURE);
      expect(made).toMatchObject({
        structuredContent: { state: "reserved", credits_reserved: 4, replayed: false },
      });
      const { job_id } = made.structuredContent as { job_id: string };
      endpoint.core.complete(job_id);
      const read = await client.call("get_job", { job_id });
      expect(read).toMatchObject({
        structuredContent: { job_id, state: "completed", outputs: [{ mime_type: "image/png" }] },
      });
      await client.close();
    });

    test("gets progress while it waits, then the files", async () => {
      const client = await connect(endpoint.url, endpoint.key);
      await client.toolNames();
      const heard: string[] = [];
      const before = endpoint.core.jobs.size;
      const waiting = client.call("connect_generate", { ...PICTURE, wait_seconds: 45 }, (message) =>
        heard.push(message),
      );
      await waitFor("the first news", () => heard.length > 0);
      const jobId = `job_${before + 1}`;
      endpoint.core.addEvent(jobId, "progress", { fraction: 0.5 });
      await waitFor("the progress", () => heard.includes("50% done"));
      endpoint.core.complete(jobId);
      const result = await waiting;
      expect(heard).toEqual(expect.arrayContaining(["reserved", "50% done"]));
      expect(result.structuredContent).toMatchObject({
        job_id: jobId,
        state: "completed",
        credits_charged: 4,
        outputs: [{ mime_type: "image/png" }],
      });
      expect(result.content).toContainEqual(
        expect.objectContaining({ type: "resource_link", uri: "https://atelier.example/out_1?sig=x" }),
      );
      await client.close();
    });

    test("gets a tool's failure as a result that its model can read", async () => {
      const client = await connect(endpoint.url, endpoint.key);
      await client.toolNames();
      const failed = await client.call("get_job", { job_id: "job_unknown" });
      expect(failed).toMatchObject({
        isError: true,
        content: [{ type: "text", text: expect.stringContaining("Code: job_not_found.") }],
      });
      expect(failed.structuredContent).toBeUndefined();
      await client.close();
    });

    test("gets the reason when its key is refused", async () => {
      await expect(connect(endpoint.url, `atl_${kind}_wrong`)).rejects.toThrow(
        /key is not valid here|requires authorization \(HTTP 401\)/,
      );
    });
  },
);

const anyMessage = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 4, arbitrary: fc.constant("2.0") }, { weight: 1, arbitrary: junk }),
    id: fc.oneof(fc.integer(), fc.double({ noInteger: true }), fc.string(), junk),
    method: fc.oneof({ weight: 4, arbitrary: fc.constant("ping") }, { weight: 1, arbitrary: junk }),
    params: fc.oneof(fc.constant({ a: 1 }), junk),
    extra: junk,
  },
  { requiredKeys: [] },
);

test("[MCP-15] a body is read as the message that it is, or its refusal names a field", () => {
  fc.assert(
    fc.property(anyMessage, (sent) => {
      const body = JSON.stringify(sent);
      try {
        expect(readMessage(Buffer.from(body))).toEqual(JSON.parse(body));
      } catch (error) {
        if (!(error instanceof MessageRefusal)) throw error;
        expect(error.error.issues).not.toEqual([]);
        expect(error.error.issues).toBeDefined();
      }
    }),
  );
});
