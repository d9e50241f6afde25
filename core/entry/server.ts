// The gRPC server of core: it finds out who calls (service token), for whom (caller) and until when (deadline), and translates errors.
import * as grpc from "@grpc/grpc-js";
import type { ServiceDefinition } from "@grpc/proto-loader";
import { HealthImplementation } from "grpc-health-check";
import {
  type Caller,
  type OperatorContext,
  readAddress,
  checkSource,
  readCaller,
  readOperatorContext,
  readRequestId,
  readTraceparent,
} from "../../proto/caller.ts";
import { OPEN_CALLS, type AnswerBatch, type CallBatch, type OpenCalls } from "../../proto/calls/frames.ts";
import { AppError } from "../../proto/codes.ts";
import { toGrpcStatus, toServiceStatus } from "../../proto/errors.ts";
import { atelierV1 } from "../../proto/load.ts";
import { ServiceRefused } from "../../proto/service-refusals.ts";
import { claimFor } from "../../runtime/config/service-names.ts";
import type { ServerTls } from "../../runtime/keys/core-tls.ts";
import { isDatabaseAway, isWriteConflict } from "../base/mongo/errors.ts";
import { isObjectStoreAway } from "../base/objects/object-store.ts";
import type { App } from "../kernel/app.ts";
import type { Call, Services } from "../kernel/rpc.ts";
import { createGuard, type Guard, type GuardOptions } from "../kernel/services/guard.ts";
import type { ServiceIdentity } from "../kernel/services/verify-token.ts";
import type { Served } from "../kernel/slice.ts";
import { createCalls, GONE, MAX_REQUEST_BYTES, type UnaryMethod } from "./calls.ts";
import { addReflection } from "./reflection.ts";
import { tracedCall } from "./trace-call.ts";

/** The limit for a unary call without a deadline or with a longer one: the longest wait for a job and a margin. */
const MAX_UNARY_MS = 75_000;
/** Clients re-resolve when a connection ends, which is how round_robin learns of new replicas of core. */
const MAX_CONNECTION_AGE_MS = 5 * 60_000;
const AWAY_RETRY_SECONDS = 2;
const LOST_RETRY_SECONDS = 1;
/** A client that does not answer a ping is gone, and its connection is dropped; calls in progress on it are cancelled. */
const KEEPALIVE_EVERY_MS = 5_000;
const KEEPALIVE_TIMEOUT_MS = 2_000;

export type ServerOptions = GuardOptions & {
  host: string;
  /** The port. 0 chooses a free one. */
  port: number;
  services: Services;
  /** Without it nothing is encrypted. */
  tls?: ServerTls | undefined;
};

export type Server = {
  /** The address as host:port. */
  readonly address: string;
  /** For a client in the same process. */
  readonly openCalls: OpenCalls;
  /** Health becomes not-serving; calls are still answered. */
  leave(): void;
  /** Clients are told to use another core (GOAWAY), calls in progress finish within `drainMs`, the rest is cancelled. */
  close(drainMs: number): Promise<void>;
};

