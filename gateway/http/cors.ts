// Scripts of any site may call: they need a key in a header, which no browser sends automatically, so no origin can use another's sign-in.
// Credentials (cookies) are never allowed. This does not use @fastify/cors, which answers preflights of every path of the server, because
// the tool endpoints and pages have their own rules.
import type { FastifyInstance } from "fastify";

const EXPOSED = [
  "content-disposition",
  "content-range",
  "etag",
  "idempotency-replayed",
  "link",
  "location",
  "preference-applied",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "x-request-id",
].join(", ");
const ALLOWED = [
  "authorization",
  "content-type",
  "idempotency-key",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "last-event-id",
  "prefer",
  "range",
  "traceparent",
  "x-api-key",
  "x-request-id",
].join(", ");
const PREFLIGHT_SECONDS = 86_400;

export const OPEN_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED,
} as const;

/** Opens the routes of this scope that are registered after it. Returns the function that adds the preflights after the last route. */
export function openToBrowsers(app: FastifyInstance): () => void {
  const methodsByUrl = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? new Set<string>();
    for (const name of Array.isArray(method) ? method : [method]) methods.add(name);
    methodsByUrl.set(url, methods);
  });
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers(OPEN_HEADERS);
  });
  return () => {
    for (const [url, methods] of methodsByUrl) {
      const names = [...methods, "OPTIONS"].sort().join(", ");
      app.options(url, { schema: { hide: true } }, async (_request, reply) =>
        reply
          .code(204)
          .headers({
            allow: names,
            "access-control-allow-methods": names,
            "access-control-allow-headers": ALLOWED,
            "access-control-max-age": PREFLIGHT_SECONDS,
          })
          .send(),
      );
    }
  };
}
