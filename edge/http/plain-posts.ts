// POSTs with a small JSON body, in the form that nearly all clients send, bypass fastify, whose router, hooks and loggers take longer than
// many responses. All other requests to the same path go through fastify. Both ways use the same functions for the same rules.
import type { IncomingMessage, ServerResponse } from "node:http";
import { finished, Readable } from "node:stream";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../../runtime/config/config.ts";
import type { Logger } from "../../runtime/log/log.ts";
import { requestIdOf } from "../../runtime/log/request-id.ts";
import type { Span, Tracing } from "../../runtime/log/tracing.ts";
import type { AnyReply, AnyRequest } from "./any-request.ts";
import { beforeRoutes } from "./before-routes.ts";
import { logBreak, logFailure, logUnexplained } from "./errors.ts";
import { addressOf, isOverTls } from "./forwarded.ts";
import { findRequestLineFault } from "./request-line.ts";
import { cutLateBody, hasArrived } from "./slow-connections.ts";
import { setStandardHeaders } from "./standard-headers.ts";
import { abandonHttpSpan, endHttpSpan, startHttpSpan } from "./traces.ts";
import { refuseLate } from "./unreadable.ts";

export type PlainPost = {
  /** Sends the response. Reads the body only after the sender is identified. */
  readonly serve: (request: AnyRequest, reply: AnyReply, readBody: () => Promise<Buffer>) => Promise<void>;
  /** Sends a response for an error that `serve` throws, or that occurs before the headers are sent. */
  readonly refuse: (error: unknown, request: AnyRequest, reply: AnyReply) => void;
};

declare module "fastify" {
  interface FastifyInstance {
    /** The handlers by path. Each path also has a route, for requests that are not plain. */
    plainPosts: Map<string, PlainPost>;
  }
}

type Options = {
  config: Config;
  log: Logger;
  tracing: Tracing | undefined;
  newRequestId: () => string;
  /** The maximum size of a body. */
  maxBytes: number;
  /** The time in which a body has to arrive. */
  arrivalMs: number;
};

const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Serves `app.plainPosts`. */
export function servePlainPosts(app: FastifyInstance, options: Options): void {
  const posts = new Map<string, PlainPost>();
  app.decorate("plainPosts", posts);
  beforeRoutes(app, (raw, response, pass) => {
    const { method, url = "" } = raw;
    const post = method === "POST" ? posts.get(url) : undefined;
    if (!post || !isPlain(raw, options.maxBytes)) return pass(raw, response);
    const request = new PlainRequest(raw, url, options);
    const reply = new PlainReply(response, request, post);
    const span = options.tracing && startHttpSpan(options.tracing, request, url);
    const run = (): void => void serve(post, request, reply, options);
    noteEnd(app, request, reply, options.tracing, span);
    if (span) options.tracing?.within(span, run);
    else run();
  });
}

function isPlain(request: IncomingMessage, maxBytes: number): boolean {
  const { headers } = request;
  const bytes = Number(headers["content-length"]);
  return (
    bytes > 0 &&
    bytes <= maxBytes &&
    headers["transfer-encoding"] === undefined &&
    headers["content-encoding"] === undefined &&
    JSON_TYPE.test(headers["content-type"] ?? "") &&
    findRequestLineFault(request) === undefined
  );
}

/** Does what the hooks of the routes do after a response. */
function noteEnd(
  app: FastifyInstance,
  request: PlainRequest,
  reply: PlainReply,
  tracing: Tracing | undefined,
  span: Span | undefined,
): void {
  const startedMs = performance.now();
  let isNoted = false;
  const note = (): void => {
    logUnexplained(request, reply);
    app.noteAnswer?.(
      request.method,
      request.routeOptions.url,
      reply.statusCode,
      performance.now() - startedMs,
    );
  };
  const end = (): void => {
    if (isNoted) return;
    isNoted = true;
    if (!span || !tracing) return note();
    endHttpSpan(span, reply.statusCode);
    tracing.within(span, note);
  };
  // An error of a response that cannot be written, because the client has disconnected.
  reply.raw.on("finish", end).on("error", end);
  if (span)
    request.raw.once("close", () => {
      if (request.raw.aborted) abandonHttpSpan(span);
    });
}

