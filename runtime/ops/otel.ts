// Traces with OpenTelemetry's own library, sent to a collector in batches. Nothing waits for the collector: if it is away or slow, spans
// wait in a bounded queue and are then dropped. This file is imported only if traces are on.
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import {
  type Context,
  createContextKey,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Config } from "../config/config.ts";
import type { Logger } from "../log/log.ts";
import type { Span, SpanOptions, Tracing } from "../log/tracing.ts";
import { RELEASE } from "../release.ts";
import { waitAtMost } from "../service.ts";
import type { Metrics } from "./metrics.ts";

export type OpenedTracing = {
  readonly tracing: Tracing;
  /** Call this once. From then on the log and the metrics show whether spans arrive. */
  observe(to: { log: Logger; metrics: Metrics }): void;
};

/** No more spans than this wait in the queue. */
const MAX_QUEUED = 2_048;
/** How long a process that ends waits until its last spans are sent. */
const CLOSE_MS = 2_000;
/** A batch of jobs links to at most this many of them. */
const MAX_LINKS = 256;
/** Only versions after the first may have more fields. */
const TRACEPARENT =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
/** Tells the sampler that a trace is kept in any case. */
const KEPT = createContextKey("kept");
const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

export function startOtel(config: Config, { url, role }: { url: string; role: string }): OpenedTracing {
  const watched = watchExports(
    new OTLPTraceExporter({ url, headers: config.otlpHeaders, timeoutMillis: config.otlpTimeoutMs }),
  );
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        "service.name": config.otelServiceName ?? `atelier-${role}`,
        "service.version": RELEASE,
        "service.instance.id": randomUUID(),
        ...config.otelResourceAttributes,
      }),
    ),
    sampler: samplerOf(config),
    spanLimits: { linkCountLimit: MAX_LINKS },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched.exporter,
        maxQueueSize: MAX_QUEUED,
        scheduledDelayMillis: config.spansDelayMs,
        // The exporter stops retrying on its own.
        exportTimeoutMillis: 2 * config.otlpTimeoutMs,
      }),
    ],
  });
  const under = new AsyncLocalStorage<Span | undefined>();
  const start = createStart(provider.getTracer("atelier"), () => under.getStore(), watched.countMade);
  return {
    tracing: {
      start,
      current: () => under.getStore(),
      within: (span, work) => under.run(span, work),
      // Nothing else depends on whether they arrive.
      close: () =>
        waitAtMost(
          CLOSE_MS,
          provider.shutdown().catch(() => {}),
        ),
    },
    observe: watched.observe,
  };
}

function createStart(
  tracer: Tracer,
  current: () => Span | undefined,
  countMade: () => void,
): Tracing["start"] {
  return (name, options = {}) => {
    const { kind = "internal", attributes = {}, links = [], startedAt } = options;
    const span = tracer.startSpan(
      name,
      {
        kind: KINDS[kind],
        attributes,
        links: links.flatMap(toLink),
        ...(startedAt && { startTime: startedAt }),
      },
      contextOf(options, current),
    );
    return toSpan(span, countMade);
  };
}

function contextOf({ parent, isOwnTrace }: SpanOptions, current: () => Span | undefined): Context {
  if (isOwnTrace) return ROOT_CONTEXT.setValue(KEPT, true);
  const context = parseTraceparent(parent) ?? parseTraceparent(current()?.traceparent);
  return context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT;
}

function toSpan(span: OtelSpan, countMade: () => void): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    traceId,
    spanId,
    traceparent: `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`,
    isSampled,
    set: (attributes) => void span.setAttributes(attributes),
    link: (traceparent) => void span.addLinks(toLink(traceparent)),
    fail: (type) => {
      span.setAttribute("error.type", type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: (at) => {
      if (isSampled) countMade();
      span.end(at);
    },
  };
}

function toLink(traceparent: string): Link[] {
  const context = parseTraceparent(traceparent);
  return context ? [{ context }] : [];
}

/**
 * Parses a traceparent. Returns undefined for anything else that a client sent. Of later versions of the header it reads only the fields
 * that this version has.
 */
function parseTraceparent(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  const context = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  };
  return isSpanContextValid(context) ? context : undefined;
}

function samplerOf({ tracesSampler, tracesSamplerArg }: Config): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(tracesSamplerArg),
  };
  const isParentBased = tracesSampler.startsWith("parentbased_");
  const own = root[tracesSampler.replace("parentbased_", "") as keyof typeof root]();
  const sampler = isParentBased ? new ParentBasedSampler({ root: own }) : own;
  return {
    shouldSample: (context, ...facts) =>
      context.getValue(KEPT) === true
        ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
        : sampler.shouldSample(context, ...facts),
    toString: () => sampler.toString(),
  };
}

/** Wraps the exporter and reports how it does: the first failure, and the first success after one. */
function watchExports(exporter: SpanExporter): {
  exporter: SpanExporter;
  countMade: () => void;
  observe: OpenedTracing["observe"];
} {
  let to: { log: Logger; count: { inc(labels: { outcome: string }, count: number): void } } | undefined;
  let isAway = false;
  const note = (count: number, error: Error | undefined) => {
    const hasFailed = error !== undefined;
    to?.count.inc({ outcome: hasFailed ? "failed" : "sent" }, count);
    if (hasFailed && !isAway)
      to?.log.warn({ err: error }, "could not send traces; spans made until this ends are lost");
    if (!hasFailed && isAway) to?.log.info("can send traces again");
    isAway = hasFailed;
  };
  return {
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          note(spans.length, result.error);
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    },
    countMade: () => to?.count.inc({ outcome: "made" }, 1),
    observe: ({ log, metrics }) => {
      to = {
        log,
        count: metrics.counter(
          "trace_spans_total",
          "Spans of traces: made, sent to the collector, failed to be sent. The rest waits, or was dropped because too many waited.",
          ["outcome"],
        ),
      };
    },
  };
}
