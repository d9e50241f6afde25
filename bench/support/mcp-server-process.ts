// A server for the tool endpoint's measurement: the service's endpoint with key check and all, in front of a fake core; or one of the
// protocol's own libraries, as lean as possible, without a key check.
import { AsyncLocalStorage } from "node:async_hooks";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Server as OlderServer } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type CallToolResult, Server as CurrentServer, createMcpHandler } from "@modelcontextprotocol/server";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { connectCore } from "../../edge/core-connection.ts";
import { createKeyGuard } from "../../edge/http/key-guard.ts";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { createHttpServer } from "../../edge/http/server.ts";
import { TOOL_SERVERS } from "../../edge/tool-servers.ts";
import {
  GENERATION_INSTRUCTIONS,
  GENERATION_TOOLSET,
  GENERATION_WORDS,
  generationKeys,
} from "../../mcp/generation/tools.ts";
import { admitKey } from "../../mcp/protocol/auth.ts";
import { NO_INPUT } from "../../mcp/protocol/client-input.ts";
import { registerEndpoint } from "../../mcp/protocol/endpoint.ts";
import {
  type Tool,
  type ToolContext,
  type Toolset,
  createToolset,
  defineTool,
} from "../../mcp/protocol/tool.ts";
import type { Caller } from "../../proto/caller.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { createCoreInMemory, ENDPOINTS, GUIDE } from "../../test/mcp/core-in-memory.ts";
import { answerParent } from "./child.ts";
import { createShopTools } from "./shop-tools.ts";

export type McpServerKind = "ours" | "v1" | "v2";
/** The backends of the shop's tools; without them it serves BENCH_TOOLS. */
export type Shop = { apiPort: number; redisPort: number };
export type McpServerQuestion = { start: McpServerKind; shop?: Shop } | { overCore: Record<string, string> };
export type Started = { port: number; key: string };
type Running = Started & { close(): Promise<void> };

const PATH = "/api/mcp";
const capabilities = { tools: { listChanged: false } };

/** A limit that is never reached is still counted. */
const UNREACHED = "1000000000";

async function startOurs(tools: Tool[]): Promise<Running> {
  const config = loadConfig({ ATELIER_LOG_LEVEL: "error", ATELIER_RATE_API: UNREACHED });
  const log = createLog("error", "bench");
  const app: FastifyInstance = createHttpServer({ config, log });
  const core = createCoreInMemory();
  const limits = createRateLimits(config, createMetrics());
  const guard = createKeyGuard<Toolset>(limits);
  const toolset = createToolset(tools);
  const keys = generationKeys(core.client);
  const rules = {
    ...keys,
    authenticate: async (credential: Parameters<typeof keys.authenticate>[0]) => {
      await keys.authenticate(credential);
      // The fake core records every call, for tests.
      core.calls.length = 0;
      return toolset;
    },
  };
  await app.register(registerEndpoint, {
    path: PATH,
    url: `http://localhost${PATH}`,
    info: TOOL_SERVERS.generation.info,
    instructions: GENERATION_INSTRUCTIONS,
    words: GENERATION_WORDS,
    endpoints: ENDPOINTS,
    guide: GUIDE,
    core: core.client,
    log,
    allowedOrigins: new Set<string>(),
    stallMs: config.stallMs,
    admit: (request, reply, client) => admitKey(request, reply, client, { limits, rules, guard }),
  });
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  return { port: Number(port), key: core.addKey(), close: () => app.close() };
}

