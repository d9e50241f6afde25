// Core on its own: the gRPC server, with its database elsewhere.
import { assertPortFree } from "../runtime/process/free-port.ts";
import { giveBackMemory, keepNurserySmall } from "../runtime/ops/memory.ts";
import { requireSetting, runProcess } from "../runtime/process/run.ts";
import { openData } from "./migrate.ts";
import { operatorPanels } from "./operator-panels.ts";
import { openApp, startCore } from "./start.ts";

// A fifth less memory under load, and shorter pauses: queries wait for the database more than for V8.
keepNurserySmall();
await runProcess("core", async ({ config, log, metrics, tracing, shutdown, checks, panels, startOps }) => {
  const mongodbUri = requireSetting(config, "mongodbUri", "core on its own embeds no database");
  await assertPortFree(config.grpcPort, config.grpcHost, "gRPC", "ATELIER_GRPC_PORT");
  const { app, clockCheck, close } = await openApp({ config, log, metrics, tracing, mongodbUri });
  shutdown.add("database connection", close);
  await openData(app);
  const core = await startCore(app);
  shutdown.add("core", core.close);
  shutdown.announce(core.leave);
  checks.push(clockCheck, { name: "core", check: core.ready });
  panels.push(...operatorPanels(app));
  await startOps();
  giveBackMemory();
  log.info({ address: core.address }, "core is up");
});
