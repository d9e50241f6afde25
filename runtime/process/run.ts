// What every entry wraps around its role: configuration, log, metrics, the operator's port and an orderly shutdown. Problems that the
// operator can fix become one plain line without a stack.
import { setFlagsFromString } from "node:v8";
import { CONFIG_KEYS } from "../config/config-keys.ts";
import { type Config, ConfigError, loadConfig } from "../config/config.ts";
import { createLog, type LogDestination, type Logger } from "../log/log.ts";
import type { Tracing } from "../log/tracing.ts";
import { createMetrics, type Metrics, observeProcess } from "../ops/metrics.ts";
import { openTracing } from "../ops/open-tracing.ts";
import type { Panel } from "../ops/panels.ts";
import { type ReadinessCheck, startOpsServer } from "../ops/server.ts";
import { assertPortFree } from "./free-port.ts";
import { keepNewFilesPrivate } from "./private-folder.ts";
import { onShutdown, type Shutdown } from "./shutdown.ts";
import { StartupError } from "./startup-error.ts";

export type ProcessFrame = {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Undefined if traces are off. */
  readonly tracing: Tracing | undefined;
  readonly shutdown: Shutdown;
  /** All of these must pass before /readyz answers 200. */
  readonly checks: ReadinessCheck[];
  /** This process's part of the operator's page in addition to numbers. */
  readonly panels: Panel[];
  /** Opens the operator's port and returns its number. */
  startOps(): Promise<number>;
};

/** Requests, connections and the embedded database must end within this time, in addition to the time that running jobs get. */
const CLOSE_MARGIN_MS = 30_000;

/** Two checks of a load balancer that asks every five seconds. In development no load balancer asks. */
const DEFAULT_LEAVE_MS = { production: 10_000, development: 100 } as const;

/**
 * Runs `start`; the process then lives on with what it started. If `start` throws, everything that it added is closed and the exit code is
 * 1. The log goes to stdout unless `logTo` says otherwise.
 */
export async function runProcess(
  role: string,
  start: (frame: ProcessFrame) => Promise<void>,
  logTo: (config: Config) => LogDestination | undefined = () => undefined,
): Promise<void> {
  keepNewFilesPrivate();
  // After a busy moment, V8 creates objects of the kinds that survived it in the old generation. There each keeps its whole request until
  // the next collection, which comes sooner because of them, and makes the slowest responses several times as slow.
  setFlagsFromString("--no-allocation-site-pretenuring");
  let config: Config;
  try {
    config = loadConfig();
  } catch (error) {
    tell(error, undefined);
    process.exitCode = 1;
    return;
  }
  const opened = await openTracing(config, role);
  const tracing = opened?.tracing;
  const log = createLog(config.logLevel, role, logTo(config), tracing);
  const metrics = createMetrics(tracing);
  opened?.observe({ log, metrics });
  observeProcess(metrics);
  const shutdown = onShutdown({
    boundMs: config.drainMs + CLOSE_MARGIN_MS,
    leaveMs: config.leaveMs ?? DEFAULT_LEAVE_MS[config.profile],
    log,
  });
  // The first part that is added closes last.
  if (tracing) shutdown.add("traces", tracing.close);
  let isStarted = false;
  const checks: ReadinessCheck[] = [
    // The operator's port opens before the roles do.
    { name: "started", check: async () => isStarted },
    { name: "not draining", check: async () => !shutdown.begun() },
  ];
  const panels: Panel[] = [];
  const startOps = async () => {
    const { opsHost: host, opsPort: port, opsNames: names } = config;
    await assertPortFree(port, host, "operations", "ATELIER_OPS_PORT");
    // It answers until the very end, so that a draining process can be observed; nothing has to close it.
    const options = { host, port, names, role, registry: metrics.registry, checks, panels, log };
    return (await startOpsServer(options)).port;
  };
  try {
    await start({ config, log, metrics, tracing, shutdown, checks, panels, startOps });
    isStarted = true;
  } catch (error) {
    if (shutdown.begun()) return;
    tell(error, log);
    shutdown.begin(error as Error);
  }
}

/** Returns the value of a setting that is optional elsewhere. Throws a one-line StartupError if it is not set. */
export function requireSetting(config: Config, name: "mongodbUri", why: string): string {
  const value = config[name];
  if (value === undefined) throw new StartupError(`${CONFIG_KEYS[name].env} is not set: ${why}.`);
  return value;
}

function tell(error: unknown, log: Logger | undefined): void {
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (error instanceof StartupError || error instanceof ConfigError) {
    process.stderr.write(`${message}\n`);
  } else if (code === "ENOSPC") {
    process.stderr.write(`The disk is full: ${message}. Make room, then start again.\n`);
  } else if (name.startsWith("Mongo")) {
    process.stderr.write(`MongoDB cannot be used: ${message}\n`);
  } else {
    log?.fatal({ err: error }, "could not start");
  }
}
