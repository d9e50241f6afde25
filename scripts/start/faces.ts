// The faces of `npm start`: REST, website and tool endpoints, on one port.
import { gatewayRoutes } from "../../gateway/app.ts";
import { mcpRoutes } from "../../mcp/app.ts";
import { coreAddressOf, type HttpRole, type Routes, startHttp } from "../../edge/role.ts";
import type { OpenCalls } from "../../proto/calls/frames.ts";
import type { ProcessFrame } from "../../runtime/process/run.ts";

/** Prepares them at once, which needs no core, and lets nobody in before `mayListen`. */
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
  // The gateway may ask for all that the tool endpoints may.
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
  // Without data here the time is core's to tell.
  if (!config.roles.includes("core") && !config.roles.includes("worker")) checks.push(http.clockCheck);
  return http;
}
