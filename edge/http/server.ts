// The HTTP server for the routes of gateway and mcp: request ids, limits, timeouts, JSON, security headers, and one kind of error response.
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
import type { Logger } from "../../runtime/log/log.ts";
import { createRequestIds, requestIdOf } from "../../runtime/log/request-id.ts";
import type { Tracing } from "../../runtime/log/tracing.ts";
import { logBreak, logFailure, logUnexplained, pathOf, sendError } from "./errors.ts";
import { parseJsonBody, refuseCompressed } from "./json-body.ts";
import { servePlainPosts } from "./plain-posts.ts";
import { findRequestLineFault } from "./request-line.ts";
import type { Shed } from "./shed.ts";
import { cutLateBody, hasBody } from "./slow-connections.ts";
import { setStandardHeaders } from "./standard-headers.ts";
import { traceHttp } from "./traces.ts";
import { refuseExpectation, refuseLate, refuseUnreadable, unreadable } from "./unreadable.ts";

export const BODY_LIMIT_BYTES = 64 * 1024;
/** As long as a URL can be. Each route decides itself how to refuse a path that cannot name anything. */
const MAX_PARAM_LENGTH = 16 * 1024;
/** Clients that send slowly on purpose are disconnected after these times. */
const ARRIVAL_LIMITS = {
  headersMs: 10_000,
  requestMs: 30_000,
  /** How often node checks for late headers. */
  checkMs: 5_000,
};
/** The time limit for a request that sends a file. */
export const FILE_TIMEOUT_MS = 15 * 60_000;
/** The limit without a byte in either direction. Longer than the longest wait that a request may ask for (60 s). */
const SILENCE_TIMEOUT_MS = 90_000;
/** Longer than the 60 s of common load balancers, so that this server never closes a connection in the middle of their next request. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** A connection without a request is closed this long after the server stops to listen: the first bytes of a new one may be on their way. */
const FIRST_BYTES_MS = 250;
/** How long the rest of a refused body is discarded, so that its sender can read the response before the connection ends. */
const LINGER_MS = 2_000;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route accepts requests without a body, whatever the content-type says. */
    bodyOptional?: boolean;
    /** The body is a file, which may be large and take long. */
    takesFile?: boolean;
  }
  interface FastifyInstance {
    /** The methods that a path supports. */
    methodsAt: (path: string) => string[];
  }
}

type HttpServerOptions = {
  config: Config;
  log: Logger;
  tracing?: Tracing | undefined;
  /** How long a request may take to arrive. */
  arrival?: typeof ARRIVAL_LIMITS;
};

/** Builds the server. Register routes on it as plugins, then let it listen. Bodies arrive parsed; throw AppErrors to refuse. */
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
    // A logger for each request would be a tenth of all that a request allocates. Log lines name the request id themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => requestIdOf(request) ?? newRequestId(),
    requestIdHeader: false,
    // Only the proxy directly in front is trusted, not the claims of that proxy's own clients.
    trustProxy: config.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    bodyLimit: BODY_LIMIT_BYTES,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    // The limit for any request; most requests have a shorter one, see below.
    requestTimeout: FILE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: arrival.headersMs,
      connectionsCheckingInterval: arrival.checkMs,
      // The hook below refuses such requests with a body; node would respond without one.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    exposeHeadRoutes: true,
    // Requests that arrive while the server drains are still served.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      setStandardHeaders(request, reply as FastifyReply, config);
      sendError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, newRequestId()),
  });

  if (tracing) traceHttp(app, tracing);
  app.decorate("errorPages", { make: undefined }).decorate("sheds", new Map<string, Shed>());
  collectRoutes(app);
  const lingerBeforeClose = createLingeringClose();
  // Not async: this hook runs for every request, and a promise would cost more than the hook's work.
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
    // Many clients name a media type for a body that they do not send.
    if (request.routeOptions.config.bodyOptional && !hasBody(request.raw))
      delete request.raw.headers["content-type"];
    // Refused here and not in a not-found handler, which fastify calls only after it has read and parsed the body.
    if (request.is404) refuseUnknown(request, reply);
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
  respectExpectations(app, newRequestId);
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

/** Supports the one defined value of the Expect header: permission to send the body. */
function respectExpectations({ server }: FastifyInstance, newRequestId: () => string): void {
  server.on("checkExpectation", (request, response) =>
    refuseExpectation(response, requestIdOf(request) ?? newRequestId()),
  );
  server.on("checkContinue", (request, response) => {
    if (!isHuge(request)) response.writeContinue();
    server.emit("request", request, response);
  });
}

/** Turning off request logging also turns off fastify's logging of failures. This class logs them as all others are logged. */
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
      try {
        refuseCompressed(request.headers);
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
 * A body above the limit is refused by its length alone. If the connection closed immediately, the sender's system would drop the response
 * while it still sends, so the connection ends a moment later, and bytes that arrive until then are discarded.
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
    // Node's server calls this after the last response of a connection.
    socket.destroySoon = () => {
      if (current.get(socket)?.complete) return destroySoon();
      socket.end();
      const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      socket.once("close", () => clearTimeout(timer));
    };
  };
}

/**
 * Browsers and pools open connections before they need them. When node stops listening, it closes idle connections, but does not count
 * those as idle that have never sent a request. They would delay the end of the process.
 */
function closeUnusedConnections(app: FastifyInstance): void {
  const connections = new Set<Socket>();
  app.server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  app.addHook("preClose", async () => {
    setTimeout(() => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    }, FIRST_BYTES_MS).unref();
  });
}

/** Collects the routes that are registered from now on. */
function collectRoutes(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  app.decorate("isAmongEnveloped", (path) =>
    routes.some(({ url, config }) => config?.envelope && areaOf(url) === areaOf(path)),
  );
  app.decorate("methodsAt", (path) => {
    const segments = path.split("/");
    const methods = routes
      .filter(({ url }) => url !== "*" && matches(url.split("/"), segments))
      .flatMap(({ method }) => method);
    return [...new Set(methods)].sort();
  });
}

/** The area of a path: its first two segments, for example `/api/jobs`. */
function areaOf(path: string): string {
  return path.split("/", 3).join("/");
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  for (const [i, part] of pattern.entries()) {
    if (part === "*") return true;
    const segment = segments[i];
    if (segment === undefined || (part.startsWith(":") ? segment === "" : part !== segment)) return false;
  }
  return pattern.length === segments.length;
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply): never {
  const allowed = request.server.methodsAt(pathOf(request.url));
  if (allowed.length === 0) throw new AppError("not_found");
  reply.header("allow", allowed.join(", "));
  throw new AppError("method_not_allowed");
}
