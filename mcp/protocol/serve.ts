// Answers one JSON-RPC message by its protocol version: tools/list and tools/call here, the rest with the protocol library. Nothing is
// stored after the response.
import {
  classifyInboundRequest,
  createMcpHandler,
  type McpHttpHandler,
  PerRequestHTTPServerTransport,
  preloadSchemas,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/server/ext/skills";
import { z } from "zod";
import { AppError } from "../../proto/codes.ts";
import { APPS_EXTENSION, newViewSession, SESSION_HEADER, showsViews } from "./apps-extension.ts";
import { type ClientInput, NO_INPUT, readClientInput } from "./client-input.ts";
import { type AnswerDirectly, checksKey, createDirectAnswer, LIST_CACHE, toRefusal } from "./direct.ts";
import { toRpcError } from "./errors.ts";
import { type Answered, type Exchange, headerOf, type ServerEdge } from "./exchange.ts";
import { listen } from "./listen.ts";
import {
  checkParams,
  isRequest,
  MessageRefusal,
  type Notification,
  refuseMethod,
  type Request as RpcRequest,
  shown,
} from "./message.ts";
import { agrees, createPlainMessages, CURRENT_VERSION, VERSION_HEADER } from "./plain-messages.ts";
import { readingCapabilities, readingMethods, serveReading } from "./reading-methods.ts";
import { inOwnWords, VERSIONS_HINT } from "./refuse.ts";
import { SKILL_METHODS, serveSkills } from "./skill-methods.ts";
import { serveTasks } from "./task-methods.ts";
import { TASKS_EXTENSION } from "./task.ts";

/**
 * The methods that clients of older versions may call, in addition to reading. The library answers the rest of their methods with 404,
 * which they take for a lost session.
 */
const OLDER_METHODS = ["initialize", "ping", "tools/list", "tools/call"];
/** The documents contain prices, which may change at any time. */
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
export type Answer = (message: RpcRequest | Notification, exchange: Exchange) => Promise<Answered>;

/**
 * Builds the function that answers the messages of one endpoint. It throws MessageRefusal, or the signal's reason if the client has
 * disconnected.
 */
export function createAnswer(edge: ServerEdge): Answer {
  preloadSchemas();
  const answerDirectly = createDirectAnswer(edge);
  const answerCurrent = createCurrentAnswer(edge, answerDirectly);
  const plain = createPlainMessages();

  async function answerListener(message: RpcRequest, exchange: Exchange): Promise<Answered> {
    // The library knows no tasks. It is called only to check headers that are not plain.
    const answered = agrees(exchange.headers, message) ? undefined : await answerCurrent(message, exchange);
    if (answered && !(answered instanceof Response && answered.ok)) return answered;
    await answered?.body?.cancel();
    return listen(message, exchange, edge).catch((error: unknown) => {
      throw error instanceof ProtocolError ? toRefusal(error, message) : error;
    });
  }

  return async (message, admitted) => {
    const { headers, client } = admitted;
    if (client.hasGone) client.signal.throwIfAborted();
    const era = isRequest(message) ? plain.eraOf(message, headers) : undefined;
    const proved = era && checksKey(message, admitted) ? admitted : await prove(admitted);
    const exchange = showsViews(message, headers) ? withViews(proved, edge) : proved;
    if (isRequest(message)) {
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
      return (await answerDirectly(message, "older", exchange)) ?? answerOlder(message, exchange, edge);
    }
    if (route.kind === "modern" && isRequest(message)) {
      if (message.method !== "initialize") checkParams(message);
      if (message.method === "subscriptions/listen") return answerListener(message, exchange);
      if (route.classification.revision === CURRENT_VERSION && agrees(headers, message)) {
        plain.remember(message);
        const direct = await answerDirectly(message, "current", exchange);
        if (direct) return direct;
      }
    }
    return answerCurrent(message, exchange);
  };
}

async function prove(exchange: Exchange): Promise<Exchange> {
  return exchange.prove ? { ...exchange, toolset: await exchange.prove(), prove: undefined } : exchange;
}

function withViews(exchange: Exchange, { withViews: toShown }: ServerEdge): Exchange {
  return toShown ? { ...exchange, toolset: toShown(exchange.toolset) } : exchange;
}

function createCurrentAnswer(edge: ServerEdge, answerDirectly: AnswerDirectly): Answer {
  const exchanges = new WeakMap<Request, CurrentExchange>();
  const createHandler = (responseMode: "auto" | "sse"): McpHttpHandler =>
    createMcpHandler(
      ({ requestInfo }) => {
        const entry = requestInfo && exchanges.get(requestInfo);
        if (!entry) throw new Error("a request reached its handler without its exchange");
        return createCurrentServer(entry, edge);
      },
      {
        legacy: "reject",
        responseMode,
        onerror: (error) => edge.log.debug({ err: error }, "mcp message refused"),
      },
    );
  const handlers = { auto: createHandler("auto"), sse: createHandler("sse") };

  return async (message, exchange) => {
    const { headers, form, client } = exchange;
    const { signal } = client;
    const request = new Request(edge.url, { method: "POST", headers: protocolHeaders(headers), signal });
    const entry: CurrentExchange = { exchange, input: readClientInput(message.params), isSound: false };
    exchanges.set(request, entry);
    const answer = await handlers[form === "sse" ? "sse" : "auto"].fetch(request, { parsedBody: message });
    const direct = entry.isSound && isRequest(message) && answerDirectly(message, "current", exchange);
    if (direct) return direct;
    return answer.ok ? answer : withApiError(answer, message, exchange, edge);
  };
}

type CurrentExchange = {
  readonly exchange: Exchange;
  readonly input: ClientInput;
  /** Thrown when the library found nothing wrong with a message that is answered here. */
  isSound: boolean;
};

function createCurrentServer(entry: CurrentExchange, edge: ServerEdge): Server {
  const { exchange, input } = entry;
  const { tasks } = exchange.toolset;
  const server = createServer(exchange, input, edge, tasks ? [TASKS_EXTENSION] : []);
  if (tasks) serveTasks(server, tasks, input, exchange, edge);
  // The headers are right but not plain, for example encoded. The library is called only to check them.
  server.setRequestHandler("tools/list", () => {
    entry.isSound = true;
    return { tools: [] };
  });
  server.setRequestHandler("tools/call", () => {
    entry.isSound = true;
    return { content: [] };
  });
  return server;
}

/** Reports a refusal by the library as every other refusal of the endpoint. The protocol's own `data` is kept. */
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
  const { requestId } = tools.call;
  const body = toRpcError(inOwnWords(told, message), words, {
    id,
    requestId,
    code: told.code,
    more: told.data,
  });
  return Response.json(body, { status: answer.status });
}

