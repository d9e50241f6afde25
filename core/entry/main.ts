// Core as a separate process: the gRPC server, with its database in another process.
import { limitHeapGrowth, releaseMemory } from "../../runtime/ops/memory.ts";
import { assertPortFree } from "../../runtime/process/free-port.ts";
import { requireSetting, runProcess } from "../../runtime/process/run.ts";
import { openAppInProcess } from "./open-in-process.ts";
import { startCore } from "./start.ts";

await runProcess("core", async (frame) => {
  limitHeapGrowth(100);
  const { config, log, shutdown, checks, startOps } = frame;
  const mongodbUri = requireSetting(config, "mongodbUri", "core on its own embeds no database");
  await assertPortFree(config.grpcPort, config.grpcHost, "gRPC", "ATELIER_GRPC_PORT");
  const app = await openAppInProcess(frame, { mongodbUri });
  const core = await startCore(app);
  shutdown.add("core", core.close);
  shutdown.announce(core.leave);
  checks.push({ name: "core", check: core.ready });
  await startOps();
  releaseMemory();
  log.info({ address: core.address }, "core is up");
});
