// One role of core in a process of its own, for tests that kill or pause it. Settings come from the environment. Its providers,
// `test` and `once` (which may not be called again), do what prompts say: "takes N ms" does, "held" ends when the parent sends
// "finish", anything else ends at once. Tells its parent {address} when it is up, and ends when the parent is gone.
import { setTimeout as sleep } from "node:timers/promises";
import type { Provider } from "../../core/providers/provider.ts";
import { openApp, startCore, startWorker } from "../../core/start.ts";
import { loadConfig } from "../../runtime/config.ts";
import { createLog } from "../../runtime/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { SMALL_OUTPUT } from "./providers.ts";

const finish = Promise.withResolvers<void>();
process.on("message", (message) => {
  if (message === "finish") finish.resolve();
});
process.on("disconnect", () => process.exit());

function obedientProvider(name: string, safeToRepeat: boolean): Provider {
  return {
    name,
    safeToRepeat,
    start: async ({ prompt }, { signal }) => {
      const ms = /^takes (\d+) ms$/.exec(prompt)?.[1];
      if (ms) await sleep(Number(ms), undefined, { signal });
      if (prompt === "held") await finish.promise;
      return [SMALL_OUTPUT];
    },
  };
}

const config = loadConfig();
const providers = [obedientProvider("test", true), obedientProvider("once", false)];
const { app } = await openApp({
  config,
  log: createLog(config.logLevel, "role"),
  metrics: createMetrics(),
  mongodbUri: config.mongodbUri ?? "",
  providers: new Map(providers.map((provider) => [provider.name, provider])),
});
const core = config.roles.includes("core") ? await startCore(app) : undefined;
if (config.roles.includes("worker")) startWorker(app);
process.send?.({ address: core?.address });
