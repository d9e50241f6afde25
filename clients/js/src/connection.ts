// Single requests over fetch: the key, the envelope of answers, errors with a code, and repeats of what may be repeated.
import { AtelierError, errorOf } from "./errors.ts";
import { pauseMs, sleep, Watchdog } from "./pauses.ts";

export type ConnectionOptions = {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly retryForMs: number;
  readonly fetch: typeof fetch;
};

type QueryValue =
  | string
  | number
  | boolean
  | readonly string[]
  | Readonly<Record<string, string>>
  | undefined;

export type Sending = {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly file?: Blob | Uint8Array<ArrayBuffer> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** A repeat after a lost connection could do it twice; it is repeated only after an answer that says that it was not done. */
  readonly onlyOnce?: boolean;
  /** False for a signed address, maybe of another host: the key is not sent there. */
  readonly withKey?: boolean;
  /** How long an answer may take. */
  readonly silenceMs?: number;
  readonly signal?: AbortSignal | undefined;
};

/** More than the 60 seconds for which the service holds an answer. */
const SILENCE_MS = 90_000;
/** Answers that mean the request was not carried out, so repeating is always safe. */
const NOT_DONE = [429, 503];
const GONE_WRONG = [...NOT_DONE, 408, 500, 502, 504];

export class Connection {
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get retryForMs(): number {
    return this.#options.retryForMs;
  }

  /** The result of an answer `{ok: true, result}`. */
  async result<T>(path: string, sending: Sending = {}): Promise<T> {
    const { result } = await this.json<{ result: T }>(path, sending);
    return result;
  }

  /** A whole JSON answer. */
  async json<T>(path: string, sending: Sending = {}): Promise<T> {
    return this.#patiently(sending, async (signal) => {
      const response = await this.#send(path, sending, signal);
      const body = await readJson(response);
      if (!response.ok) throw errorOf(response, body);
      if (body === undefined && response.status !== 204) throw unreadable(response);
      return body as T;
    });
  }

  /** The bytes of a file. */
  async bytes(path: string, sending: Sending = {}): Promise<Uint8Array> {
    return this.#patiently(sending, async (signal) => {
      const response = await this.#send(path, sending, signal);
      if (!response.ok) throw errorOf(response, await readJson(response));
      return new Uint8Array(await response.arrayBuffer());
    });
  }

  /** An answer with a streaming body; tried once. Throws unless it is a success. */
  async open(path: string, sending: Sending): Promise<Response> {
    const response = await this.#send(path, sending, sending.signal);
    if (!response.ok) throw errorOf(response, await readJson(response));
    return response;
  }

  async #patiently<T>(sending: Sending, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, onlyOnce = false, silenceMs = SILENCE_MS } = sending;
    const lastAt = performance.now() + this.retryForMs;
    for (let attempts = 0; ; attempts++) {
      const watchdog = new Watchdog(silenceMs, signal);
      try {
        return await attempt(watchdog.signal);
      } catch (error) {
        signal?.throwIfAborted();
        const failure = toFailure(error);
        const waitMs = Math.max(pauseMs(attempts), (failure.retryAfter ?? 0) * 1000);
        if (!mayRepeat(failure, onlyOnce) || performance.now() + waitMs > lastAt) throw failure;
        await sleep(waitMs, signal);
      } finally {
        watchdog.end();
      }
    }
  }

  #send(path: string, sending: Sending, signal: AbortSignal | undefined): Promise<Response> {
    const { method = "GET", query, json, file, headers, withKey = true } = sending;
    const url = new URL(path, this.#options.baseUrl);
    for (const [name, value] of Object.entries(query ?? {})) addToQuery(url.searchParams, name, value);
    const body = json === undefined ? file : JSON.stringify(json);
    const { apiKey } = this.#options;
    return this.#options.fetch(url, {
      method,
      headers: {
        accept: "application/json",
        ...(withKey && apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
  }
}

/** Whether trying again may succeed without the request being carried out twice. */
export function mayRepeat({ code, status }: AtelierError, onlyOnce = false): boolean {
  if (status === undefined) return code === "connection_failed" && !onlyOnce;
  return (onlyOnce ? NOT_DONE : GONE_WRONG).includes(status);
}

/** Gives fetch's connection failures one code. */
export function toFailure(error: unknown): AtelierError {
  if (error instanceof AtelierError) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new AtelierError("connection_failed", `The connection to the service failed: ${words}`, {
    cause: error,
  });
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

function unreadable(response: Response): AtelierError {
  return new AtelierError(
    "unreadable_answer",
    "The response is not JSON. Check that baseUrl is the URL of the service.",
    {
      status: response.status,
      requestId: response.headers.get("x-request-id") ?? undefined,
    },
  );
}

function addToQuery(query: URLSearchParams, name: string, value: QueryValue): void {
  if (value === undefined) return;
  if (typeof value !== "object") return query.append(name, String(value));
  if (isList(value)) for (const one of value) query.append(name, one);
  else for (const [inner, one] of Object.entries(value)) query.append(`${name}[${inner}]`, one);
}

function isList(value: readonly string[] | Readonly<Record<string, string>>): value is readonly string[] {
  return Array.isArray(value);
}
