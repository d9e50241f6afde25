// A worker as operators run it, in a process of its own, with one provider of the AI SDK. It says what memory it has held at most.
import { readFileSync } from "node:fs";
import { openApp, startWorker } from "../../core/entry/start.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { giveBackMemory } from "../../runtime/ops/memory.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { answerParent } from "./child.ts";

export type HeldMemory = { nowMb: number; mostMb: number };

const config = loadConfig();
const { app, close } = await openApp({
  config,
  log: createLog("warn", "bench"),
  metrics: createMetrics(),
  mongodbUri: config.mongodbUri ?? "",
});
const worker = startWorker(app);
giveBackMemory();

/** From the kernel's own count, so that no peak between two looks is missed. */
function readMemory(): HeldMemory {
  const status = readFileSync("/proc/self/status", "utf8");
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
  return { nowMb: megabytes("VmRSS"), mostMb: megabytes("VmHWM") };
}

answerParent(
  "ready",
  async () => readMemory(),
  async () => {
    await worker.close();
    await close();
  },
);
