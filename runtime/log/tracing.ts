// Traces: what became of a request or a job in every process that had a part in it. This is all that the code knows of them; the work is
// done by runtime/ops/otel.ts. Where traces are off there is no Tracing, and nothing of this runs.
import { AppError, ERROR_TABLE } from "../../proto/codes.ts";

/** Names are those of OpenTelemetry's conventions, or begin with `atelier.`. Never a prompt, a key, an e-mail address or an address with secrets. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanOptions = {
  readonly kind?: "internal" | "server" | "client" | "consumer";
  /** The span that this one belongs under, as W3C traceparent. If it is absent or no traceparent: the span under way here, if any. */
  readonly parent?: string | undefined;
  readonly attributes?: Attributes;
  /** Spans of other traces that have to do with it, as W3C traceparents. */
  readonly links?: readonly string[];
  /** Now, unless it began earlier. */
  readonly startedAt?: Date;
  /** Begins a trace of its own, which is kept whatever the sampler says: something that it links to is. */
  readonly isOwnTrace?: true;
};

export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  /** How others name it: W3C traceparent. */
  readonly traceparent: string;
  /** False if it is not kept; then nothing under it is either. */
  readonly isSampled: boolean;
  set(attributes: Attributes): void;
  link(traceparent: string): void;
  /** `type` is a code or the name of an error, never its message. */
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

/** The work as a step of what is under way: in a span of its own, if it belongs to a trace. */
export function tracedStep<T>(
  tracing: Tracing | undefined,
  name: string,
  options: SpanOptions,
  work: Work<T>,
): Promise<T> {
  return tracing?.current() ? inSpan(tracing, name, options, work) : work(undefined);
}

/** The work under a span of another process, or of an earlier time, if it belongs to one; otherwise outside all of them. */
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

/** A refusal is an answer like others: only what is the service's fault makes a span fail. */
export function noteError(span: Span, error: unknown): void {
  const type = typeOf(error);
  if (error instanceof AppError && ERROR_TABLE[error.code].http < 500) span.set({ "error.type": type });
  else span.fail(type);
}

function typeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : "unknown";
}

/**
 * The work in a span of its own that stands for all of these together, and that each of them links to and is linked from. Only if one of
 * them is kept.
 */
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

/** What log lines say of the span that they were written in. */
export function traceFields(tracing: Tracing): { trace_id?: string; span_id?: string } {
  const span = tracing.current();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
