// How a process of the service reaches core: address, TLS, and tokens of its own service name.
import type { OperatorContext } from "../proto/caller.ts";
import type { OpenCalls } from "../proto/calls/frames.ts";
import { type CoreClient, createCoreClient } from "../proto/client.ts";
import type { TraceCall } from "../proto/traced-call.ts";
import type { Config } from "../runtime/config/config.ts";
import type { OwnService } from "../runtime/config/service-names.ts";
import { loadClientTls } from "../runtime/keys/core-tls.ts";
import { createTokenSource, loadServiceKey } from "../runtime/keys/service-token.ts";
import { noteError, type Tracing } from "../runtime/log/tracing.ts";
import type { Load } from "./http/load.ts";

/** Throws ConfigError if the configuration lacks something that the connection needs. */
export function connectCore(
  config: Config,
  name: OwnService,
  {
    address,
    operatorContext: errand,
    tracing,
    inner,
    load,
  }: {
    address: string;
    operatorContext?: OperatorContext;
    tracing?: Tracing | undefined;
    /** Core in this process, once it has started. */
    inner?: Promise<OpenCalls | undefined> | undefined;
    /** Notified of each call. */
    load?: Load;
  },
): CoreClient {
  const tls = loadClientTls(config);
  return createCoreClient({
    address,
    serviceToken: createTokenSource(loadServiceKey(config, name), name),
    ...(tls && { tls }),
    ...(errand && { operatorContext: errand }),
    ...(tracing && { traceCall: traceCallsOf(tracing) }),
    ...(inner && { inner }),
    ...(load && { beginCall: load.begin }),
  });
}

/** Calls that a process makes outside any request, such as readiness checks, belong to no trace. */
function traceCallsOf(tracing: Tracing): TraceCall {
  return (method) => {
    if (!tracing.current()) return undefined;
    const attributes = { "rpc.system.name": "grpc", "rpc.method": method };
    const span = tracing.start(method, { kind: "client", attributes });
    return {
      traceparent: span.traceparent,
      end: (error) => {
        if (error !== undefined) noteError(span, error);
        span.end();
      },
    };
  };
}
