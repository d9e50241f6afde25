// Answers one JSON-RPC message by the version of the protocol that it belongs to: tools/list and tools/call here, the rest with the
// protocol library. Nothing is kept after the answer.
import {
  classifyInboundRequest,
  createMcpHandler,
  type McpHttpHandler,
  PerRequestHTTPServerTransport,
  preloadSchemas,
  ProtocolErrorCode,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "../../proto/codes.ts";
import { callTool, noSuchTool, NO_CURSORS } from "./call-tool.ts";
import { APPS_EXTENSION, newViewSession, SESSION_HEADER, showsViews } from "./apps-extension.ts";
import { createDirectAnswer, LIST_CACHE } from "./direct.ts";
import { toRpcError } from "./errors.ts";
import { type Answered, type Exchange, headerOf, type ServerEdge } from "./exchange.ts";
import {
  checkParams,
  isRequest,
  MessageRefusal,
  noSuchMethod,
  type Notification,
  refuseMethod,
  type Request as RpcRequest,
  shown,
} from "./message.ts";
import { declaresTasks, TASKS_EXTENSION } from "./task.ts";
import { readingCapabilities, readingMethods, serveReading } from "./reading-methods.ts";
import { agrees, createPlainMessages, CURRENT_VERSION, VERSION_HEADER } from "./plain-messages.ts";
import { invalidParams } from "./refuse.ts";
import { serveTasks } from "./task-methods.ts";

/**
 * What older clients may call besides what is there to read. The library answers the rest of their methods with 404, which they take for a
 * lost session.
 */
const OLDER_METHODS = ["initialize", "ping", "tools/list", "tools/call"];
/** What is read has prices in it, which may change at any time. */
const CACHE = {
  "tools/list": LIST_CACHE,
  "server/discover": LIST_CACHE,
  "resources/list": LIST_CACHE,
  "resources/templates/list": LIST_CACHE,
  "prompts/list": LIST_CACHE,
  "resources/read": { ...LIST_CACHE, ttlMs: 30_000 },
} as const;

const libraryRefusal = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  error: z.looseObject({
    code: z.int(),
    message: z.string(),
    data: z.record(z.string(), z.unknown()).optional().catch(undefined),
  }),
});
/** The protocol's code of headers that disagree with the body, which the library has no name for. */
const HEADER_MISMATCH = -32_020;
const VERSIONS_HINT = `Use ${CURRENT_VERSION}, with its _meta in each request; or one of ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")} in the header MCP-Protocol-Version, or no header.`;
/** The rest of what the library refuses is about the envelope of a current message. */
const ENVELOPE_HINT = `A request of ${CURRENT_VERSION} has protocolVersion, clientInfo and clientCapabilities in params._meta; one of an older version has neither these nor that header.`;
const LIBRARY_HINTS: Readonly<Record<number, string>> = {
  [ProtocolErrorCode.UnsupportedProtocolVersion]: VERSIONS_HINT,
  [HEADER_MISMATCH]: "Make the headers MCP-Protocol-Version, Mcp-Method and Mcp-Name say what the body says.",
};

export type Answer = (message: RpcRequest | Notification, exchange: Exchange) => Promise<Answered>;

/**
 * Builds the function that answers the messages of one endpoint. It throws MessageRefusal, or the signal's reason when nobody waits any
 * more.
 */
export function createAnswer(face: ServerEdge): Answer {
  preloadSchemas();
  const answerDirectly = createDirectAnswer(face);
  const answerCurrent = createCurrentAnswer(face);
  const plain = createPlainMessages();

  return async (message, admitted) => {
    const { headers, client } = admitted;
    if (client.hasGone) client.signal.throwIfAborted();
    const exchange = showsViews(message, headers) ? withViews(admitted, face) : admitted;
    if (isRequest(message)) {
      const era = plain.eraOf(message, headers);
      const known = era && answerDirectly(message, era, exchange);
      if (known) return known;
    }
    const version = headerOf(headers, VERSION_HEADER);
    const route = classifyInboundRequest({
      httpMethod: "POST",
      ...(version !== undefined && { protocolVersionHeader: version }),
      body: message,
    });
    if (route.kind === "legacy") {
      // There is no session that a notification could be about.
      if (!isRequest(message)) return new Response(null, { status: 202 });
      refuseOlder(message, version, exchange);
      checkParams(message);
      return (await answerDirectly(message, "older", exchange)) ?? answerOlder(message, exchange, face);
    }
    if (route.kind === "modern" && isRequest(message)) {
      // Nothing here ever changes by itself, so there is nothing to listen to.
      if (message.method === "subscriptions/listen") refuseMethod(message, 404);
      if (message.method !== "initialize") checkParams(message);
      if (route.classification.revision === CURRENT_VERSION && agrees(headers, message)) {
        plain.remember(message);
        const direct = await answerDirectly(message, "current", exchange);
        if (direct) return direct;
      }
    }
    return answerCurrent(message, exchange);
  };
}

function withViews(exchange: Exchange, { withViews: toShown }: ServerEdge): Exchange {
  return toShown ? { ...exchange, toolset: toShown(exchange.toolset) } : exchange;
}

