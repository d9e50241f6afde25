// Serves requests that need nothing of fastify before fastify gets them, because its router, hooks and logger take longer than these
// responses.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/**
 * Offers each request to `take`, which serves it or leaves it to the routes with `pass`. While the server drains, the routes serve every
 * request, because they then close each connection.
 */
export function beforeRoutes(
  app: FastifyInstance,
  take: (request: IncomingMessage, response: ServerResponse, pass: RequestListener) => void,
): void {
  const { server } = app;
  const routes = server.listeners("request") as RequestListener[];
  let isDraining = false;
  app.addHook("preClose", async () => {
    isDraining = true;
  });
  const pass: RequestListener = (request, response) => {
    for (const route of routes) route.call(server, request, response);
  };
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (isDraining) pass(request, response);
    else take(request, response, pass);
  });
}
