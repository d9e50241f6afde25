// The promise client of core that gateway, mcp and cli share: a deadline on every call, the service token, the caller's metadata, retry of
// reads, and every failure as an AppError.
import { once } from "node:events";
import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  type ClientWritableStream,
  credentials,
  type Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import type { MethodDefinition, ServiceDefinition } from "@grpc/proto-loader";
import {
  type Caller,
  callerMetadata,
  type OperatorContext,
  NO_CALLER,
  TRACEPARENT_KEY,
  writeOperatorContext,
} from "./caller.ts";
import { type AskedCall, type Asking, MAX_REPLY_BYTES } from "./calls/asking.ts";
import type { OpenCalls } from "./calls/frames.ts";
import { createInnerLane, createLanes } from "./calls/lanes.ts";
import { AppError } from "./codes.ts";
import { fromGrpcError } from "./errors.ts";
import { atelierV1 } from "./load.ts";
import { changesNothing, mayRepeat, untilAnswered } from "./repeat.ts";
import { type TraceCall, tracedCall } from "./traced-call.ts";

const DEFAULT_DEADLINE_MS = 10_000;
const KEEPALIVE_EVERY_MS = 5_000;
const KEEPALIVE_TIMEOUT_MS = 2_000;
export type CallOptions = {
  caller?: Caller;
  requestId?: string;
  /** The client's address, for the security log. */
  address?: string;
  /** The number of milliseconds until the call is given up. Streams have no deadline unless one is set. */
  deadlineMs?: number;
  signal?: AbortSignal;
  /** Called once core has accepted a stream; its first message may come much later. */
  onBegin?: () => void;
  /** The parent span for core's work, as W3C traceparent. */
  traceparent?: string;
};

// The generated types do not say which methods stream, so their names are listed here.
type StreamingMethod =
  | "WatchJob"
  | "WatchWorkflow"
  | "ReadOutput"
  | "ReadInput"
  | "ReadProductFile"
  | "Audit"
  | "GetMargin"
  | "ListProviderCalls"
  | "RunBulk"
  | "WatchCatalog"
  | "ListChanges"
  | "ListOffers"
  | "ExportProducts"
  | "ExportAccount";

/** The methods with which a client streams to core. */
export type ClientStreamingMethod = "AddProductFile" | "AddUpload" | "VerifyFile";

type Calls<D> = {
  [
    M in keyof D as D[M] extends MethodDefinition<infer _A, infer _B, infer _C, infer _D> ? M : never
  ]: D[M] extends MethodDefinition<infer Request, infer _ReplyInput, infer _RequestOutput, infer Reply>
    ? M extends StreamingMethod
      ? (request: Request, options?: CallOptions) => AsyncIterable<Reply>
      : M extends ClientStreamingMethod
        ? (requests: AsyncIterable<Request>, options?: CallOptions) => Promise<Reply>
        : (request: Request, options?: CallOptions) => Promise<Reply>
    : never;
};

/** The services that the protos declare. */
export type RpcService = {
  [Name in keyof typeof atelierV1]: (typeof atelierV1)[Name] extends { service: unknown } ? Name : never;
}[keyof typeof atelierV1];

/** The calls of each service, under its name with a lower-case first letter. */
export type CoreClient = {
  readonly [Name in RpcService as Uncapitalize<Name>]: Calls<(typeof atelierV1)[Name]["service"]>;
} & {
  /** Settles once a core in the same process has started, or has failed to. Absent for a core elsewhere. */
  readonly started?: Promise<unknown>;
  close(): void;
};

export type CoreClientOptions = {
  /** host:port, or any grpc-js target. */
  address: string;
  /** Returns a current service token. It is called before each call, so it should cache. */
  serviceToken: () => Promise<string>;
  /** Goes with every call, for the audit trail. */
  operatorContext?: OperatorContext;
  /** Without it nothing is encrypted. */
  tls?: ClientTls;
  /** Left out if traces are off. */
  traceCall?: TraceCall;
  /** Core in the same process, once it is up. Calls that need no stream of their own then go to it without a socket. */
  inner?: Promise<OpenCalls | undefined>;
  /**
   * Called when a unary call with the usual deadline begins; calls that wait for a job have another deadline. The function that it returns
   * is called when the call ends.
   */
  beginCall?: () => () => void;
};

