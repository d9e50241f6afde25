// A call of core in a span of the calling process, whose id goes to core so that core's own work is below it.
import type { MethodDefinition } from "@grpc/proto-loader";

/** Begins the span of a call of core, such as `atelier.v1.Jobs/Generate`; undefined if the call belongs to no trace. */
export type TraceCall = (
  method: string,
) => { readonly traceparent: string; end(error?: unknown): void } | undefined;

type Options = { traceparent?: string };
type Ask = (request: object, options?: Options) => Promise<object>;
type Stream = (request: object, options?: Options) => AsyncIterable<object>;

/** Runs the call in a span, from its beginning to its answer or the end of its stream. */
export function tracedCall(
  call: unknown,
  { path, responseStream }: Pick<MethodDefinition<object, object>, "path" | "responseStream">,
  traceCall: TraceCall,
): Ask | Stream {
  const begin = () => traceCall(path.slice(1));
  if (responseStream) {
    const stream = call as Stream;
    return async function* (request, options) {
      const span = begin();
      if (!span) return yield* stream(request, options);
      let failure: unknown;
      try {
        yield* stream(request, { ...options, traceparent: span.traceparent });
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        span.end(failure);
      }
    };
  }
  const ask = call as Ask;
  return async (request, options) => {
    const span = begin();
    if (!span) return ask(request, options);
    try {
      const answer = await ask(request, { ...options, traceparent: span.traceparent });
      span.end();
      return answer;
    } catch (error) {
      span.end(error);
      throw error;
    }
  };
}
