// The edges of `npm start`: REST, website and tool endpoints, on one port.
import { coreAddressOf, type HttpRole, type Routes, startHttp } from "../../edge/role.ts";
import { gatewayRoutes } from "../../gateway/app.ts";
import { mcpRoutes } from "../../mcp/app.ts";
import type { OpenCalls } from "../../proto/calls/frames.ts";
import type { ProcessFrame } from "../../runtime/process/run.ts";

/** Prepares them immediately, without core, and accepts connections only after `mayListen`. */
export async function startEdges(
  { config, log, metrics, tracing, shutdown, checks }: ProcessFrame,
  {
    hasCore,
    innerCore,
    mayListen,
  }: { hasCore: boolean; innerCore: Promise<OpenCalls | undefined>; mayListen: Promise<unknown> },
): Promise<HttpRole> {
  const routes: Routes[] = [];
  if (config.roles.includes("gateway")) routes.push(gatewayRoutes);
  if (config.roles.includes("mcp")) routes.push(mcpRoutes);
  // The gateway's scopes include those of the tool endpoints.
  const name = config.roles.includes("gateway") ? "gateway" : "mcp";
  const http = await startHttp(name, routes, {
    config,
    log,
    metrics,
    tracing,
    coreAddress: hasCore ? `${config.grpcHost}:${config.grpcPort}` : coreAddressOf(config),
    innerCore,
    mayListen,
  });
  shutdown.add("http", http.close);
  shutdown.announce(http.leave);
  // A process without data gets the time from core.
  if (!config.roles.includes("core") && !config.roles.includes("worker")) checks.push(http.clockCheck);
  return http;
}
