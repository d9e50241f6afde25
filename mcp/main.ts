// The tool endpoints on their own: MCP over HTTP, with core elsewhere.
import { coreAddressOf, startHttp } from "../runtime/http-role.ts";
import { runProcess } from "../runtime/run-process.ts";
import { mcpRoutes } from "./app.ts";

await runProcess("mcp", async ({ config, log, metrics, shutdown, checks, startOps }) => {
  const http = await startHttp("mcp", [mcpRoutes], {
    config,
    log,
    metrics,
    coreAddress: coreAddressOf(config),
  });
  shutdown.add("http", http.close);
  shutdown.announce(http.leave);
  checks.push(http.clockCheck, { name: "core", check: http.ready });
  await startOps();
  log.info({ base_url: http.baseUrl, core: coreAddressOf(config) }, "tool endpoints are up");
});