/** Refuses what clients of older versions cannot ask, in ways that they understand. Throws MessageRefusal. */
function refuseOlder(message: RpcRequest, version: string | undefined, { toolset }: Exchange): void {
  if (
    version !== undefined &&
    message.method !== "initialize" &&
    !SUPPORTED_PROTOCOL_VERSIONS.includes(version)
  ) {
    refuseVersion(message, version);
  }
  if (![...OLDER_METHODS, ...SKILL_METHODS, ...readingMethods(toolset)].includes(message.method))
    refuseMethod(message, 200);
}

async function answerOlder(message: RpcRequest, exchange: Exchange, edge: ServerEdge): Promise<Response> {
  const transport = new PerRequestHTTPServerTransport({
    classification: { era: "legacy" },
    responseMode: exchange.form,
  });
  exchange.client.signal.addEventListener("abort", () => void transport.close(), { once: true });
  await createServer(exchange, NO_INPUT, edge).connect(transport);
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

/** Creates a server of the library for one message, with these extensions too. */
function createServer(
  exchange: Exchange,
  input: ClientInput,
  edge: ServerEdge,
  more: readonly string[] = [],
): Server {
  const { toolset } = exchange;
  const extensions = [SKILLS_EXTENSION_ID, ...more, ...(toolset.hasViews ? [APPS_EXTENSION] : [])];
  const server = new Server(edge.info, {
    capabilities: {
      tools: { listChanged: false },
      ...readingCapabilities(toolset),
      extensions: Object.fromEntries(extensions.map((name) => [name, {}])),
    },
    instructions: edge.instructions,
    cacheHints: CACHE,
  });
  serveReading(server, exchange, input, edge);
  serveSkills(server, exchange, edge);
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
