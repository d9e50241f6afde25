// One server of the measurement of the tool endpoint: ours as it is, key check and all, in front of a core in memory; one of the
// protocol's own libraries, used as leanly as it allows, without any check of a key; or all of our endpoints together.
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, Server as CurrentServer } from "@modelcontextprotocol/server";
import { Server as OlderServer } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { FastifyInstance } from "fastify";
import { admitKey } from "../../mcp/protocol/auth.ts";
import { registerEndpoint } from "../../mcp/protocol/endpoint.ts";
import { generationKeys } from "../../mcp/generation/keys.ts";
import { TOOL_SERVERS } from "../../edge/tool-servers.ts";
import { GENERATION_INSTRUCTIONS } from "../../mcp/generation/tools.ts";
import { GENERATION_WORDS } from "../../mcp/generation/words.ts";
import { createToolset } from "../../mcp/protocol/tool.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createHttpServer } from "../../edge/http/server.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { createKeyGuard } from "../../edge/http/key-guard.ts";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { createFakeCore, ENDPOINTS, GUIDE } from "../../test/mcp/fake-core.ts";
import { startMemberEndpoint } from "../../test/mcp/member/member-endpoint.ts";
import { answerParent } from "./child.ts";
import { BENCH_TOOLS, callTool } from "./mcp-tools.ts";

export type McpServerKind = "ours" | "v1" | "v2" | "endpoints";
export type McpServerQuestion = { start: McpServerKind } | { use: true };
/** The member key is good where all endpoints are. */
export type Started = { port: number; key: string; memberKey: string };
type Running = Started & { close(): Promise<void> };
/** How it can be reached; or how much processor time it took so far. */
export type McpServerReply = Started | { cpuSeconds: number };

const PATH = "/api/mcp";
const capabilities = { tools: { listChanged: false } };
const LISTINGS = BENCH_TOOLS.map(({ listing }) => listing);

/** A limit that is never reached is still counted. */
const UNREACHED = "1000000000";

async function startOurs(): Promise<Running> {
  const config = loadConfig({ ATELIER_LOG_LEVEL: "error", ATELIER_RATE_API: UNREACHED });
  const log = createLog("error", "bench");
  const app: FastifyInstance = createHttpServer({ config, log });
  const core = createFakeCore();
  const limits = createRateLimits(config, createMetrics());
  const guard = createKeyGuard(limits);
  const toolset = createToolset(BENCH_TOOLS);
  const keys = generationKeys(core.client);
  const rules = {
    ...keys,
    authenticate: async (credential: Parameters<typeof keys.authenticate>[0]) => {
      await keys.authenticate(credential);
      // The core in memory notes every call, for tests.
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
  return { port: Number(port), key: core.addKey(), memberKey: "none", close: () => app.close() };
}

async function startEndpoints(): Promise<Running> {
  const { core, origin, key, close } = await startMemberEndpoint({
    ATELIER_RATE_API: UNREACHED,
    ATELIER_RATE_CATALOG: UNREACHED,
    ATELIER_RATE_MEMBER: UNREACHED,
  });
  // The core in memory notes every call, for tests.
  const forgetting = setInterval(() => void (core.calls.length = 0), 100);
  return {
    port: Number(new URL(origin).port),
    key: core.addKey(),
    memberKey: key,
    close: async () => {
      clearInterval(forgetting);
      await close();
    },
  };
}

/** A server and a transport for each request, as the library's stateless example does it. */
const answerOlder: RequestListener = (request, response) => {
  const server = new OlderServer(TOOL_SERVERS.generation.info, {
    capabilities,
    instructions: GENERATION_INSTRUCTIONS,
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: LISTINGS }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({ ...(await callTool(params)) }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on("close", () => void server.close());
  void server.connect(transport as Transport).then(() => transport.handleRequest(request, response));
};

function createCurrentListener(): RequestListener {
  const handler = createMcpHandler(() => {
    const server = new CurrentServer(TOOL_SERVERS.generation.info, {
      capabilities,
      instructions: GENERATION_INSTRUCTIONS,
    });
    server.setRequestHandler("tools/list", () => ({ tools: LISTINGS }));
    server.setRequestHandler("tools/call", ({ params }) => callTool(params));
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

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function startListener(listener: RequestListener): Promise<Running> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, key: "none", memberKey: "none", close: async () => server.closeAllConnections() };
}

const STARTS: Record<McpServerKind, () => Promise<Running>> = {
  ours: startOurs,
  endpoints: startEndpoints,
  v1: () => startListener(answerOlder),
  v2: () => startListener(createCurrentListener()),
};

let close = async (): Promise<void> => {};
answerParent<McpServerQuestion, McpServerReply>(
  "ready",
  async (question) => {
    if ("start" in question) {
      const { close: stop, ...started } = await STARTS[question.start]();
      close = stop;
      return started;
    }
    const { user, system } = process.cpuUsage();
    return { cpuSeconds: (user + system) / 1e6 };
  },
  () => close(),
);
