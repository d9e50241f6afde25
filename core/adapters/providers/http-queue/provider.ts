// Any provider that queues requests and answers in JSON over HTTP, by configuration alone. A request returns a handle, with which any later
// worker polls.
import type { Clock } from "../../../../runtime/clock.ts";
import type { HttpQueueEntry } from "../../../../runtime/config/http-queue-settings.ts";
import type { Logger } from "../../../../runtime/log/log.ts";
import type { Resolve } from "../../../base/outbound/dial.ts";
import { fetchKeptFile } from "../fetch-file.ts";
import { isPassing, statusFailure } from "../http-failure.ts";
import { inspectMade, usable } from "../media.ts";
import { type DownloadLimits, createProviderFetch, wasNeverSent } from "../provider-fetch.ts";
import {
  type AcceptedCall,
  type PollCall,
  type Polled,
  type Provider,
  type ProviderCall,
  ProviderError,
  type ProviderOutput,
  type ProviderRequest,
} from "../provider.ts";
import { type ProviderReply, type Queue, createLine } from "./ask.ts";
import { badAnswer } from "./failures.ts";
import {
  failedThere,
  readError,
  readFiles,
  readNumber,
  readState,
  readText,
  readUsage,
} from "./read-answer.ts";
import { type Values, fillJson, fillText, isObject, modelRoot } from "./template.ts";
import { createWebhookCheck } from "./webhook.ts";

/** A message about a call is small; a larger one is something else. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_HANDLE_CHARS = 4096;
const TIMEOUT_MS = 60_000;
/** What can still be asked about a call that has ended, or that no one knows any more. */
const CANNOT_CANCEL = new Set([400, 404, 405, 409, 410, 422]);

export type HttpQueueDeps = {
  log: Logger;
  clock: Clock;
  resolve?: Resolve;
  /** The time limit for one question. */
  timeoutMs?: number;
};

/** Throws if the configuration cannot work, with a message for the operator. */
export function createHttpQueueProvider(name: string, entry: HttpQueueEntry, deps: HttpQueueDeps): Provider {
  const net = createProviderFetch({
    options: { address: entry.address, hosts: entry.hosts, webhook: entry.webhook },
    privateHosts: entry.privateHosts,
    ...(deps.resolve && { resolve: deps.resolve }),
  });
  const now = () => deps.clock.now();
  const line = createLine({ entry, net, now, timeoutMs: deps.timeoutMs ?? TIMEOUT_MS });
  const queue: Queue = { entry, line, log: deps.log.child({ provider: name }) };
  const readWebhook = createWebhookCheck(name, queue, now);
  return {
    name,
    close: net.close,
    safeToRepeat: entry.submit.idempotencyHeader !== undefined,
    start: (request, call) => told(queue, request, () => submit(queue, request, call)),
    poll: (handle, call) => told(queue, call.request, () => poll(queue, handle, call)),
    ...(entry.cancel && {
      cancel: (handle, call) => told(queue, call.request, () => cancel(queue, handle, call)),
    }),
    ...(readWebhook && { webhook: readWebhook }),
  };
}

/** Failures are logged for the operator, without the provider's text, which may quote a key. */
async function told<T>({ log }: Queue, { model }: ProviderRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderError)
      log.warn({ model, failure: error.failure, retryAfterMs: error.retryAfterMs }, error.message);
    throw error;
  }
}

async function submit(queue: Queue, request: ProviderRequest, call: ProviderCall): Promise<AcceptedCall> {
  const { entry, line } = queue;
  const { idempotencyHeader } = entry.submit;
  const values = valuesOf(entry, request, call);
  const query = Object.entries(entry.submit.query).flatMap(([field, text]): [string, string][] => {
    const filled = fillText(text, values);
    return filled === undefined ? [] : [[field, filled]];
  });
  const answer = await line
    .ask({
      method: entry.submit.method,
      url: line.address(entry.submit.path, values),
      query: Object.fromEntries(query),
      ...(idempotencyHeader !== undefined && { headers: { [idempotencyHeader]: call.idempotencyKey } }),
      ...(entry.submit.method !== "GET" && { body: fillJson(entry.submit.body, values) }),
      taking: wordTaking(),
      signal: call.signal,
    })
    .catch((error: unknown) => {
      throw idempotencyHeader === undefined ? unlessMadeTwice(error) : error;
    });
  if (answer.status >= 300) throw refusedRequest(entry, answer);
  return keepHandle(queue, answer);
}

