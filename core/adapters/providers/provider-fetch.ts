// fetch for remote providers: it connects to the provider's own address and to public ones, receives no more than a job may, waits for the
// memory budget before it receives much, and reports failed connections with the service's own texts.
import { Dispatcher1Wrapper } from "undici";
import { bareHost } from "../../base/outbound/address.ts";
import {
  createCheckedAgent,
  createResolver,
  NameNotFound,
  RefusedAddress,
  type Resolve,
} from "../../base/outbound/dial.ts";
import { type ProviderCall, ProviderError } from "./provider.ts";

/**
 * How many bytes all answers to one job may have before space is reserved: enough for most pictures, and for all questions while one waits.
 */
export const SMALL_ANSWERS_BYTES = 4 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

/** What one job has received so far, and how much it may receive. */
export type DownloadLimits = Pick<ProviderCall, "maxBytes" | "reserveMemory"> & { receivedBytes: number };

export type ProviderFetch = {
  /**
   * fetch for one job. Rejects, or lets the body fail, with a ProviderError: provider_unavailable (retryable) if the provider cannot be
   * reached or hangs up, provider_bad_answer if the response is too large or is at a forbidden address. An abort is passed on unchanged.
   */
  readonly fetchFor: (taking: DownloadLimits) => typeof fetch;
  close(): Promise<void>;
};

export type ProviderFetchOptions = {
  /** The provider's options; addresses in them come from the operator and are not checked. */
  options: Readonly<Record<string, unknown>>;
  /** Further hosts, with or without a port, which may be private. */
  privateHosts: readonly string[];
  resolve?: Resolve;
};

export function createProviderFetch({
  options,
  privateHosts,
  resolve = createResolver("public"),
}: ProviderFetchOptions): ProviderFetch {
  const own = new Set(originsIn(options));
  const hosts = new Set(privateHosts.map((host) => host.toLowerCase()));
  // The check is made at each connection, so that every redirect is checked and a name cannot change its address in between.
  const agent = createCheckedAgent({
    policy: "public",
    resolve,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    isTrusted: ({ protocol, host = "", hostname }) =>
      own.has(`${protocol}//${host}`) || hosts.has(host) || hosts.has(bareHost(hostname)),
  });
  // The global fetch uses dispatchers as they were before undici 8.
  const dispatcher = new Dispatcher1Wrapper(agent);
  return {
    fetchFor: (job) => async (input, init) => {
      let response: Response;
      try {
        response = await fetch(input, { ...init, dispatcher } as unknown as RequestInit);
      } catch (error) {
        throw init?.signal?.aborted ? error : notReached(error);
      }
      if (!response.body) return response;
      if (Number(response.headers.get("content-length")) + job.receivedBytes > job.maxBytes) {
        await response.body.cancel();
        throw tooLarge();
      }
      return new Response(bounded(response.body, job, init?.signal ?? undefined), {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
      });
    },
    close: () => agent.destroy(),
  };
}

/** The origins of all http addresses anywhere in the options. */
function originsIn(value: unknown): string[] {
  if (typeof value === "string")
    return /^https?:\/\//i.test(value) && URL.canParse(value) ? [new URL(value).origin] : [];
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value)
    ? Object.values(value).flatMap(originsIn)
    : [];
}

function bounded(
  body: ReadableStream<Uint8Array>,
  job: DownloadLimits,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          job.receivedBytes += value.byteLength;
          if (job.receivedBytes > job.maxBytes) throw tooLarge();
          if (job.receivedBytes > SMALL_ANSWERS_BYTES) await job.reserveMemory();
          controller.enqueue(value);
        } catch (error) {
          const told = signal?.aborted || error instanceof ProviderError ? error : notReached(error);
          controller.error(told);
          // The body is already broken if the error is its own.
          await reader.cancel().catch(() => {});
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead of the reader.
    { highWaterMark: 0 },
  );
}

/** Nothing can have been sent: no address, no one there, no handshake in time. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** False if a request may have arrived, although no answer came back. */
export function wasNeverSent(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof NameNotFound || cause instanceof RefusedAddress) return true;
    if (NOT_CONNECTED.test(String(Reflect.get(cause, "code")))) return true;
  }
  return false;
}

function notReached(error: unknown): ProviderError {
  if (error instanceof Error && error.cause instanceof RefusedAddress)
    return new ProviderError(
      "provider_bad_answer",
      "The provider stores its result at an address that this service does not fetch from.",
    );
  return new ProviderError(
    "provider_unavailable",
    "The provider could not be reached, or it hung up before it had answered.",
    { retryable: true, cause: error },
  );
}

function tooLarge(): ProviderError {
  return new ProviderError(
    "provider_bad_answer",
    "The provider answered with more data than a result may have.",
  );
}
