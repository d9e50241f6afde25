// One MCP endpoint over HTTP: its checks in their fixed order, the form of the answer, and every refusal as a JSON-RPC error. The tools,
// and who may use them, come from outside.
import { Readable } from "node:stream";
import { type Implementation, isJsonContentType } from "@modelcontextprotocol/server";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { preferenceFor } from "../../edge/http/accept.ts";
import type { AnyReply, AnyRequest } from "../../edge/http/any-request.ts";
import { Client } from "../../edge/http/client-gone.ts";
import { logFailure, noteForSecurity, toAppError } from "../../edge/http/errors.ts";
import { refuseCompressed } from "../../edge/http/json-body.ts";
import { OVERLOADED } from "../../edge/http/load.ts";
import type { PlainPost } from "../../edge/http/plain-posts.ts";
import { prepareShed } from "../../edge/http/shed.ts";
import { cutWhenStalled } from "../../edge/http/slow-connections.ts";
import type { Caller } from "../../proto/caller.ts";
import type { CoreClient } from "../../proto/client.ts";
import { AppError, ERROR_TABLE } from "../../proto/codes.ts";
import type { Logger } from "../../runtime/log/log.ts";
import type { Tracing } from "../../runtime/log/tracing.ts";
import { remember } from "../../runtime/remember.ts";
import { SESSION_HEADER } from "./apps-extension.ts";
import { type RpcErrorBody, toRpcError } from "./errors.ts";
import type { AnswerForm, Answered, Exchange } from "./exchange.ts";
import { MessageRefusal, readMessage, traceparentOf } from "./message.ts";
import { agrees, namesCancel } from "./plain-messages.ts";
import type { Endpoints, ReadContext } from "./read-context.ts";
import { type Answer, createAnswer } from "./serve.ts";
import type { ToolContext, Toolset } from "./tool.ts";
import type { ErrorWords } from "./words.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** The result of a request's checks. */
export type Admission = Pick<ToolContext, "countGeneration" | "open"> & {
  readonly caller: Caller;
  readonly toolset: Toolset;
  readonly prove?: Exchange["prove"];
  /** Admits a message whose headers name a cancel, but whose body is another message. Throws service_unavailable during overload. */
  readonly admitOther?: () => void;
};

export type Endpoint = {
  readonly path: string;
  /** The public address of the endpoint. */
  readonly url: string;
  /** The addresses of all endpoints, for tools that mention them. */
  readonly endpoints: Endpoints;
  readonly guide: ReadContext["guide"];
  readonly info: Implementation;
  readonly instructions: string;
  /** This endpoint's own error texts, if its readers need other texts than those common to all tools. */
  readonly words: ErrorWords;
  readonly withViews?: (toolset: Toolset) => Toolset;
  readonly core: CoreClient;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
  /** Browser origins that may call. Requests without an Origin come from programs and are checked only by their key. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** The time after which a client that reads nothing from a stream is disconnected. */
  readonly stallMs: number;
  /** The tool that ends work instead of adding some, so it is accepted during overload too. */
  readonly cancelTool?: string;
  /** Checks who calls. Throws AppErrors, and may set headers of the answer. */
  readonly admit: (request: AnyRequest, reply: AnyReply, client: Client) => Promise<Admission>;
};

/** The fastify plugin of one endpoint, with its own content types and errors. */
export async function registerEndpoint(app: FastifyInstance, endpoint: Endpoint): Promise<void> {
  const answer = createAnswer(endpoint);
  const draining = new AbortController();
  app.addHook("preClose", async () => draining.abort());
  const handle = (request: AnyRequest, reply: AnyReply, body: Buffer, entry: Admitted): Promise<AnyReply> =>
    handleMessage(request, reply, body, entry, { endpoint, answer, draining: draining.signal }).catch(
      async (error: unknown) => {
        await entry.admission.prove?.();
        throw error;
      },
    );
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  const refuse: PlainPost["refuse"] = (error, request, reply) =>
    void sendRefusal(error, endpoint.words, request, reply);

  // Every body arrives as bytes, so that a wrong media type is refused after the key, in the order of the checks.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.setErrorHandler(refuse);
  app.addHook("onRequest", (request, reply, done) => {
    checkOrigin(request, reply, endpoint.allowedOrigins);
    done();
  });

  app.route({
    method: ["GET", "DELETE", "PUT", "PATCH"],
    url: endpoint.path,
    // This happens before the body is read, which no one needs.
    onRequest: async (_request, reply) => {
      reply.header("allow", "POST");
      throw new AppError("method_not_allowed");
    },
    handler: async () => {},
  });
  app.options(
    endpoint.path,
    { onRequest: async (request, reply) => sendPreflight(request, reply) },
    async () => {},
  );
  app.post(endpoint.path, {
    onRequest: async (request, reply) => {
      const client = new Client(reply.raw);
      admitted.set(request, { admission: await endpoint.admit(request, reply, client), client });
    },
    handler: async (request, reply) => {
      const entry = admitted.get(request);
      if (!entry) throw new Error("a request reached its handler without being admitted");
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return handle(request, reply, body, entry);
    },
  });
  const { cancelTool } = endpoint;
  const shed = prepareShed(
    {
      headers: { vary: "origin", "content-type": JSON_TYPE },
      endsWork: cancelTool === undefined ? undefined : (headers) => namesCancel(headers, cancelTool),
    },
    (requestId) => JSON.stringify(toRpcError(OVERLOADED, endpoint.words, { id: null, requestId })),
  );
  app.sheds.set(`POST ${endpoint.path}`, shed);
  app.plainPosts.set(endpoint.path, {
    serve: async (request, reply, readBody) => {
      checkOrigin(request, reply, endpoint.allowedOrigins);
      const client = new Client(reply.raw);
      const admission = await endpoint.admit(request, reply, client);
      await handle(request, reply, await readBody(), { admission, client });
    },
    refuse,
  });
}