/** Listens, or rejects if the port is unavailable. */
export async function startServer(app: App, options: ServerOptions): Promise<Server> {
  const server = new grpc.Server({
    "grpc.max_connection_age_ms": MAX_CONNECTION_AGE_MS,
    "grpc.keepalive_time_ms": KEEPALIVE_EVERY_MS,
    "grpc.keepalive_timeout_ms": KEEPALIVE_TIMEOUT_MS,
    "grpc.max_receive_message_length": MAX_REQUEST_BYTES,
  });
  const guard = createGuard(app, options);
  const unaryMethods = new Map<string, UnaryMethod>();
  for (const [name, handlers] of Object.entries(options.services)) {
    const { service } = atelierV1[name as keyof Services];
    server.addService(
      service as unknown as grpc.ServiceDefinition,
      implement(app, name, service as unknown as ServiceDefinition, handlers, { guard, unaryMethods }),
    );
  }
  const health = new HealthImplementation({ "": "SERVING" });
  health.addToServer(server);
  /** Accepts any valid service token, of any scope. */
  const admitTo = (where: string) => async (metadata: grpc.Metadata) => {
    await guard
      .admit(authorizationOf(metadata), { requestId: readRequestId(metadata) })
      .catch((error: unknown) => {
        throw toStatus(app, where, metadata, error);
      });
  };
  addReflection(server, admitTo("reflection"));
  const calls = createCalls(unaryMethods);
  const admitToCalls = admitTo("calls");
  server.addService({ Open: OPEN_CALLS } as unknown as grpc.ServiceDefinition, {
    Open: (stream: grpc.ServerDuplexStream<CallBatch, AnswerBatch>) => {
      admitToCalls(stream.metadata).then(
        () => calls.serve(stream),
        (status: unknown) => stream.emit("error", status),
      );
    },
  });

  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${options.host}:${options.port}`, serverCredentials(options.tls), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    address: `${options.host}:${port}`,
    openCalls: calls.open,
    leave: () => health.setStatus("", "NOT_SERVING"),
    close: async (drainMs) => {
      health.setStatus("", "NOT_SERVING");
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        server.forceShutdown();
        late.resolve();
      }, drainMs);
      const drained = calls.drain();
      const ended = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      // The library also waits, for minutes, for a connection that has not begun TLS, and ends none of those.
      await Promise.race([Promise.all([drained, ended]), late.promise]);
      clearTimeout(timer);
    },
  };
}

/** Combines the methods that the slices serve. Throws if a method of the protos has no handler, or has two. */
export function servicesOf(all: readonly Served[]): Services {
  const services = Object.entries(atelierV1).flatMap(([name, type]) => {
    if (!("service" in type)) return [];
    const parts = all.map((served) => served[name as keyof Services] ?? {});
    const handlers: object = Object.assign({}, ...parts);
    const served = parts.flatMap((part) => Object.keys(part));
    const twice = served.find((method, at) => served.indexOf(method) !== at);
    if (twice !== undefined) throw new Error(`two slices serve ${name}.${twice}`);
    const missing = Object.keys(type.service).filter((method) => !(method in handlers));
    if (missing.length > 0) throw new Error(`no slice serves ${name}.${missing.join(", ")}`);
    return [[name, handlers]];
  });
  return Object.fromEntries(services) as Services;
}

function serverCredentials(tls: ServerTls | undefined): grpc.ServerCredentials {
  if (!tls) return grpc.ServerCredentials.createInsecure();
  const pair = { cert_chain: tls.cert, private_key: tls.key };
  return grpc.ServerCredentials.createSsl(tls.clientCa ?? null, [pair], tls.clientCa !== undefined);
}

type UnaryHandler = (request: object, call: Call) => Promise<object>;
type StreamHandler = (request: object, call: Call) => AsyncIterable<object>;
type UploadHandler = (requests: AsyncIterable<object>, call: Call) => Promise<object>;

function implement(
  app: App,
  service: string,
  definition: ServiceDefinition,
  handlers: object,
  { guard, unaryMethods }: { guard: Guard; unaryMethods: Map<string, UnaryMethod> },
): grpc.UntypedServiceImplementation {
  const methods = Object.entries(definition).map(([name, method]) => {
    const handler = (handlers as Record<string, UnaryHandler | StreamHandler | UploadHandler>)[name];
    const where = `${service}.${name}`;
    const check: Check = (metadata, caller) =>
      guard.admit(authorizationOf(metadata), {
        service: claimFor(service, name),
        actsAs: caller.kind === "account",
        requestId: readRequestId(metadata),
      });
    const own = { name, where, path: method.path.slice(1), check };
    if (method.requestStream) return [name, uploading(app, own, handler as UploadHandler)];
    if (method.responseStream) return [name, streaming(app, own, handler as StreamHandler)];
    const answer = unaryAnswer(app, own, handler as UnaryHandler);
    const { path, requestDeserialize: read, responseSerialize: write } = method;
    unaryMethods.set(path, { read, write, answer });
    return [name, unary(answer)];
  });
  return Object.fromEntries(methods) as grpc.UntypedServiceImplementation;
}

type Method = {
  readonly name: string;
  /** For logs. */
  readonly where: string;
  /** For traces. */
  readonly path: string;
  readonly check: Check;
};
type Check = (metadata: grpc.Metadata, caller: Caller) => Promise<ServiceIdentity>;

/** The one way to a unary handler, whether the call came separately or over a stream of calls. */
function unaryAnswer(app: App, method: Method, handler: UnaryHandler): UnaryMethod["answer"] {
  const { where, path } = method;
  return async ({ request, metadata, stop, leftMs }) => {
    const mostMs = Math.min(leftMs, MAX_UNARY_MS);
    const untilMs = performance.now() + mostMs;
    const timer = setTimeout(() => stop.abort(), mostMs);
    const answer = async () => {
      const admitted = await admitCall(metadata, method, { signal: stop.signal, untilMs });
      if (stop.signal.aborted) throw new AppError("deadline_exceeded");
      return handler(request, admitted);
    };
    try {
      return await tracedCall(app, path, readTraceparent(metadata), answer);
    } catch (error) {
      throw toStatus(app, where, metadata, error);
    } finally {
      clearTimeout(timer);
    }
  };
}

function unary(answer: UnaryMethod["answer"]): grpc.handleUnaryCall<object, object> {
  return (call, callback) => {
    const stop = new AbortController();
    call.on("cancelled", () => stop.abort(GONE));
    const { request, metadata } = call;
    answer({ request, metadata, stop, leftMs: remainingMs(call.getDeadline()) }).then(
      (reply) => callback(null, reply),
      callback,
    );
  };
}

/** Reads only as fast as the handler does. */
function uploading(
  app: App,
  method: Method,
  handler: UploadHandler,
): grpc.handleClientStreamingCall<object, object> {
  const { where, path } = method;
  return (call, callback) => {
    const stop = new AbortController();
    call.on("cancelled", () => stop.abort(GONE));
    const answer = async () => {
      const deadline = { signal: stop.signal, untilMs: Infinity };
      return handler(call, await admitCall(call.metadata, method, deadline));
    };
    tracedCall(app, path, readTraceparent(call.metadata), answer).then(
      (reply) => callback(null, reply),
      (error: unknown) => callback(toStatus(app, where, call.metadata, error)),
    );
  };
}

function streaming(
  app: App,
  method: Method,
  handler: StreamHandler,
): grpc.handleServerStreamingCall<object, object> {
  const { where, path } = method;
  return (call) => {
    const stop = new AbortController();
    call.on("cancelled", () => stop.abort(GONE));
    const answer = async () => {
      const begin = () => call.sendMetadata(new grpc.Metadata());
      const deadline = { signal: stop.signal, untilMs: Infinity };
      const admitted = await admitCall(call.metadata, method, deadline, begin);
      for await (const message of handler(call.request, admitted)) {
        if (stop.signal.aborted) return;
        // A slow reader slows the source and does not fill this process's memory.
        if (!call.write(message)) await drained(call, stop.signal);
      }
    };
    tracedCall(app, path, readTraceparent(call.metadata), answer).then(
      () => call.end(),
      // grpc-js sends the status of an "error" event when the stream ends; destroy() would end it without one, and the client would wait.
      (error: unknown) => call.emit("error", toStatus(app, where, call.metadata, error)),
    );
  };
}

function drained(call: grpc.ServerWritableStream<object, object>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      call.off("drain", go);
      signal.removeEventListener("abort", go);
      resolve();
    };
    call.on("drain", go);
    signal.addEventListener("abort", go, { once: true });
    if (signal.aborted) go();
  });
}

function authorizationOf(metadata: grpc.Metadata): string {
  return metadata.get("authorization")[0]?.toString() ?? "";
}

/** Rejects with ServiceRefused if the calling service may not make this call. */
async function admitCall(
  metadata: grpc.Metadata,
  { name: method, check }: Method,
  deadline: Pick<Call, "signal" | "untilMs">,
  begin?: () => void,
): Promise<Call> {
  const caller = readCaller(metadata);
  const { name: service } = await check(metadata, caller);
  checkSource(metadata);
  return new AdmittedCall(metadata, { ...deadline, begin, caller, method, service });
}

/**
 * A class because of its getter: each object literal with a getter gets a hidden class of its own, which V8 creates in the old generation,
 * and which keeps the whole request until the next collection there.
 */
class AdmittedCall implements Call {
  readonly caller: Caller;
  readonly method: string;
  readonly requestId: string;
  readonly address: string;
  readonly signal: AbortSignal;
  readonly begin: (() => void) | undefined;
  readonly untilMs: number;
  readonly service: string;
  readonly #metadata: grpc.Metadata;

  constructor(
    metadata: grpc.Metadata,
    {
      signal,
      untilMs,
      begin,
      caller,
      method,
      service,
    }: Pick<Call, "signal" | "untilMs" | "begin" | "caller" | "method" | "service">,
  ) {
    this.caller = caller;
    this.method = method;
    this.requestId = readRequestId(metadata);
    this.address = readAddress(metadata);
    this.signal = signal;
    this.begin = begin;
    this.untilMs = untilMs;
    this.service = service;
    this.#metadata = metadata;
  }

  /** It is read only if something is recorded; most calls record nothing. */
  get operatorContext(): OperatorContext {
    return readOperatorContext(this.#metadata);
  }
}

function remainingMs(deadline: grpc.Deadline): number {
  const ms = (deadline instanceof Date ? deadline.getTime() : deadline) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : MAX_UNARY_MS;
}

/** The one place where an error becomes an answer. Faults of the service are logged here, once, with the stack. */
function toStatus(
  app: App,
  where: string,
  metadata: grpc.Metadata,
  error: unknown,
): Partial<grpc.StatusObject> {
  if (error instanceof AppError) return toGrpcStatus(error);
  if (error instanceof ServiceRefused) return toServiceStatus(error);
  const requestId = readRequestId(metadata);
  const away = isDatabaseAway(error) ? "database" : isObjectStoreAway(error) ? "object store" : undefined;
  if (away) {
    app.log.warn({ err: error, where, requestId }, `the ${away} is away`);
    return toGrpcStatus(new AppError("service_unavailable", { retryAfterSeconds: AWAY_RETRY_SECONDS }));
  }
  if (isWriteConflict(error)) {
    app.log.warn(
      { err: error, where, requestId },
      "a call lost its write conflicts to others, and did nothing",
    );
    app.metrics
      .counter("lost_calls_total", "Calls refused because others kept writing the same documents first.", [
        "method",
      ])
      .inc({ method: where });
    return toGrpcStatus(
      new AppError("service_unavailable", {
        message: "Too many requests changed the same things at the same moment. Nothing was done.",
        hint: "Wait for the seconds in Retry-After, then try again, with fewer requests at the same time.",
        retryAfterSeconds: LOST_RETRY_SECONDS,
      }),
    );
  }
  app.log.error({ err: error, where, requestId }, "a call failed");
  return toGrpcStatus(new AppError("internal"));
}