/** A request that may have arrived is not sent again: it would be made, and paid for, twice. */
function unlessMadeTwice(error: unknown): unknown {
  if (!(error instanceof ProviderError) || !error.retryable || wasNeverSent(error)) return error;
  return new ProviderError(error.failure, error.message, { outcomeUnknown: true, cause: error });
}

function refusedRequest(entry: HttpQueueEntry, answer: ProviderReply): ProviderError {
  const error = readError(entry, answer.body);
  if (error instanceof ProviderError && error.failure === "provider_refused") return error;
  if (answer.status < 400) return badAnswer();
  return statusFailure(answer.status, "", answer.retryAfterMs);
}

function keepHandle({ entry, line }: Queue, answer: ProviderReply): AcceptedCall {
  const fields = Object.entries(entry.handle).map(([field, place]) => [field, readText(answer.body, place)]);
  if (fields.some(([, value]) => value === undefined)) {
    const error = readError(entry, answer.body);
    throw error instanceof ProviderError ? error : badAnswer();
  }
  const values = Object.fromEntries(fields) as Record<string, string>;
  const handle = JSON.stringify(values);
  if (handle.length > MAX_HANDLE_CHARS) throw badAnswer();
  // It is read now, because it may not be available after the call has ended.
  for (const asked of [entry.status, entry.result, entry.cancel]) if (asked) line.address(asked.path, values);
  const pollAfterMs = pollAfter(entry, answer);
  // The first field that is kept is the provider's id of the request.
  const [reference = ""] = Object.values(values);
  return { handle, reference, ...(pollAfterMs !== undefined && { pollAfterMs }) };
}

async function poll(queue: Queue, handle: string, { request, signal }: PollCall): Promise<Polled> {
  const { entry, line, log } = queue;
  const values = readHandle(handle);
  const answer = await line.ask({
    method: entry.status.method,
    url: line.address(entry.status.path, values),
    taking: wordTaking(),
    signal,
  });
  if (answer.status === 404 || answer.status === 410)
    return {
      state: "failed",
      error: new ProviderError("provider_failed", "The provider does not know this request any more."),
    };
  if (answer.status >= 300) throw notTold(answer);
  const error = readError(entry, answer.body);
  const state = readState(entry, answer.body);
  if (state === undefined) {
    log.warn({ model: request.model }, "the provider's state is none that the configuration knows");
    throw new ProviderError("provider_bad_answer", "The provider's answer could not be read.", {
      retryable: true,
    });
  }
  if (state === "running") return running(entry, answer);
  if (state === "cancelled" || error === "cancelled") return { state: "cancelled" };
  if (state === "failed" || error)
    return { state: "failed", error: error ?? failedThere(), usage: readUsage(entry, [answer.body]) };
  return {
    state: "made",
    collect: (call) =>
      told(queue, request, () => collectFiles(queue, { values, request, call, status: answer })),
  };
}

