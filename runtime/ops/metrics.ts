// What this process reports to Prometheus: one registry per process, created by its entry and passed on.
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Tracing } from "../log/tracing.ts";
import { RELEASE } from "../release.ts";

export type Metrics = {
  readonly registry: Registry;
  /** Returns the one counter of this name. `collect` is called before it is read. */
  counter<L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
    collect?: (counter: Counter<L>) => void,
  ): Counter<L>;
  /** Returns the one histogram of this name, in seconds, as Prometheus expects durations. */
  duration<L extends string>(name: string, help: string, labels: readonly L[]): Duration<L>;
  /**
   * Adds a gauge that is read on request. If reading fails, it is left out: no number is better than a wrong one. It replaces a gauge of
   * the same name.
   */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** Like `gauge`, with one number for each of several labels. */
  gauges<L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
    read: () => Promise<readonly { readonly labels: Readonly<Record<L, string>>; readonly value: number }[]>,
  ): void;
};

/** If traces are on, each bucket remembers the trace of its newest kept duration: its exemplar. */
export type Duration<L extends string> = {
  observe(labels: Partial<Record<L, string | number>>, seconds: number): void;
  /** Returns the function that stops the timer. */
  startTimer(labels?: Partial<Record<L, string | number>>): () => unknown;
};

/** The buckets cover everything from a cached answer to the longest wait that a request may ask for. */
const DURATION_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/** Names begin with `atelier_`. */
export function createMetrics(tracing?: Tracing): Metrics {
  const registry = new Registry();
  const counters = new Map<string, Counter>();
  const durations = new Map<string, Duration<string>>();
  return {
    registry,
    counter: (name, help, labelNames, collect) => {
      const existing = counters.get(name);
      if (existing) return existing;
      const counter = new Counter({
        name: `atelier_${name}`,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        ...(collect && {
          collect() {
            collect(this);
          },
        }),
      });
      counters.set(name, counter);
      return counter;
    },
    duration: (name, help, labelNames) => {
      const existing = durations.get(name);
      if (existing) return existing;
      const histogram = histogramOf({ name, help, labelNames: [...labelNames] }, tracing);
      registry.registerMetric(histogram);
      const duration = withExemplars(histogram, tracing);
      durations.set(name, duration);
      return duration;
    },
    gauge: (name, help, read) => {
      registry.removeSingleMetric(`atelier_${name}`);
      const gauge = new Gauge({
        name: `atelier_${name}`,
        help,
        registers: [],
        async collect() {
          try {
            this.set(await read());
          } catch {
            this.remove();
          }
        },
      });
      registry.registerMetric(gauge);
    },
    gauges: (name, help, labelNames, read) => {
      registry.removeSingleMetric(`atelier_${name}`);
      const gauge = new Gauge({
        name: `atelier_${name}`,
        help,
        labelNames: [...labelNames],
        registers: [],
        async collect() {
          this.reset();
          for (const { labels, value } of await read().catch(() => [])) this.set(labels, value);
        },
      });
      registry.registerMetric(gauge);
    },
  };
}

/** It is registered afterwards: with the option, prom-client accepts no exemplars for a registry that can also write the older format. */
function histogramOf(
  { name, help, labelNames }: { name: string; help: string; labelNames: string[] },
  tracing: Tracing | undefined,
): Histogram {
  return new Histogram({
    name: `atelier_${name}_seconds`,
    help,
    labelNames,
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [],
    enableExemplars: tracing !== undefined,
  });
}

function withExemplars(histogram: Histogram, tracing: Tracing | undefined): Duration<string> {
  if (!tracing) return histogram;
  const observe: Duration<string>["observe"] = (labels, value) => {
    const span = tracing.current();
    const exemplarLabels = span?.isSampled ? { trace_id: span.traceId, span_id: span.spanId } : {};
    histogram.observe({ labels, value, exemplarLabels });
  };
  return {
    observe,
    startTimer: (labels = {}) => {
      const startedMs = performance.now();
      return () => observe(labels, (performance.now() - startedMs) / 1000);
    },
  };
}

/** Registers the memory, event loop and garbage collection of the process itself, and its release. */
export function observeProcess({ registry, gauges }: Metrics): void {
  collectDefaultMetrics({ register: registry });
  const labels = { release: RELEASE };
  gauges("release", "1 for the release that this process is.", ["release"], async () => [
    { labels, value: 1 },
  ]);
}

declare module "fastify" {
  interface FastifyInstance {
    /** Counts an answer, and times it if `elapsedMs` is given. Does nothing if metrics are off. */
    noteAnswer?: (method: string, route: string, status: number, elapsedMs?: number) => void;
  }
}

/**
 * Counts and times each HTTP request by route pattern, never by path, so that the number of series stays bounded. Cached responses are
 * counted but not timed: they would all fall into the first bucket, and timing one takes a tenth of the time of sending it.
 */
export function observeHttp(app: FastifyInstance, metrics: Metrics): void {
  // Lookups use strings that exist already, because building a key for each answer takes longer than counting it.
  const answered = new Map<string, Map<string, Map<number, number>>>();
  metrics.counter(
    "http_requests_total",
    "HTTP requests answered.",
    ["method", "route", "status"],
    (counter) => {
      for (const [method, routes] of answered)
        for (const [route, statuses] of routes)
          for (const [status, count] of statuses) counter.inc({ method, route, status }, count);
      answered.clear();
    },
  );
  const duration = metrics.duration(
    "http_request_duration",
    "Time from the request to the last byte of the response.",
    ["route"],
  );
  const noteAnswer: NonNullable<FastifyInstance["noteAnswer"]> = (method, route, status, elapsedMs) => {
    const routes = getOrMake(answered, method);
    const statuses = getOrMake(routes, route);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (elapsedMs !== undefined) duration.observe({ route }, elapsedMs / 1000);
  };
  app.decorate("noteAnswer", noteAnswer);
  app.addHook("onResponse", (request, reply, done) => {
    noteAnswer(request.method, request.routeOptions.url ?? "unknown", reply.statusCode, reply.elapsedTime);
    done();
  });
}

function getOrMake<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const known = map.get(key);
  if (known) return known;
  const made = new Map<L, V>();
  map.set(key, made);
  return made;
}