/** A server and a transport for each request, as in the library's stateless example. */
const createOlderListener =
  (tools: Tool[]): RequestListener =>
  (request, response) => {
    const server = new OlderServer(TOOL_SERVERS.generation.info, {
      capabilities,
      instructions: GENERATION_INSTRUCTIONS,
    });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ listing }) => listing) }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({
      ...(await callTool(tools, params)),
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on("close", () => void server.close());
    void server.connect(transport as Transport).then(() => transport.handleRequest(request, response));
  };

type Call = (request: { name: string; arguments?: unknown }) => Promise<CallToolResult>;

function createCurrentListener(tools: readonly Tool[], call: Call): RequestListener {
  const handler = createMcpHandler(() => {
    const server = new CurrentServer(TOOL_SERVERS.generation.info, {
      capabilities,
      instructions: GENERATION_INSTRUCTIONS,
    });
    server.setRequestHandler("tools/list", () => ({ tools: tools.map(({ listing }) => listing) }));
    server.setRequestHandler("tools/call", ({ params }) => call(params));
    return server;
  });
  return (request, response) =>
    void readBody(request).then(async (body) => {
      const headers = new Headers(request.headers as Record<string, string>);
      const asked = new Request(`http://localhost${PATH}`, { method: "POST", headers, body });
      const answer = await handler.fetch(asked, { parsedBody: JSON.parse(body) });
      const text = await answer.text();
      response.writeHead(answer.status, {
        "content-type": answer.headers.get("content-type") ?? "",
        "content-length": Buffer.byteLength(text),
      });
      response.end(text);
    });
}

const KEY_IN_TOOLS = new AsyncLocalStorage<Caller>();

/** The same tools over the same core, with the same key check, served by the library. These settings name the core. */
async function startOverCore(env: Record<string, string>): Promise<Running> {
  const config = loadConfig({ ...env, ATELIER_LOG_LEVEL: "error" });
  const core = connectCore(config, "mcp", { address: config.coreAddress ?? "" });
  const { tools } = GENERATION_TOOLSET;
  const listener = createCurrentListener(tools, (params) => {
    const call = { caller: KEY_IN_TOOLS.getStore() as Caller };
    return callTool(tools, params, { core, call, countGeneration: async () => {} });
  });
  return startListener((request, response) => {
    const keySha256 = hashApiKey(request.headers.authorization?.slice("Bearer ".length) ?? "");
    const caller = { kind: "key", keySha256, source: "mcp" } as const;
    void core.accounts.Authenticate({ required_scope: "write" }, { caller }).then(
      () => KEY_IN_TOOLS.run(caller, () => listener(request, response)),
      () => response.writeHead(401).end(),
    );
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function startListener(listener: RequestListener): Promise<Running> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, key: "none", close: async () => server.closeAllConnections() };
}

const STARTS: Record<McpServerKind, (tools: Tool[]) => Promise<Running>> = {
  ours: startOurs,
  v1: (tools) => startListener(createOlderListener(tools)),
  v2: (tools) => startListener(createCurrentListener(tools, (params) => callTool(tools, params))),
};

function start(question: McpServerQuestion): Promise<Running> {
  if ("overCore" in question) return startOverCore(question.overCore);
  const { start: kind, shop } = question;
  return STARTS[kind](shop ? createShopTools(shop.apiPort, shop.redisPort) : BENCH_TOOLS);
}

let close = async (): Promise<void> => {};
answerParent<McpServerQuestion, Started>(
  async (question) => {
    const { close: stop, ...started } = await start(question);
    close = stop;
    return started;
  },
  () => close(),
);

const input = z.strictObject({ text: z.string().min(1).max(1000) });

function count(text: string): { text: string; structured: { characters: number } } {
  return { text: `${text.length} characters.`, structured: { characters: text.length } };
}

const countText = defineTool({
  name: "count_text",
  title: "Count characters",
  endpoints: [],
  description: "Counts the characters of a text. Costs nothing.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output: z.object({ characters: z.number() }),
  handle: async ({ text }) => count(text),
});

const GENERATION_TOOLS = GENERATION_TOOLSET.listing.tools.flatMap(
  ({ name }) => GENERATION_TOOLSET.find(name) ?? [],
);
const BENCH_TOOLS = [...GENERATION_TOOLS, countText];

/** For servers that call a tool themselves, with the same check of its arguments. `context` has what their tools use. */
async function callTool(
  tools: readonly Tool[],
  { name, arguments: args = {} }: { name: string; arguments?: unknown },
  context: Partial<ToolContext> = {},
): Promise<CallToolResult> {
  const tool = tools.find(({ listing }) => listing.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return (await tool.call(args, { takesTasks: false, input: NO_INPUT, ...context } as ToolContext)).result;
}
