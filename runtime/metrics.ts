// What this process tells Prometheus: one registry per process, made by its entry and handed on.
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

export type Metrics = {
  readonly registry: Registry;
  counter<L extends string>(name: string, help: string, labels: readonly L[]): Counter<L>;
  /** Of seconds, as Prometheus wants durations. */
  duration<L extends string>(name: string, help: string, labels: readonly L[]): Histogram<L>;
};

/** From a cached answer to the longest wait that a request may ask for. */
const DURATION_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/** A registry with the process's own metrics (memory, event loop, garbage collection). Names begin with `atelier_`. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    counter: (name, help, labelNames) =>
      new Counter({ name: `atelier_${name}`, help, labelNames: [...labelNames], registers: [registry] }),
    duration: (name, help, labelNames) =>
      new Histogram({
        name: `atelier_${name}_seconds`,
        help,
        labelNames: [...labelNames],
        buckets: DURATION_BUCKETS_SECONDS,
        registers: [registry],
      }),
  };
}

declare module "fastify" {
  interface FastifyInstance {
    /** Takes note of an answer that was sent past the routes. Only where metrics are kept. */
    countAnswer?: (method: string, route: string, status: number, durationMs: number) => void;
  }
}

/** Counts and times each HTTP request by route pattern, never by path, so that the number of series stays bounded. */
export function observeHttp(app: FastifyInstance, metrics: Metrics): void {
  const requests = metrics.counter("http_requests_total", "HTTP requests answered.", [
    "method",
    "route",
    "status",
  ]);
  const duration = metrics.duration("http_request_duration", "From request to the last byte of the answer.", [
    "route",
  ]);
  const count = (method: string, route: string, status: number, durationMs: number) => {
    requests.inc({ method, route, status });
    duration.observe({ route }, durationMs / 1000);
  };
  app.decorate("countAnswer", count);
  app.addHook("onResponse", async (request, reply) =>
    count(request.method, request.routeOptions.url ?? "unknown", reply.statusCode, reply.elapsedTime),
  );
}
