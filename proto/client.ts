// The promise client of core that gateway, mcp and cli share: a deadline on every call, the service token,
// the caller's metadata, retry of reads, and every failure as an AppError.
import { once } from "node:events";
import {
  type ChannelCredentials,
  type ChannelOptions,
  type Client,
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
  type Errand,
  NO_CALLER,
  TRACEPARENT_KEY,
  writeErrand,
} from "./caller.ts";
import { AppError } from "./codes.ts";
import { fromGrpcError } from "./errors.ts";
import { atelierV1 } from "./load.ts";
import { changesNothing, mayRepeat, untilAnswered } from "./repeat.ts";
import { type TraceCall, tracedCall } from "./traced-call.ts";
import type { AccountsDefinition } from "./types/atelier/v1/Accounts.ts";
import type { AdminDefinition } from "./types/atelier/v1/Admin.ts";
import type { CallbacksDefinition } from "./types/atelier/v1/Callbacks.ts";
import type { CatalogDefinition } from "./types/atelier/v1/Catalog.ts";
import type { CatalogAdminDefinition } from "./types/atelier/v1/CatalogAdmin.ts";
import type { CreditsDefinition } from "./types/atelier/v1/Credits.ts";
import type { JobsDefinition } from "./types/atelier/v1/Jobs.ts";
import type { LibraryDefinition } from "./types/atelier/v1/Library.ts";
import type { MembershipsDefinition } from "./types/atelier/v1/Memberships.ts";
import type { ModelsDefinition } from "./types/atelier/v1/Models.ts";
import type { OrdersDefinition } from "./types/atelier/v1/Orders.ts";
import type { SessionsDefinition } from "./types/atelier/v1/Sessions.ts";
import type { SubscriptionsDefinition } from "./types/atelier/v1/Subscriptions.ts";
import type { TicketsDefinition } from "./types/atelier/v1/Tickets.ts";
import type { UploadsDefinition } from "./types/atelier/v1/Uploads.ts";
import type { WorkflowsDefinition } from "./types/atelier/v1/Workflows.ts";

const DEFAULT_DEADLINE_MS = 10_000;
const KEEPALIVE_EVERY_MS = 5_000;
const KEEPALIVE_TIMEOUT_MS = 2_000;
export type CallOptions = {
  caller?: Caller;
  requestId?: string;
  /** The client's address, for the security log. */
  address?: string;
  /** Milliseconds until the call is given up. Streams have no deadline unless one is set. */
  deadlineMs?: number;
  signal?: AbortSignal;
  /** Called once core has accepted a stream; its first message may come much later. */
  onBegin?: () => void;
  /** The span that core's work belongs under, as W3C traceparent. */
  traceparent?: string;
};

// The generated types do not say which methods stream; the names do.
type StreamingMethod =
  | "WatchJob"
  | "WatchWorkflow"
  | "ReadOutput"
  | "ReadInput"
  | "ReadProductFile"
  | "Audit"
  | "RunBulk"
  | "WatchCatalog"
  | "ListChanges"
  | "ListOffers"
  | "ExportProducts"
  | "ExportAccount";

/** The methods that send core a stream. */
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

export type CoreClient = {
  readonly accounts: Calls<AccountsDefinition>;
  readonly admin: Calls<AdminDefinition>;
  readonly callbacks: Calls<CallbacksDefinition>;
  readonly catalog: Calls<CatalogDefinition>;
  readonly catalogAdmin: Calls<CatalogAdminDefinition>;
  readonly credits: Calls<CreditsDefinition>;
  readonly jobs: Calls<JobsDefinition>;
  readonly library: Calls<LibraryDefinition>;
  readonly memberships: Calls<MembershipsDefinition>;
  readonly models: Calls<ModelsDefinition>;
  readonly orders: Calls<OrdersDefinition>;
  readonly sessions: Calls<SessionsDefinition>;
  readonly subscriptions: Calls<SubscriptionsDefinition>;
  readonly tickets: Calls<TicketsDefinition>;
  readonly uploads: Calls<UploadsDefinition>;
  readonly workflows: Calls<WorkflowsDefinition>;
  close(): void;
};

export type CoreClientOptions = {
  /** host:port, or any grpc-js target. */
  address: string;
  /** A current service token; called before each call, so it should cache. */
  serviceToken: () => Promise<string>;
  /** Goes with every call, for the audit trail. */
  errand?: Errand;
  /** Without it nothing is encrypted. */
  tls?: ClientTls;
  /** Left out where traces are off. */
  traceCall?: TraceCall;
};