type Admitted = { readonly admission: Admission; readonly client: Client };

async function handleMessage(
  request: AnyRequest,
  reply: AnyReply,
  body: Buffer,
  { admission: { caller, toolset, prove, countGeneration, open, admitOther }, client }: Admitted,
  { endpoint, answer, draining }: { endpoint: Endpoint; answer: Answer; draining: AbortSignal },
): Promise<AnyReply> {
  const { core, endpoints, guide, stallMs } = endpoint;
  if (!isJsonContentType(request.headers["content-type"])) throw new AppError("unsupported_media_type");
  refuseCompressed(request.headers);
  const message = readMessage(body);
  if (!agrees(request.headers, message)) admitOther?.();
  const answered = await answer(message, {
    headers: request.headers,
    form: answerForm(request.headers.accept),
    client,
    draining,
    traceparent: traceparentOf(message),
    toolset,
    prove,
    tools: { core, endpoints, guide, countGeneration, open, call: { caller, requestId: request.id } },
  }).catch((error: unknown) => {
    // No one reads the answer any more.
    if (client.hasGone) return new Response(null, { status: 499 });
    throw error;
  });
  return sendAnswer(answered, reply, stallMs);
}

async function sendAnswer(answered: Answered, reply: AnyReply, stallMs: number): Promise<AnyReply> {
  reply.header("cache-control", "no-store");
  if ("document" in answered) return reply.type(JSON_TYPE).send(answered.document);
  if ("events" in answered) {
    if (answered.lasts) {
      cutWhenStalled(reply.raw, stallMs);
      // Such a connection is not worth keeping, and would delay a draining server.
      reply.header("connection", "close");
    }
    return sendEvents(answered.events, reply);
  }
  reply.code(answered.status);
  const session = answered.headers.get(SESSION_HEADER);
  if (session !== null) reply.header(SESSION_HEADER, session);
  const type = answered.headers.get("content-type");
  if (!answered.body || type === null) return reply.send();
  if (type.startsWith("text/event-stream")) return sendEvents(Readable.fromWeb(answered.body), reply);
  return reply.type(isJsonContentType(type) ? JSON_TYPE : type).send(await answered.text());
}

function sendEvents(events: Readable, reply: AnyReply): AnyReply {
  // Without no-transform and with buffering, a proxy would hold back the events until the end.
  reply.header("cache-control", "no-store, no-transform").header("x-accel-buffering", "no");
  return reply.type("text/event-stream").send(events);
}

/** Faults of the service are logged here, once. Errors after the client has gone are its own cancellation and are not logged. */
function sendRefusal(thrown: unknown, words: ErrorWords, request: AnyRequest, reply: AnyReply): AnyReply {
  const refusal = thrown instanceof MessageRefusal ? thrown : undefined;
  const error = refusal?.error ?? toAppError(thrown) ?? new AppError("internal");
  noteForSecurity(error.code, request);
  const status = refusal?.httpStatus ?? ERROR_TABLE[error.code].http;
  if (status >= 500 && !reply.raw.destroyed) logFailure(thrown, request, status);
  reply.code(status).header("cache-control", "no-store");
  if (error.retryAfterSeconds) reply.header("retry-after", Math.max(1, Math.ceil(error.retryAfterSeconds)));
  // There is no resource metadata, because there is no OAuth here, and some assistants would start it and drop the key.
  if (status === 401) reply.header("www-authenticate", 'Bearer realm="atelier"');
  const body = toRpcError(error, words, {
    id: refusal?.id ?? null,
    requestId: request.id,
    code: refusal?.code,
    more: refusal?.data,
  });
  return sendBody(body, status, request, reply);
}

function sendBody(body: RpcErrorBody, status: number, request: AnyRequest, reply: AnyReply): AnyReply {
  const json = JSON.stringify(body);
  if (status === 200 && answerForm(request.headers.accept) === "sse") {
    return reply.type("text/event-stream").send(`event: message\ndata: ${json}\n\n`);
  }
  return reply.type(JSON_TYPE).send(json);
}

/** The answer is JSON if possible. It is events only for clients that accept nothing else, or that name both and so can take either. */
export const answerForm = (accept = ""): AnswerForm => readForm(accept);

const readForm = remember((accept): AnswerForm => {
  const events = preferenceFor("text/event-stream", accept);
  const json = preferenceFor("application/json", accept);
  if (events.quality > 0 && json.quality === 0) return "sse";
  return events.isNamed && events.quality > 0 ? "auto" : "json";
});

// A page in a browser must not reach the tools through someone's network (DNS rebinding). Allowed pages may read the answers.
function checkOrigin(request: AnyRequest, reply: AnyReply, allowed: ReadonlySet<string>): void {
  const { origin } = request.headers;
  reply.header("vary", "origin");
  if (origin === undefined) return;
  if (!allowed.has(origin)) throw new AppError("origin_not_allowed");
  reply
    .header("access-control-allow-origin", origin)
    .header(
      "access-control-expose-headers",
      `ratelimit, ratelimit-policy, retry-after, x-request-id, ${SESSION_HEADER}`,
    );
}

function sendPreflight(request: AnyRequest, reply: AnyReply): AnyReply {
  if (request.headers.origin === undefined) {
    reply.header("allow", "POST");
    throw new AppError("method_not_allowed");
  }
  return reply
    .code(204)
    .header("access-control-allow-methods", "POST")
    .header(
      "access-control-allow-headers",
      `authorization, x-api-key, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, ${SESSION_HEADER}, traceparent`,
    )
    .header("access-control-max-age", "600")
    .send();
}
