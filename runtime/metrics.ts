// What this process tells Prometheus: one registry per process, made by its entry and handed on.
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

export type Metrics = {
  readonly registry: Registry;
  /** `collect` is called before the counter is read. */
  counter<L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
    collect?: (counter: Counter<L>) => void,
  ): Counter<L>;
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
    counter: (name, help, labelNames, collect) =>
      new Counter({
        name: `atelier_${name}`,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        ...(collect && {
          collect() {
            collect(this);
          },
        }),
      }),
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
    countReady?: (method: string, route: string, status: number) => void;
  }
}

/**
 * Counts and times each HTTP request by route pattern, never by path, so that the number of series stays bounded. Answers that lay ready
 * are counted, not timed: they would all be in the first bucket, and timing one takes a tenth of the time it takes to send it.
 */
export function observeHttp(app: FastifyInstance, metrics: Metrics): void {
  const ready = new Map<
    string,
    { labels: { method: string; route: string; status: number }; count: number }
  >();
  const requests = metrics.counter(
    "http_requests_total",
    "HTTP requests answered.",
    ["method", "route", "status"],
    (counter) => {
      for (const { labels, count } of ready.values()) counter.inc(labels, count);
      ready.clear();
    },
  );
  app.decorate("countReady", (method: string, route: string, status: number) => {
    const key = `${method} ${status} ${route}`;
    const entry = ready.get(key);
    if (entry) entry.count++;
    else ready.set(key, { labels: { method, route, status }, count: 1 });
  });
  const duration = metrics.duration("http_request_duration", "From request to the last byte of the answer.", [
    "route",
  ]);
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "unknown";
    requests.inc({ method: request.method, route, status: reply.statusCode });
    duration.observe({ route }, reply.elapsedTime / 1000);
  });
}
