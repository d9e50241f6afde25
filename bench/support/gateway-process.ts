// A gateway as in production, with metrics and all headers, but no rate limits. Settings come from the environment.
import { gatewayRoutes } from "../../gateway/app.ts";
import { loadConfig } from "../../runtime/config.ts";
import { coreAddressOf, startHttp } from "../../runtime/http-role.ts";
import { createLog } from "../../runtime/log.ts";
import { createMetrics } from "../../runtime/metrics.ts";
import { answerParent } from "./child.ts";

const config = loadConfig();
const role = await startHttp("gateway", [gatewayRoutes], {
  config,
  log: createLog("error", "gateway"),
  metrics: createMetrics(),
  coreAddress: coreAddressOf(config),
});
answerParent("ready", async () => ({}), role.close);
