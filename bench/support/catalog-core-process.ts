// A core with a demonstration catalog of the size that the environment says. Asked, it tells how much memory it holds.
import { seedDemoCatalog } from "../../core/catalog/demo/seed.ts";
import { migrate } from "../../core/migrate.ts";
import { openApp, startCore } from "../../core/start.ts";
import { loadConfig } from "../../runtime/config.ts";
import { createLog } from "../../runtime/log.ts";
import { createMetrics } from "../../runtime/metrics.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { answerParent } from "./child.ts";

export type CoreHello = { address: string; seedSeconds: number; buildSeconds: number };
export type CoreMemory = { megabytes: number };

const BUILD_BOUND_MS = 5 * 60_000;

const config = loadConfig();
const { app, close } = await openApp({
  config,
  log: createLog("error", "core"),
  metrics: createMetrics(),
  mongodbUri: config.mongodbUri ?? "",
  providers: new Map(),
});
await migrate(app);
const startMs = performance.now();
await seedDemoCatalog(app);
const seededMs = performance.now();
const core = await startCore(app);
await waitFor("the index", core.ready, BUILD_BOUND_MS);
const hello: CoreHello = {
  address: core.address,
  seedSeconds: (seededMs - startMs) / 1000,
  buildSeconds: (performance.now() - seededMs) / 1000,
};
answerParent<object, CoreMemory>(
  hello,
  async () => ({ megabytes: process.memoryUsage().rss / 2 ** 20 }),
  async () => {
    await core.close();
    await close();
  },
);
