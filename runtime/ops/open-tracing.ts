// Whether this process records traces, and where it sends them.
import type { Config } from "../config/config.ts";
import type { OpenedTracing } from "./otel.ts";

/** Returns undefined if traces are off. Then the library for them is not even loaded. */
export async function openTracing(config: Config, role: string): Promise<OpenedTracing | undefined> {
  const { otlpEndpoint, otlpTracesEndpoint, otelDisabled } = config;
  const url = otlpTracesEndpoint ?? (otlpEndpoint && `${otlpEndpoint.replace(/\/$/, "")}/v1/traces`);
  if (otelDisabled || url === undefined) return undefined;
  const { startOtel } = await import("./otel.ts");
  return startOtel(config, { url, role });
}