export type ClientTls = {
  /** The authority that signed core's certificate (PEM). */
  readonly ca: Buffer;
  /** Our own certificate, for a core that asks its clients for one (PEM). */
  readonly own?: { readonly cert: Buffer; readonly key: Buffer };
  /** The name in core's certificate, if it differs from the host in core's address. */
  readonly name?: string;
};

export function createCoreClient({
  address,
  serviceToken,
  operatorContext,
  tls,
  traceCall,
  inner,
  beginCall,
}: CoreClientOptions): CoreClient {
  const channelOptions = channelOptionsOf(tls);
  const metadataOf: MetadataOf = async ({
    caller = NO_CALLER,
    requestId = "",
    address = "",
    traceparent,
  }) => {
    const metadata = callerMetadata(caller, requestId, address);
    if (traceparent !== undefined) metadata.set(TRACEPARENT_KEY, traceparent);
    if (operatorContext) writeOperatorContext(metadata, operatorContext);
    metadata.set("authorization", `Bearer ${await serviceToken()}`);
    return metadata;
  };

  // It is a client of its own, so that other calls do not affect its rotation over the connections, which both share.
  const streams = new Client(address, channelCredentials(tls), channelOptions);
  const clients: Client[] = [streams];
  let lanes = createLanes(streams, () => metadataOf({}));
  const started = inner?.then(
    (open) => {
      if (!open) return;
      lanes.close();
      lanes = createInnerLane(open);
    },
    () => {},
  );
  const nextLane = () => lanes.next();
  const services = Object.entries(atelierV1).flatMap(([name, Service]) => {
    if (!("service" in Service)) return [];
    const client = new Service(address, channelCredentials(tls), channelOptions);
    clients.push(client);
    const methods = Object.entries(Service.service as unknown as ServiceDefinition).map(
      ([method, definition]) => {
        const call = callOf(definition)(client, definition, metadataOf, { nextLane, beginCall });
        return [method, traceCall ? tracedCall(call, definition, traceCall) : call];
      },
    );
    return [[`${name.charAt(0).toLowerCase()}${name.slice(1)}`, Object.fromEntries(methods)]];
  });
  return {
    ...(Object.fromEntries(services) as CoreClient),
    ...(started && { started }),
    close: () => {
      lanes.close();
      for (const client of clients) client.close();
    },
  };
}

function channelOptionsOf(tls: ClientTls | undefined): ChannelOptions {
  return {
    "grpc.service_config": JSON.stringify({
      loadBalancingConfig: [{ round_robin: {} }],
      methodConfig: [
        {
          name: Object.values(atelierV1).flatMap((type) =>
            "service" in type ? repeatable(type.service) : [],
          ),
          retryPolicy: {
            maxAttempts: 3,
            initialBackoff: "0.05s",
            maxBackoff: "0.5s",
            backoffMultiplier: 3,
            retryableStatusCodes: ["UNAVAILABLE"],
          },
        },
      ],
    }),
    "grpc.max_receive_message_length": MAX_REPLY_BYTES,
    // With this window the largest page of the catalog is sent without waiting for the reader, as it would be after 64 kB.
    "grpc-node.flow_control_window": 256 * 1024,
    // By default the pauses grow to two minutes, during which no one would notice that core is back.
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
    // A broken connection without traffic looks intact, because no one reports it. Pings detect it, and calls continue over another
    // connection. They are sent without calls too, so that the first call after a quiet time does not meet a dead connection.
    "grpc.keepalive_time_ms": KEEPALIVE_EVERY_MS,
    "grpc.keepalive_timeout_ms": KEEPALIVE_TIMEOUT_MS,
    "grpc.keepalive_permit_without_calls": 1,
    ...(tls?.name !== undefined && { "grpc.ssl_target_name_override": tls.name }),
  };
}

function channelCredentials(tls: ClientTls | undefined): ChannelCredentials {
  if (!tls) return credentials.createInsecure();
  return credentials.createSsl(tls.ca, tls.own?.key, tls.own?.cert);
}

type Method = MethodDefinition<object, object>;
type MetadataOf = (options: CallOptions) => Promise<Metadata>;

function callOf({ requestStream, responseStream }: Method) {
  if (requestStream) return uploadCall;
  return responseStream ? streamCall : unaryCall;
}

