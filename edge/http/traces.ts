// A span for each HTTP request that reaches the routes, under that of its client where it names one. Addresses are told by their pattern:
// what they say besides may be a secret.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Span, Tracing } from "../../runtime/log/tracing.ts";

/** To be called before any other hook is added: what those log belongs to the request. */
export function traceHttp(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const resume = (request: FastifyRequest, work: () => void) => {
    const span = spans.get(request);
    if (span) tracing.within(span, work);
    else work();
  };

  app.addHook("onRequest", (request, _reply, done) => {
    const { method, headers, protocol } = request;
    const route = request.is404 ? undefined : request.routeOptions.url;
    const span = tracing.start(route === undefined ? method : `${method} ${route}`, {
      kind: "server",
      parent: first(headers["traceparent"]),
      attributes: {
        "http.request.method": method,
        ...(route !== undefined && { "http.route": route }),
        "url.scheme": protocol,
        "atelier.request.id": request.id,
      },
    });
    spans.set(request, span);
    tracing.within(span, done);
  });
  // Reading the body has left the span.
  app.addHook("preValidation", (request, _reply, done) => resume(request, done));
  app.addHook("onResponse", (request, reply, done) => {
    const span = spans.get(request);
    span?.set({ "http.response.status_code": reply.statusCode });
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode));
    span?.end();
    resume(request, done);
  });
  app.addHook("onRequestAbort", (request, done) => {
    const span = spans.get(request);
    span?.set({ "error.type": "client_gone" });
    span?.end();
    done();
  });
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
