// All routes of gateway and tool endpoints, on a server for injected requests, for tests of every route.
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { createHttpServer } from "../../edge/http/server.ts";
import { gatewayRoutes } from "../../gateway/app.ts";
import { mcpRoutes } from "../../mcp/app.ts";
import type { CoreClient } from "../../proto/client.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import type { WholeService } from "./whole-service.ts";

export type EveryRoute = {
  readonly server: FastifyInstance;
  /** One for each method; parameters are `:name` in the URL. */
  readonly routes: readonly { method: string; url: string }[];
};

/** In front of the service's core, unless another is given. The caller closes the server. */
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