/** Sends a call over a stream of calls if there is one, and otherwise separately; callers cannot tell the difference. */
function unaryCall(
  client: Client,
  method: Method,
  metadataOf: MetadataOf,
  { nextLane, beginCall }: { nextLane: () => Asking | undefined; beginCall: (() => () => void) | undefined },
) {
  return async (request: object, options: CallOptions = {}): Promise<object> => {
    const { signal, deadlineMs = DEFAULT_DEADLINE_MS } = options;
    const metadata = await metadataOf(options);
    signal?.throwIfAborted();
    const deadline = Date.now() + deadlineMs;
    const call = { method, request, metadata, deadline, signal };
    const send = () => nextLane()?.ask(call) ?? askAlone(client, call);
    const end = options.deadlineMs === undefined ? beginCall?.() : undefined;
    try {
      if (!mayRepeat(method, request)) return await send();
      return await untilAnswered(send, { isRead: changesNothing(method), untilMs: deadline, signal });
    } catch (error) {
      throw translate(error as ServiceError, signal);
    } finally {
      end?.();
    }
  };
}

function askAlone(
  client: Client,
  { method, request, metadata, deadline, signal }: AskedCall,
): Promise<object> {
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest<object, object>(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata.clone(),
      { deadline },
      (error, reply) => {
        signal?.removeEventListener("abort", cancel);
        if (error) reject(error);
        else resolve(reply as object);
      },
    );
    const cancel = () => call.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
  });
}

function streamCall(client: Client, method: Method, metadataOf: MetadataOf) {
  return async function* (request: object, options: CallOptions = {}): AsyncGenerator<object> {
    const metadata = await metadataOf(options);
    options.signal?.throwIfAborted();
    const stream = client.makeServerStreamRequest<object, object>(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      options.deadlineMs ? { deadline: Date.now() + options.deadlineMs } : {},
    );
    if (options.onBegin) stream.once("metadata", options.onBegin);
    const cancel = () => stream.cancel();
    options.signal?.addEventListener("abort", cancel, { once: true });
    try {
      for await (const message of stream) yield message as object;
    } catch (error) {
      throw translate(error as ServiceError, options.signal);
    } finally {
      options.signal?.removeEventListener("abort", cancel);
      // A reader that stops early must not leave core streaming.
      stream.on("error", () => {});
      stream.cancel();
    }
  };
}

/** Sends as fast as core reads. An error from core ends the sending; an error from `requests` ends the call. */
function uploadCall(client: Client, method: Method, metadataOf: MetadataOf) {
  return async (requests: AsyncIterable<object>, options: CallOptions = {}): Promise<object> => {
    const metadata = await metadataOf(options);
    options.signal?.throwIfAborted();
    const answered = new AbortController();
    const { promise: reply, resolve, reject } = Promise.withResolvers<object>();
    const call = client.makeClientStreamRequest<object, object>(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      metadata,
      options.deadlineMs ? { deadline: Date.now() + options.deadlineMs } : {},
      (error, answer) => {
        answered.abort();
        if (error) reject(translate(error, options.signal));
        else resolve(answer as object);
      },
    );
    const cancel = () => call.cancel();
    options.signal?.addEventListener("abort", cancel, { once: true });
    sendAll(requests, call, answered.signal).catch((error: unknown) => {
      reject(error);
      call.cancel();
    });
    try {
      return await reply;
    } finally {
      options.signal?.removeEventListener("abort", cancel);
    }
  };
}

async function sendAll(
  requests: AsyncIterable<object>,
  call: ClientWritableStream<object>,
  answered: AbortSignal,
): Promise<void> {
  for await (const request of requests) {
    if (answered.aborted) return;
    // The answer aborts this, and tells the rest.
    if (!call.write(request)) await once(call, "drain", { signal: answered }).catch(() => {});
  }
  if (!answered.aborted) call.end();
}

function translate(error: ServiceError, signal: AbortSignal | undefined): unknown {
  if (error.code === status.CANCELLED && signal?.aborted) return signal.reason;
  return typeof error.code === "number" ? fromGrpcError(error) : new AppError("internal");
}

/**
 * The methods that grpc-js itself retries when core is unavailable for a moment: those that answer a stream and change nothing, as their
 * proto says. repeat.ts repeats unary calls, however they are sent.
 */
function repeatable(definition: object): { service: string; method: string }[] {
  return Object.values(definition as ServiceDefinition)
    .filter((method) => method.responseStream && changesNothing(method))
    .map(({ path }) => {
      // A path such as "/atelier.v1.Jobs/GetJob".
      const [, service = "", method = ""] = path.split("/");
      return { service, method };
    });
}