/** What does not answer the question is asked again: the result must not be lost because of a temporary error or a wrong key. */
function notTold({ status, retryAfterMs }: ProviderReply): ProviderError {
  if (isPassing(status)) return statusFailure(status, "", retryAfterMs);
  return new ProviderError(
    "provider_unavailable",
    "The provider does not tell what became of this request.",
    {
      retryable: true,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  );
}

function running(entry: HttpQueueEntry, answer: ProviderReply): Polled {
  const done = readNumber(answer.body, entry.progress?.at);
  const position = readNumber(answer.body, entry.position);
  const pollAfterMs = pollAfter(entry, answer);
  return {
    state: "running",
    ...(done !== undefined && { progress: Math.min(1, done / (entry.progress?.of ?? 1)) }),
    ...(position !== undefined && { position }),
    ...(pollAfterMs !== undefined && { pollAfterMs }),
  };
}

async function cancel({ entry, line }: Queue, handle: string, { signal }: PollCall): Promise<void> {
  if (!entry.cancel) return;
  const answer = await line.ask({
    method: entry.cancel.method,
    url: line.address(entry.cancel.path, readHandle(handle)),
    taking: wordTaking(),
    signal,
  });
  if (answer.status >= 300 && !CANNOT_CANCEL.has(answer.status)) throw notTold(answer);
}

function pollAfter(entry: HttpQueueEntry, { body, retryAfterMs }: ProviderReply): number | undefined {
  const seconds = readNumber(body, entry.pollAfterSecondsAt);
  return retryAfterMs ?? (seconds === undefined ? entry.pollAfterMs : seconds * 1000);
}

function readHandle(handle: string): Values {
  const values: unknown = JSON.parse(handle);
  return isObject(values) ? values : {};
}

function wordTaking(): DownloadLimits {
  return { maxBytes: MAX_ANSWER_BYTES, reserveMemory: async () => {}, receivedBytes: 0 };
}

function valuesOf(entry: HttpQueueEntry, request: ProviderRequest, call: ProviderCall): Values {
  const { model, prompt, modality, options } = request;
  const own = Object.fromEntries([...call.inputs].map(([name, { url }]) => [name, url]));
  return {
    model,
    modelRoot: modelRoot(model),
    prompt,
    modality,
    options,
    params: renamed(entry, request.params),
    inputs: renamed(entry, own),
    idempotencyKey: call.idempotencyKey,
    ...(call.webhookUrl !== undefined && { webhookUrl: call.webhookUrl }),
  };
}

/** Under the provider's names; null marks params that it does not get. */
function renamed({ params: names }: HttpQueueEntry, params: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]): [string, unknown][] => {
      const theirs = Object.hasOwn(names, name) ? names[name] : name;
      return typeof theirs === "string" ? [[theirs, value]] : [];
    }),
  );
}

type Made = {
  /** The fields of the handle. */
  readonly values: Values;
  readonly request: ProviderRequest;
  readonly call: ProviderCall;
  /** The provider's response about the state. */
  readonly status: ProviderReply;
};

/**
 * Fetches the files of a queue's response, and before them the response that names them, if that is a separate one. Repeating it
 * costs nothing.
 */
async function collectFiles(
  queue: Queue,
  { values, request, call, status }: Made,
): Promise<readonly ProviderOutput[]> {
  const { entry, line } = queue;
  const { maxBytes, reserveMemory, signal } = call;
  const taking: DownloadLimits = { maxBytes, reserveMemory, receivedBytes: 0 };
  const answer = entry.result ? await askResult(queue, values, taking, signal) : status.body;
  const addresses = readFiles(entry, answer);
  if (addresses.length === 0)
    throw new ProviderError("provider_bad_answer", "The provider answered with no output.");
  call.onUsage(readUsage(entry, [answer, status.body]));
  const fetchIt = line.fileFetch(taking);
  const files = await usable(
    addresses.map((address) => async () => {
      if (!URL.canParse(address)) throw badAnswer();
      const { data } = await fetchKeptFile(fetchIt, { url: new URL(address), abortSignal: signal });
      return data;
    }),
    call,
  );
  return inspectMade(files, request);
}

async function askResult(
  { entry, line }: Queue,
  values: Values,
  taking: DownloadLimits,
  signal: AbortSignal,
): Promise<unknown> {
  const { method, path } = entry.result ?? entry.status;
  const answer = await line.ask({ method, url: line.address(path, values), taking, signal });
  const { status, body, retryAfterMs } = answer;
  const error = readError(entry, body);
  // A failed request stays failed, however often its result is fetched.
  if (error !== undefined) throw error === "cancelled" ? failedThere() : lasting(error);
  if (isPassing(status)) throw statusFailure(status, "", retryAfterMs);
  if (status === 401 || status === 402 || status === 403)
    throw new ProviderError("provider_unavailable", "The provider does not hand out what it has made.", {
      retryable: true,
    });
  if (status >= 300 || body === undefined) throw status >= 400 ? failedThere() : badAnswer();
  return body;
}

function lasting(error: ProviderError): ProviderError {
  return error.retryable ? new ProviderError(error.failure, error.message) : error;
}
