// The App of a process that a test forks: with the settings of its environment, until its parent leaves. It can kill itself with -9.
import { once } from "node:events";
import { openApp } from "../../../core/entry/start.ts";
import { loadConfig } from "../../../runtime/config/config.ts";
import { createLog } from "../../../runtime/log/log.ts";
import { createMetrics } from "../../../runtime/ops/metrics.ts";
import { watchCommands } from "../../support/watch-commands.ts";

export async function openProcess(role: "worker" | "shop") {
  process.on("disconnect", () => process.exit());
  const config = loadConfig();
  const log = createLog("silent", role);
  const metrics = createMetrics();
  const { app } = await openApp({ config, log, metrics, mongodbUri: config.mongodbUri ?? "" });
  return { app, config, log };
}

/**
 * Returns the App that counts its commands to the database once the parent has sent a number: the process kills itself before the command
 * after that many.
 */
export async function openMortal() {
  const { app, config } = await openProcess("worker");
  let left = Number.POSITIVE_INFINITY;
  const watched = await watchCommands({ app, database: { name: config.mongoDatabase } }, () => {
    left -= 1;
    if (left < 0) process.kill(process.pid, "SIGKILL");
  });
  process.send?.("up");
  const [{ commands }] = (await once(process, "message")) as [{ commands: number }];
  left = commands;
  return { app, counted: watched.app };
}