function createCurrentAnswer(face: ServerEdge): Answer {
  const exchanges = new WeakMap<Request, { exchange: Exchange; takesTasks: boolean }>();
  const createHandler = (responseMode: "auto" | "sse"): McpHttpHandler =>
    createMcpHandler(
      ({ requestInfo }) => {
        const entry = requestInfo && exchanges.get(requestInfo);
        if (!entry) throw new Error("a request reached its handler without its exchange");
        const { exchange, takesTasks } = entry;
        const { tasks } = exchange.toolset;
        const server = createServer(exchange, face, tasks ? [TASKS_EXTENSION] : []);
        if (tasks) serveTasks(server, tasks, takesTasks, exchange, face);
        return server;
      },
      {
        legacy: "reject",
        responseMode,
        onerror: (error) => face.log.debug({ err: error }, "mcp message refused"),
      },
    );
  const handlers = { auto: createHandler("auto"), sse: createHandler("sse") };

  return async (message, exchange) => {
    const { headers, form, client } = exchange;
    const { signal } = client;
    const request = new Request(face.url, { method: "POST", headers: protocolHeaders(headers), signal });
    exchanges.set(request, { exchange, takesTasks: declaresTasks(message.params?.["_meta"]) });
    const answer = await handlers[form === "sse" ? "sse" : "auto"].fetch(request, { parsedBody: message });
    return answer.ok ? answer : withApiError(answer, message, exchange, face);
  };
}

/** What the library refuses, told as every other refusal of the endpoint; what the protocol itself puts into `data` stays in it. */
async function withApiError(
  answer: Response,
  message: RpcRequest | Notification,
  { tools }: Exchange,
  { words }: ServerEdge,
): Promise<Response> {
  const refused = libraryRefusal.safeParse(
    await answer
      .clone()
      .json()
      .catch(() => undefined),
  );
  if (!refused.success) return answer;
  const { id = null, error: told } = refused.data;
  const error = inOwnWords(told, message);
  const body = toRpcError(error, words, { id, requestId: tools.call.requestId, code: told.code });
  const data = { ...body.error.data, ...told.data };
  return Response.json({ ...body, error: { ...body.error, data } }, { status: answer.status });
}

function inOwnWords(
  { code, message }: { code: ProtocolErrorCode; message: string },
  { method }: RpcRequest | Notification,
): AppError {
  if (code === ProtocolErrorCode.MethodNotFound) return noSuchMethod(method);
  if (code === ProtocolErrorCode.InternalError) return new AppError("internal");
  return new AppError("invalid_request", {
    message: message.endsWith(".") ? message : `${message}.`,
    hint: LIBRARY_HINTS[code] ?? ENVELOPE_HINT,
  });
}

/** Refuses what older clients cannot ask, in ways that they understand. Throws MessageRefusal. */
function refuseOlder(message: RpcRequest, version: string | undefined, { toolset }: Exchange): void {
  if (
    version !== undefined &&
    message.method !== "initialize" &&
    !SUPPORTED_PROTOCOL_VERSIONS.includes(version)
  ) {
    refuseVersion(message, version);
  }
  if (![...OLDER_METHODS, ...readingMethods(toolset)].includes(message.method)) refuseMethod(message, 200);
}

async function answerOlder(message: RpcRequest, exchange: Exchange, face: ServerEdge): Promise<Response> {
  const transport = new PerRequestHTTPServerTransport({
    classification: { era: "legacy" },
    responseMode: exchange.form,
  });
  exchange.client.signal.addEventListener("abort", () => void transport.close(), { once: true });
  await createServer(exchange, face).connect(transport);
  const answer = await transport.handleMessage(message);
  if (message.method === "initialize" && exchange.toolset.hasViews)
    answer.headers.set(SESSION_HEADER, newViewSession());
  return answer;
}

function refuseVersion(message: RpcRequest, version: string): never {
  const error = new AppError("invalid_request", {
    message: `This server does not speak the protocol version ${shown(version)}.`,
    hint: VERSIONS_HINT,
    issues: [{ path: "MCP-Protocol-Version", message: "is not a version that this server speaks" }],
  });
  throw new MessageRefusal(error, { id: message.id, code: ProtocolErrorCode.UnsupportedProtocolVersion });
}

/** A server of the library for one message, with these extensions too. Its tools answer those whose headers are right but not plain. */
function createServer(exchange: Exchange, face: ServerEdge, more: readonly string[] = []): Server {
  const { toolset } = exchange;
  const extensions = [...more, ...(toolset.hasViews ? [APPS_EXTENSION] : [])];
  const server = new Server(face.info, {
    capabilities: {
      tools: { listChanged: false },
      ...readingCapabilities(toolset),
      ...(extensions.length > 0 && { extensions: Object.fromEntries(extensions.map((name) => [name, {}])) }),
    },
    instructions: face.instructions,
    cacheHints: CACHE,
  });
  serveReading(server, exchange, face);
  server.setRequestHandler("tools/list", ({ params }) => {
    if (params?.cursor !== undefined) throw invalidParams(NO_CURSORS, exchange, face);
    return exchange.toolset.listing;
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = exchange.toolset.find(params.name);
    if (!tool) throw invalidParams(noSuchTool(params.name, exchange), exchange, face);
    const plain = { takesTasks: false, canAsk: false, answer: undefined, reportProgress: undefined };
    return (await callTool({ tool, args: params.arguments, client: mcpReq, ...plain }, exchange, face))
      .result;
  });
  return server;
}

function protocolHeaders(headers: Exchange["headers"]): Headers {
  const result = new Headers({ "content-type": "application/json" });
  for (const name of [VERSION_HEADER, "mcp-method", "mcp-name"]) {
    const value = headerOf(headers, name);
    if (value !== undefined) result.set(name, value);
  }
  return result;
}
