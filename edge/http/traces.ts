// A span for each HTTP request that reaches the routes, below the client's span if the request names one. URLs appear as their route
// pattern, because the rest of a URL can contain secrets.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Span, Tracing } from "../../runtime/log/tracing.ts";
import type { AnyRequest } from "./any-request.ts";

/** Call this before any other hook is added: log lines of those hooks belong to the request. */
export function traceHttp(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const resume = (request: FastifyRequest, work: () => void) => {
    const span = spans.get(request);
    if (span) tracing.within(span, work);
    else work();
  };

  app.addHook("onRequest", (request, _reply, done) => {
    const span = startHttpSpan(tracing, request, request.is404 ? undefined : request.routeOptions.url);
    spans.set(request, span);
    tracing.within(span, done);
  });
  // Reading the body has left the span's context.
  app.addHook("preValidation", (request, _reply, done) => resume(request, done));
  app.addHook("onResponse", (request, reply, done) => {
    const span = spans.get(request);
    if (span) endHttpSpan(span, reply.statusCode);
    resume(request, done);
  });
  app.addHook("onRequestAbort", (request, done) => {
    const span = spans.get(request);
    if (span) abandonHttpSpan(span);
    done();
  });
}

export function startHttpSpan(tracing: Tracing, request: AnyRequest, route: string | undefined): Span {
  const { method, headers, protocol } = request;
  return tracing.start(route === undefined ? method : `${method} ${route}`, {
    kind: "server",
    parent: first(headers["traceparent"]),
    attributes: {
      "http.request.method": method,
      ...(route !== undefined && { "http.route": route }),
      "url.scheme": protocol,
      "atelier.request.id": request.id,
    },
  });
}

export function endHttpSpan(span: Span, status: number): void {
  span.set({ "http.response.status_code": status });
  if (status >= 500) span.fail(String(status));
  span.end();
}

/** Ends the span of a request whose client has disconnected. */
export function abandonHttpSpan(span: Span): void {
  span.set({ "error.type": "client_gone" });
  span.end();
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
