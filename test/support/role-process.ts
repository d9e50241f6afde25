// A role of core in a separate process, for tests that kill or pause it. Settings come from the environment. Its providers `test` and
// `once` (which may not be called again) read the prompt: "takes N ms" does, "held" never ends, others end immediately. Those of the queue setting are added. Reports {address} to its parent when it is up, and ends with its parent.
import { setTimeout as sleep } from "node:timers/promises";
import { createHttpQueueProvider } from "../../core/adapters/providers/http-queue/provider.ts";
import type { Provider } from "../../core/adapters/providers/provider.ts";
import { openApp, startCore, startWorker } from "../../core/entry/start.ts";
import { systemClock } from "../../runtime/clock.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { SMALL_OUTPUT } from "./providers.ts";

process.on("disconnect", () => process.exit());

function obedientProvider(name: string, safeToRepeat: boolean): Provider {
  return {
    name,
    safeToRepeat,
    stopsWhenAborted: true,
    start: async ({ prompt }, { signal }) => {
      const ms = /^takes (\d+) ms$/.exec(prompt)?.[1];
      if (ms) await sleep(Number(ms), undefined, { signal });
      if (prompt === "held") await new Promise(() => {});
      return [SMALL_OUTPUT];
    },
  };
}

const config = loadConfig();
const log = createLog(config.logLevel, "role");
const queues = Object.entries(config.httpQueueProviders).map(([name, entry]) =>
  createHttpQueueProvider(name, entry, { log, clock: systemClock }),
);
const providers = [obedientProvider("test", true), obedientProvider("once", false), ...queues];
const { app } = await openApp({
  config,
  log,
  metrics: createMetrics(),
  mongodbUri: config.mongodbUri ?? "",
  providers: new Map(providers.map((provider) => [provider.name, provider])),
});
const core = config.roles.includes("core") ? await startCore(app) : undefined;
if (config.roles.includes("worker")) startWorker(app);
process.send?.({ address: core?.address });
