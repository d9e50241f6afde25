// Fetches what a queue has made: the files, and before them the answer that names them, if that is a separate one. Repeating it costs
// nothing.
import { fetchKeptFile } from "../fetch-file.ts";
import { isPassing, statusFailure } from "../http-failure.ts";
import { inspectMade, usable } from "../media.ts";
import { type ProviderCall, ProviderError, type ProviderOutput, type ProviderRequest } from "../provider.ts";
import type { DownloadLimits } from "../provider-fetch.ts";
import type { ProviderReply, Queue } from "./ask.ts";
import { badAnswer } from "./failures.ts";
import { failedThere, readError, readFiles, readUsage } from "./read-answer.ts";
import type { Values } from "./template.ts";

export type Made = {
  /** The fields of the handle. */
  readonly values: Values;
  readonly request: ProviderRequest;
  readonly call: ProviderCall;
  /** The provider's response about the state. */
  readonly status: ProviderReply;
};

export async function collectFiles(
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
