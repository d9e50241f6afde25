// Traces: what happened to a request or a job in every process that worked on it. This is all that the code knows about traces;
// runtime/ops/otel.ts does the work. If traces are off, there is no Tracing and none of this runs.
import { AppError, ERROR_TABLE } from "../../proto/codes.ts";

/**
 * Names come from OpenTelemetry's conventions or begin with `atelier.`. Attributes never hold a prompt, a key, an e-mail address or an
 * address with secrets.
 */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanOptions = {
  readonly kind?: "internal" | "server" | "client" | "consumer";
  /** The parent span, as a W3C traceparent. If it is absent or invalid, the parent is the current span, if any. */
  readonly parent?: string | undefined;
  readonly attributes?: Attributes;
  /** Related spans of other traces, as W3C traceparents. */
  readonly links?: readonly string[];
  /** The start of the span. The default is now. */
  readonly startedAt?: Date;
  /** Starts a separate trace, which is sampled in any case, because a linked span is. */
  readonly isOwnTrace?: true;
};

export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  /** The W3C traceparent by which other spans refer to this one. */
  readonly traceparent: string;
  /** False if this span is not kept. Then nothing below it is kept either. */
  readonly isSampled: boolean;
  set(attributes: Attributes): void;
  link(traceparent: string): void;
  /** `type` is an error code or the name of an error, never its message. */
  fail(type: string): void;
  end(at?: Date): void;
};

export type Tracing = {
  start(name: string, options?: SpanOptions): Span;
  /** The span in which the caller runs. */
  current(): Span | undefined;
  /** Runs the work, and whatever it waits for, in the span; or outside all spans. */
  within<T>(span: Span | undefined, work: () => T): T;
  /** Sends what is left, for no longer than a moment. */
  close(): Promise<void>;
};

type Work<T> = (span: Span | undefined) => Promise<T>;

/** Runs the work as a step of the current trace, in its own span. Outside a trace it only runs the work. */
export function tracedStep<T>(
  tracing: Tracing | undefined,
  name: string,
  options: SpanOptions,
  work: Work<T>,
): Promise<T> {
  return tracing?.current() ? inSpan(tracing, name, options, work) : work(undefined);
}

/** Runs the work under a span of another process or of an earlier time, if there is one, and otherwise outside all traces. */
export function tracedUnder<T>(
  tracing: Tracing | undefined,
  parent: string | undefined,
  [name, options]: readonly [name: string, options: SpanOptions],
  work: Work<T>,
): Promise<T> {
  if (!tracing) return work(undefined);
  return parent
    ? inSpan(tracing, name, { ...options, parent }, work)
    : tracing.within(undefined, () => work(undefined));
}

async function inSpan<T>(tracing: Tracing, name: string, options: SpanOptions, work: Work<T>): Promise<T> {
  const span = tracing.start(name, options);
  try {
    return await tracing.within(span, () => work(span));
  } catch (error) {
    noteError(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** A refusal is a normal answer, so only faults of the service make a span fail. */
export function noteError(span: Span, error: unknown): void {
  const type = typeOf(error);
  if (error instanceof AppError && ERROR_TABLE[error.code].http < 500) span.set({ "error.type": type });
  else span.fail(type);
}

function typeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : "unknown";
}

/** Runs the work in one span for all of these spans together, with links in both directions. It does so only if one of them is sampled. */
export async function tracedBatch<T>(
  tracing: Tracing | undefined,
  name: string,
  members: readonly (Span | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing) return work();
  const kept = members.flatMap((member) => (member?.isSampled ? [member] : []));
  if (kept.length === 0) return tracing.within(undefined, work);
  const options: SpanOptions = {
    isOwnTrace: true,
    links: kept.map(({ traceparent }) => traceparent),
    attributes: { "atelier.batch.size": members.length },
  };
  return inSpan(tracing, name, options, async (batch) => {
    if (batch) for (const member of kept) member.link(batch.traceparent);
    return work();
  });
}

/** The fields that log lines get from the span in which they were written. */
export function traceFields(tracing: Tracing): { trace_id?: string; span_id?: string } {
  const span = tracing.current();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