export type ClientTls = {
  /** The authority that signed core's certificate (PEM). */
  readonly ca: Buffer;
  /** Our own certificate, for a core that asks its clients for one (PEM). */
  readonly own?: { readonly cert: Buffer; readonly key: Buffer };
  /** The name in core's certificate, where it differs from the host in core's address. */
  readonly name?: string;
};

export function createCoreClient({
  address,
  serviceToken,
  errand,
  tls,
  traceCall,
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
    if (errand) writeErrand(metadata, errand);
    metadata.set("authorization", `Bearer ${await serviceToken()}`);
    return metadata;
  };

  const clients: Client[] = [];
  function calls<D>(Service: {
    new (...args: ConstructorParameters<typeof Client>): Client;
    service: D;
  }): Calls<D> {
    const client = new Service(address, channelCredentials(tls), channelOptions);
    clients.push(client);
    const entries = Object.entries(Service.service as ServiceDefinition).map(([name, method]) => {
      const call = callOf(method)(client, method, metadataOf);
      return [name, traceCall ? tracedCall(call, method, traceCall) : call];
    });
    return Object.fromEntries(entries) as Calls<D>;
  }

  return {
    accounts: calls(atelierV1.Accounts),
    admin: calls(atelierV1.Admin),
    callbacks: calls(atelierV1.Callbacks),
    catalog: calls(atelierV1.Catalog),
    catalogAdmin: calls(atelierV1.CatalogAdmin),
    credits: calls(atelierV1.Credits),
    jobs: calls(atelierV1.Jobs),
    library: calls(atelierV1.Library),
    memberships: calls(atelierV1.Memberships),
    models: calls(atelierV1.Models),
    orders: calls(atelierV1.Orders),
    sessions: calls(atelierV1.Sessions),
    subscriptions: calls(atelierV1.Subscriptions),
    tickets: calls(atelierV1.Tickets),
    uploads: calls(atelierV1.Uploads),
    workflows: calls(atelierV1.Workflows),
    close: () => {
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
    "grpc.max_receive_message_length": 16 * 1024 * 1024,
    // The largest page of the catalog goes through without waiting for the reader's leave, as it would after 64 kB.
    "grpc-node.flow_control_window": 256 * 1024,
    // By default the pauses grow to two minutes, for which nobody would see that core is back.
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
    // A connection that carries nothing any more looks whole: nobody says so. Asked for an answer it is found out, and calls go on over
    // another one. Also without calls, so that the first one after a quiet time does not meet a dead connection.
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

function unaryCall(client: Client, method: Method, metadataOf: MetadataOf) {
  return async (request: object, options: CallOptions = {}): Promise<object> => {
    const { signal, deadlineMs = DEFAULT_DEADLINE_MS } = options;
    const metadata = await metadataOf(options);
    signal?.throwIfAborted();
    const deadline = Date.now() + deadlineMs;
    const send = (): Promise<object> =>
      new Promise((resolve, reject) => {
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
    try {
      return await (mayRepeat(method, request) ? untilAnswered(send, deadline, signal) : send());
    } catch (error) {
      throw translate(error as ServiceError, signal);
    }
  };
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

/** Sends as fast as core takes. What core refuses ends the sending; what `requests` throws ends the call. */
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
    // Aborted by the answer, which tells the rest.
    if (!call.write(request)) await once(call, "drain", { signal: answered }).catch(() => {});
  }
  if (!answered.aborted) call.end();
}

function translate(error: ServiceError, signal: AbortSignal | undefined): unknown {
  if (error.code === status.CANCELLED && signal?.aborted) return signal.reason;
  return typeof error.code === "number" ? fromGrpcError(error) : new AppError("internal");
}

/**
 * The methods that grpc-js repeats by itself when core is away for a moment: those that their proto says change nothing. It takes a call
 * that is broken off for core's own answer; repeat.ts does not.
 */
function repeatable(definition: object): { service: string; method: string }[] {
  return Object.values(definition as ServiceDefinition)
    .filter(changesNothing)
    .map(({ path }) => {
      // "/atelier.v1.Jobs/GetJob"
      const [, service = "", method = ""] = path.split("/");
      return { service, method };
    });
}
