// The HTTP server that gateway and mcp hang their routes on: request ids, limits, timeouts, JSON, security headers, and one way
// for every request to fail.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
  fastify,
} from "fastify";
import { AppError } from "../../proto/codes.ts";
import type { Config } from "../../runtime/config/config.ts";
import { logBreak, logFailure, logUnexplained, pathOf, sendError } from "./errors.ts";
import { cutLateBody, hasBody } from "./late-body.ts";
import { parseJsonBody } from "./json-body.ts";
import type { Logger } from "../../runtime/log/log.ts";
import type { Tracing } from "../../runtime/log/tracing.ts";
import { createRequestIds, requestIdOf } from "../../runtime/log/request-id.ts";
import { servePlainPosts } from "./plain-posts.ts";
import { findRequestLineFault } from "./request-line.ts";
import { setStandardHeaders } from "./standard-headers.ts";
import { traceHttp } from "./traces.ts";
import { refuseExpectation, refuseLate, refuseUnreadable, unreadable } from "./unreadable.ts";

export const BODY_LIMIT_BYTES = 64 * 1024;
/** No shorter than an address can be: each route says itself what a path that fits nothing names. */
const MAX_PARAM_LENGTH = 16 * 1024;
/** A client that sends slowly on purpose is cut off after these. */
const ARRIVAL_LIMITS = {
  headersMs: 10_000,
  requestMs: 30_000,
  /** How often node looks for headers that are late. */
  checkMs: 5_000,
};
/** The time limit for a request that sends a file. */
export const FILE_TIMEOUT_MS = 15 * 60_000;
/** No byte either way. Above the longest wait that a request may ask for (60 s). */
const SILENCE_TIMEOUT_MS = 90_000;
/** Above the 60 s of common load balancers, so that the one who closes is never us in the middle of their next request. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** How long the rest of a refused body is thrown away, so that its sender can read the answer before the connection ends. */
const LINGER_MS = 2_000;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route works without a body too, whatever the content-type says. */
    bodyOptional?: boolean;
    /** The body is a file: it may be large, and take its time. */
    takesFile?: boolean;
  }
}

type HttpServerOptions = {
  config: Config;
  log: Logger;
  tracing?: Tracing | undefined;
  /** How long a request may take to arrive. */
  arrival?: typeof ARRIVAL_LIMITS;
};

/** Builds the server; routes are registered on it as plugins, then it listens. Bodies arrive parsed; throw AppErrors to refuse. */
export function createHttpServer({
  config,
  log,
  tracing,
  arrival = ARRIVAL_LIMITS,
}: HttpServerOptions): FastifyInstance {
  const newRequestId = createRequestIds();
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new FailureLog({ disableRequestLogging: true }),
    // A logger of its own for each request would be a tenth of all that a request allocates. What is logged names the request id itself.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => requestIdOf(request) ?? newRequestId(),
    requestIdHeader: false,
    // Only the proxy in front of us is believed; what its own client claimed before it is not.
    trustProxy: config.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    bodyLimit: BODY_LIMIT_BYTES,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    // Of any request; most have less, see below.
    requestTimeout: FILE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: arrival.headersMs,
      connectionsCheckingInterval: arrival.checkMs,
      // Refused below, with a body; node would answer without one.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    exposeHeadRoutes: true,
    // Requests that are on their way while we drain are still answered.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      setStandardHeaders(request, reply as FastifyReply, config);
      sendError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, newRequestId()),
  });

  if (tracing) traceHttp(app, tracing);
  app.decorate("errorPages", { make: undefined });
  const routes = collectRoutes(app);
  const lingerBeforeClose = createLingeringClose();
  // Not async: this runs for every request, and a promise of its own would cost each of them more than what it does.
  app.addHook("onRequest", (request, reply, done) => {
    setStandardHeaders(request, reply, config);
    lingerBeforeClose(request, reply);
    if (!request.routeOptions.config.takesFile)
      cutLateBody(request.raw, arrival.requestMs, () => refuseLate(request.raw.socket, request.id));
    const fault = findRequestLineFault(request.raw);
    if (fault !== undefined) {
      reply.header("connection", "close");
      throw unreadable(fault);
    }
    // Many clients name a media type for the body that they do not send.
    if (request.routeOptions.config.bodyOptional && !hasBody(request.raw))
      delete request.raw.headers["content-type"];
    // Here and not in a not-found handler, which fastify would only call after it has read and parsed the body.
    if (request.is404) refuseUnknown(request, reply, routes);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    logUnexplained(request, reply);
    done();
  });
  app.server.maxConnections = config.maxConnections;
  addJsonParser(app);
  closeUnusedConnections(app);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  heedExpectations(app, newRequestId);
  servePlainPosts(app, {
    config,
    log,
    tracing,
    newRequestId,
    maxBytes: BODY_LIMIT_BYTES,
    arrivalMs: arrival.requestMs,
  });
  return app;
}

