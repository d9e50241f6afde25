// All routes of gateway and tool endpoints on a server that tests inject requests into, and the list of them: for tests that walk it.
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { gatewayRoutes } from "../../gateway/app.ts";
import { mcpRoutes } from "../../mcp/app.ts";
import type { CoreClient } from "../../proto/client.ts";
import { createHttpServer } from "../../edge/http/server.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import type { WholeService } from "./whole-service.ts";

export type EveryRoute = {
  readonly server: FastifyInstance;
  /** One for each method; parameters stand as `:name` in the url. */
  readonly routes: readonly { method: string; url: string }[];
};

/** In front of the service's core, unless it is another one. The caller closes the server. */
export async function serveEveryRoute(
  { config, url: baseUrl, core: ownCore }: WholeService,
  core: CoreClient = ownCore,
): Promise<EveryRoute> {
  const routes: { method: string; url: string }[] = [];
  const server = createHttpServer({ config, log: pino({ level: "silent" }) });
  server.addHook("onRoute", ({ url, method }) => {
    for (const one of Array.isArray(method) ? method : [method]) routes.push({ method: one, url });
  });
  const limits = createRateLimits(config, createMetrics());
  const options = { core, config, limits, baseUrl, generationBaseUrl: baseUrl };
  await server.register(gatewayRoutes, options);
  await server.register(mcpRoutes, options);
  await server.ready();
  return { server, routes };
}