async function serve(
  post: PlainPost,
  request: PlainRequest,
  reply: PlainReply,
  { config, arrivalMs }: Options,
): Promise<void> {
  const { raw } = request;
  setStandardHeaders(request, reply, config);
  cutLateBody(raw, arrivalMs, () => refuseLate(raw.socket, request.id));
  try {
    await post.serve(request, reply, () => readBody(raw));
  } catch (error) {
    refuse(error, post, request, reply);
  }
}

function refuse(error: unknown, post: PlainPost, request: PlainRequest, reply: PlainReply): void {
  try {
    post.refuse(error, request, reply);
  } catch (fault) {
    logFailure(fault, request, 500);
    reply.raw.destroy();
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  // Nearly every body has arrived with its headers and is read without waiting for events.
  const whole: unknown = hasArrived(request) ? request.read() : null;
  if (Buffer.isBuffer(whole)) {
    // Needed for the request to emit `end`.
    request.resume();
    return whole;
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  // A broken connection is not a failure of the service.
  const fail = (cause?: unknown): void =>
    reject(Object.assign(new Error("the body did not arrive", { cause }), { statusCode: 400 }));
  if (request.destroyed) fail();
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => void chunks.push(chunk));
  request.once("end", () => resolve(Buffer.concat(chunks))).once("error", fail);
  return promise;
}

class PlainRequest implements AnyRequest {
  readonly raw: IncomingMessage;
  readonly id: string;
  readonly routeOptions: { readonly url: string };
  readonly log: FastifyBaseLogger;
  readonly #options: Options;

  constructor(raw: IncomingMessage, url: string, options: Options) {
    this.raw = raw;
    this.id = requestIdOf(raw) ?? options.newRequestId();
    this.routeOptions = { url };
    this.log = options.log as FastifyBaseLogger;
    this.#options = options;
  }

  get method(): string {
    return "POST";
  }

  get headers(): IncomingMessage["headers"] {
    return this.raw.headers;
  }

  get ip(): string {
    return addressOf(this.raw, this.#options.config);
  }

  get protocol(): "http" | "https" {
    return isOverTls(this.raw, this.#options.config) ? "https" : "http";
  }
}

class PlainReply implements AnyReply {
  readonly raw: ServerResponse;
  readonly #request: PlainRequest;
  readonly #post: PlainPost;
  readonly #headers: Record<string, string | number> = {};

  constructor(raw: ServerResponse, request: PlainRequest, post: PlainPost) {
    this.raw = raw;
    this.#request = request;
    this.#post = post;
  }

  get statusCode(): number {
    return this.raw.statusCode;
  }

  header(name: string, value: string | number): this {
    this.#headers[name] = value;
    return this;
  }

  headers(values: Readonly<Record<string, string>>): this {
    Object.assign(this.#headers, values);
    return this;
  }

  code(status: number): this {
    this.raw.statusCode = status;
    return this;
  }

  type(mediaType: string): this {
    return this.header("content-type", mediaType);
  }

  send(payload?: string | Buffer | Readable): this {
    if (payload instanceof Readable) return this.#sendStream(payload);
    this.header("content-length", payload === undefined ? "0" : String(Buffer.byteLength(payload)));
    this.raw.writeHead(this.statusCode, this.#headers);
    this.raw.end(payload);
    return this;
  }

  #sendStream(payload: Readable): this {
    const { raw } = this;
    finished(payload, { writable: false }, (error) => {
      if (!error) return;
      if (!raw.headersSent && !raw.destroyed) return refuse(error, this.#post, this.#request, this);
      logBreak(error, this.#request, this.statusCode);
      raw.destroy();
    });
    finished(raw, () => payload.destroy());
    // Not writeHead: until the first bytes arrive, an error response is still possible.
    for (const [name, value] of Object.entries(this.#headers)) raw.setHeader(name, value);
    payload.pipe(raw);
    return this;
  }
}
