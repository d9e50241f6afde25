// A role of core in a separate process, for tests that kill or pause it. Settings come from the environment. Its providers `test` and
// `once` (which may not be called again) read the prompt: "takes N ms" does, "held" ends when the parent sends "finish", others end
// immediately. `queued` and `keyed` (which may be called again) have handles, and use the call-double.ts whose URL is the prompt; those of
// the queue setting are added. Reports {address} to its parent when it is up, and ends with its parent.
import { setTimeout as sleep } from "node:timers/promises";
import { createHttpQueueProvider } from "../../core/adapters/providers/http-queue/provider.ts";
import type { PollCall, Polled, Provider, ProviderCall } from "../../core/adapters/providers/provider.ts";
import { openApp, startCore, startWorker } from "../../core/entry/start.ts";
import { systemClock } from "../../runtime/clock.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
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
    stopsWhenAborted: true,
    start: async ({ prompt }, { signal }) => {
      const ms = /^takes (\d+) ms$/.exec(prompt)?.[1];
      if (ms) await sleep(Number(ms), undefined, { signal });
      if (prompt === "held") await finish.promise;
      return [SMALL_OUTPUT];
    },
  };
}

/** The step at which it dies, and at which occurrence. */
const [, , diesAt, times = "1"] = process.argv;
let left = Number(times);

function dieAt(step: string): void {
  if (diesAt === step) left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}

function doubledProvider(name: string, safeToRepeat: boolean): Provider {
  const ask = async (url: string, signal: AbortSignal, method = "GET") => {
    const response = await fetch(url, { method, signal });
    return (await response.json()) as { handle: string; state: "running" | "made" };
  };
  return {
    name,
    safeToRepeat,
    start: async ({ prompt }, { idempotencyKey, signal }) => {
      dieAt("before start");
      const { handle } = await ask(`${prompt}/start?key=${idempotencyKey}`, signal, "POST");
      return { handle, pollAfterMs: 1 };
    },
    // Whether there is one is queried before anything is recorded.
    get poll() {
      dieAt("before note");
      return async (handle: string, { request: { prompt }, signal }: PollCall): Promise<Polled> => {
        const { state } = await ask(`${prompt}/calls/${handle}`, signal);
        if (state === "running") return { state, pollAfterMs: 1 };
        const collect = async (call: ProviderCall) => {
          await ask(`${prompt}/files/${handle}`, call.signal);
          dieAt("before settling");
          return [SMALL_OUTPUT];
        };
        return { state, collect };
      };
    },
  };
}

const config = loadConfig();
const log = createLog(config.logLevel, "role");
const queues = Object.entries(config.httpQueueProviders).map(([name, entry]) =>
  createHttpQueueProvider(name, entry, { log, clock: systemClock }),
);
const providers = [
  obedientProvider("test", true),
  obedientProvider("once", false),
  doubledProvider("queued", false),
  doubledProvider("keyed", true),
  ...queues,
];
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