/** What the Expect header asks for: to be told to go on before the body, and nothing else. */
function heedExpectations({ server }: FastifyInstance, newRequestId: () => string): void {
  server.on("checkExpectation", (request, response) =>
    refuseExpectation(response, requestIdOf(request) ?? newRequestId()),
  );
  server.on("checkContinue", (request, response) => {
    if (!isHuge(request)) response.writeContinue();
    server.emit("request", request, response);
  });
}

/** With the logging of requests fastify turns that of failures off, too. Here they are logged as all others are. */
class FailureLog extends LogController {
  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    logBreak(error, request, reply.raw.statusCode);
  }

  override defaultErrorLog(error: Error, request: FastifyRequest): void {
    logFailure(error, request, 500);
  }

  override writeHeadError(error: Error, request: FastifyRequest): void {
    logFailure(error, request, 500);
  }

  override serializerError(error: Error, request: FastifyRequest): void {
    logFailure(error, request, 500);
  }
}

function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    (request: FastifyRequest, body: Buffer, done) => {
      if (body.length === 0 && request.routeOptions.config.bodyOptional) return done(null, undefined);
      const encoding = request.headers["content-encoding"];
      if (encoding !== undefined && encoding !== "identity") {
        return done(
          new AppError("unsupported_media_type", { message: "The request body must not be compressed." }),
        );
      }
      try {
        done(null, parseJsonBody(body));
      } catch (error) {
        done(error as AppError);
      }
    },
  );
}

function isHuge(request: IncomingMessage): boolean {
  return Number(request.headers["content-length"] ?? 0) > BODY_LIMIT_BYTES;
}

/**
 * A body over the limit is refused from its length alone. Closing at once would make the sender's system drop our answer while
 * it still sends, so the connection ends a moment later; what arrives until then is thrown away.
 */
function createLingeringClose(): (request: FastifyRequest, reply: FastifyReply) => void {
  const current = new WeakMap<Socket, IncomingMessage>();
  return ({ raw }, reply) => {
    const huge = isHuge(raw);
    if (huge) reply.header("connection", "close");
    if (!huge && raw.headers["transfer-encoding"] === undefined) return;
    const { socket } = raw;
    const known = current.has(socket);
    current.set(socket, raw);
    if (known) return;
    const destroySoon = socket.destroySoon.bind(socket);
    // Node's server calls this after the last answer of a connection.
    socket.destroySoon = () => {
      if (current.get(socket)?.complete) return destroySoon();
      socket.end();
      const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      socket.once("close", () => clearTimeout(timer));
    };
  };
}

/**
 * Browsers and pools open connections before they need them. Node closes idle ones when it stops listening, but does not count as
 * idle what has never sent a request, so these would hold up the end of the process.
 */
function closeUnusedConnections(app: FastifyInstance): void {
  const connections = new Set<Socket>();
  app.server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  app.addHook("preClose", async () => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  });
}

/** The routes that are registered from now on. */
function collectRoutes(app: FastifyInstance): readonly RouteOptions[] {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  app.decorate("isAmongEnveloped", (path) =>
    routes.some(({ url, config }) => config?.envelope && areaOf(url) === areaOf(path)),
  );
  return routes;
}

/** What a path belongs to: its first two segments, for example `/api/jobs`. */
function areaOf(path: string): string {
  return path.split("/", 3).join("/");
}

/** The methods that a path answers. */
function allowedMethods(path: string, routes: readonly RouteOptions[]): string[] {
  const segments = path.split("/");
  const methods = routes
    .filter(({ url }) => url !== "*" && matches(url.split("/"), segments))
    .flatMap(({ method }) => method);
  return [...new Set(methods)].sort();
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  for (const [i, part] of pattern.entries()) {
    if (part === "*") return true;
    const segment = segments[i];
    if (segment === undefined || (part.startsWith(":") ? segment === "" : part !== segment)) return false;
  }
  return pattern.length === segments.length;
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply, routes: readonly RouteOptions[]): never {
  const allowed = allowedMethods(pathOf(request.url), routes);
  if (allowed.length === 0) throw new AppError("not_found");
  reply.header("allow", allowed.join(", "));
  throw new AppError("method_not_allowed");
}
