// JSON log lines, written by pino. Credentials are removed wherever they may appear.
import { pino, type DestinationStream, type Logger } from "pino";
import { CONFIG_KEYS } from "../config/config-keys.ts";
import { traceFields, type Tracing } from "./tracing.ts";

export type { DestinationStream as LogDestination, Logger };

const REDACTED = [
  "req.headers.authorization",
  "req.headers.cookie",
  "headers.authorization",
  "authorization",
  "secret",
  "*.secret",
  "token",
  "*.token",
  // Settings are removed wherever a configuration or a part of one is logged.
  ...Object.entries(CONFIG_KEYS).flatMap(([name, setting]) =>
    "secret" in setting && name !== "secret" ? [name, `*.${name}`] : [],
  ),
];

/** If traces are on, each line names the trace and span in which it was written. */
export function createLog(
  level: string,
  role: string,
  destination?: DestinationStream,
  tracing?: Tracing,
): Logger {
  const options = {
    level,
    base: { role },
    redact: { paths: REDACTED, censor: "[redacted]" },
    ...(tracing && { mixin: () => traceFields(tracing) }),
  };
  return destination ? pino(options, destination) : pino(options);
}
