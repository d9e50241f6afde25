// The gateway on its own: the REST API over HTTP, with core elsewhere.
import { coreAddressOf, startHttp } from "../runtime/http-role.ts";
import { runProcess } from "../runtime/run-process.ts";
import { gatewayRoutes } from "./app.ts";

await runProcess("gateway", async ({ config, log, metrics, shutdown, checks, startOps }) => {
  const http = await startHttp("gateway", [gatewayRoutes], {
    config,
    log,
    metrics,
    coreAddress: coreAddressOf(config),
  });
  shutdown.add("http", http.close);
  shutdown.announce(http.leave);
  checks.push(http.clockCheck, { name: "core", check: http.ready });
  await startOps();
  log.info({ base_url: http.baseUrl, core: coreAddressOf(config) }, "gateway is up");
});
