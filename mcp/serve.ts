// Answers one JSON-RPC message with the protocol library, in the era that the message belongs to. Nothing outlives the answer.
import {
  type CallToolResult,
  classifyInboundRequest,
  createMcpHandler,
  type Implementation,
  type McpHttpHandler,
  PerRequestHTTPServerTransport,
  preloadSchemas,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ServerOptions,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { AppError } from "../proto/codes.ts";
import type { Logger } from "../runtime/log.ts";
import { toAppError } from "../runtime/http-errors.ts";
import { type ErrorWords, toRpcError, toToolFailure } from "./errors.ts";
import {
  checkParams,
  isRequest,
  MessageRefusal,
  type Notification,
  refuseMethod,
  type Request as RpcRequest,
  shown,
} from "./message.ts";
import type { ToolContext, Toolset } from "./tool.ts";

const TOOLS_TTL_MS = 5 * 60 * 1000;
const VERSION_HEADER = "mcp-protocol-version";
/** What older clients may call; the library answers the rest of their methods with 404, which they take for a lost session. */
const OLDER_METHODS = ["initialize", "ping", "tools/list", "tools/call"];

/** How an answer may look: one JSON document, events, or JSON that turns into events when there is something to say before the end. */
export type AnswerForm = "json" | "sse" | "auto";

/** One message on its way, with all that is known about who sent it. */
export type Exchange = {
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly form: AnswerForm;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readonly toolset: Toolset;
  readonly tools: Omit<ToolContext, "call" | "reportProgress"> & {
    readonly call: Required<Omit<ToolContext["call"], "signal">>;
  };
};

export type Answer = (message: RpcRequest | Notification, exchange: Exchange) => Promise<Response>;

export type ServerFace = {
  info: Implementation;
  instructions: string;
  words: ErrorWords;
  url: string;
  log: Logger;
};

/** Builds what answers the messages of one endpoint. It throws MessageRefusal, and the signal's reason when nobody waits any more. */
export function createAnswer({ info, instructions, words, url, log }: ServerFace): Answer {
  preloadSchemas();
  const cacheHint = { ttlMs: TOOLS_TTL_MS, cacheScope: "private" } as const;
  const options: ServerOptions = {
    capabilities: { tools: { listChanged: false } },
    instructions,
    cacheHints: { "tools/list": cacheHint, "server/discover": cacheHint },
  };
  const exchanges = new WeakMap<Request, Exchange>();

  const createServer = (exchange: Exchange): Server => {
    const server = new Server(info, options);
    server.setRequestHandler("tools/list", ({ params }) => {
      // The list is one page, so no cursor can have come from here.
      if (params?.cursor !== undefined) {
        const message = "This list of tools is one page and has no cursors.";
        throw invalidParams({ message, hint: "Leave cursor out." }, words, exchange);
      }
      return exchange.toolset.listing;
    });
    server.setRequestHandler("tools/call", ({ params }, context) =>
      callTool(params, context, exchange, { words, log }),
    );
    return server;
  };

  const createCurrentHandler = (responseMode: "auto" | "sse"): McpHttpHandler =>
    createMcpHandler(
      ({ requestInfo }) => {
        const exchange = requestInfo && exchanges.get(requestInfo);
        if (!exchange) throw new Error("a request reached its handler without its exchange");
        return createServer(exchange);
      },
      {
        legacy: "reject",
        responseMode,
        onerror: (error) => log.debug({ err: error }, "mcp message refused"),
      },
    );
  const current = { auto: createCurrentHandler("auto"), sse: createCurrentHandler("sse") };

  return async (message, exchange) => {
    const { headers, form, signal } = exchange;
    signal.throwIfAborted();
    const version = headerOf(headers, VERSION_HEADER);
    const route = classifyInboundRequest({
      httpMethod: "POST",
      ...(version !== undefined && { protocolVersionHeader: version }),
      body: message,
    });
    if (route.kind === "legacy") return answerOlder(message, exchange, createServer(exchange));
    if (route.kind === "modern" && isRequest(message)) {
      // Nothing here ever changes by itself, so there is nothing to listen to.
      if (message.method === "subscriptions/listen") refuseMethod(message, 404);
      if (message.method !== "initialize") checkParams(message);
    }
    const request = new Request(url, { method: "POST", headers: protocolHeaders(headers), signal });
    exchanges.set(request, exchange);
    return current[form === "sse" ? "sse" : "auto"].fetch(request, { parsedBody: message });
  };
}

async function answerOlder(
  message: RpcRequest | Notification,
  { headers, form, signal }: Exchange,
  server: Server,
): Promise<Response> {
  // There is no session that a notification could be about.
  if (!isRequest(message)) return new Response(null, { status: 202 });
  const version = headerOf(headers, VERSION_HEADER);
  if (
    version !== undefined &&
    message.method !== "initialize" &&
    !SUPPORTED_PROTOCOL_VERSIONS.includes(version)
  ) {
    refuseVersion(message, version);
  }
  if (!OLDER_METHODS.includes(message.method)) refuseMethod(message, 200);
  checkParams(message);
  const transport = new PerRequestHTTPServerTransport({
    classification: { era: "legacy" },
    responseMode: form,
  });
  signal.addEventListener("abort", () => void transport.close(), { once: true });
  await server.connect(transport);
  return transport.handleMessage(message);
}

function refuseVersion(message: RpcRequest, version: string): never {
  const error = new AppError("invalid_request", {
    message: `This server does not speak the protocol version ${shown(version)}.`,
    hint: `Send one of these in the header MCP-Protocol-Version, or leave it out: ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")}.`,
  });
  throw new MessageRefusal(error, { id: message.id, code: ProtocolErrorCode.UnsupportedProtocolVersion });
}

async function callTool(
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  { mcpReq }: ServerContext,
  exchange: Exchange,
  { words, log }: Pick<ServerFace, "words" | "log">,
): Promise<CallToolResult> {
  const { toolset, tools, form } = exchange;
  const tool = toolset.find(name);
  if (!tool) {
    const known = toolset.listing.tools.map((listed) => listed.name).join(", ");
    const details = { message: `There is no tool ${shown(name)}.`, hint: `Use one of these: ${known}.` };
    throw invalidParams(details, words, exchange);
  }
  const { requestId } = tools.call;
  const token = mcpReq._meta?.progressToken;
  let steps = 0;
  const reportProgress = (text: string): void => {
    steps += 1;
    const params = { progressToken: token ?? "", progress: steps, message: text };
    // Progress is a courtesy: a client that cannot take it any more still gets its result or is noticed as gone.
    mcpReq
      .notify({ method: "notifications/progress", params })
      .catch((error: unknown) => log.debug({ err: error }, "progress not sent"));
  };
  const heard = token !== undefined && form !== "json";
  try {
    return await tool.call(args, {
      ...tools,
      call: { ...tools.call, signal: mcpReq.signal },
      reportProgress: heard ? reportProgress : undefined,
    });
  } catch (error) {
    const known = toAppError(error);
    // When the client has gone away, what broke is its own cancellation.
    if (!known && !mcpReq.signal.aborted) {
      log.error({ err: error, request_id: requestId, tool: name }, "internal error");
    }
    return toToolFailure(known ?? new AppError("internal"), words, requestId);
  }
}

/** What the library answers as it is: a request that is well-formed but asks for something that is not there. */
function invalidParams(
  details: { message: string; hint: string },
  words: ErrorWords,
  { tools }: Exchange,
): ProtocolError {
  const { error } = toRpcError(new AppError("invalid_request", details), words, {
    id: null,
    requestId: tools.call.requestId,
  });
  return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, error.data);
}

function protocolHeaders(headers: Exchange["headers"]): Headers {
  const result = new Headers({ "content-type": "application/json" });
  for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name"]) {
    const value = headerOf(headers, name);
    if (value !== undefined) result.set(name, value);
  }
  return result;
}

function headerOf(headers: Exchange["headers"], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
