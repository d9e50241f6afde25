// Fetches a file from the address that a provider gives, holding it in memory only once.
import { isPassing, statusFailure } from "./http-failure.ts";
import { ProviderError } from "./provider.ts";

export type FetchedFile = { data: Uint8Array; mediaType: string | undefined };

type Wanted = { url: URL; abortSignal?: AbortSignal };

/** Throws a ProviderError that is not retryable: the model has made its file, and a retry would be paid for again. */
export async function fetchFile(fetchIt: typeof fetch, wanted: Wanted): Promise<FetchedFile> {
  try {
    return await fetchKeptFile(fetchIt, wanted);
  } catch (error) {
    throw error instanceof ProviderError && error.retryable ? notFetched() : error;
  }
}

/** For a file that the provider keeps for a while: temporary errors are retryable. */
export async function fetchKeptFile(
  fetchIt: typeof fetch,
  { url, abortSignal }: Wanted,
): Promise<FetchedFile> {
  const response = await fetchIt(url, abortSignal ? { signal: abortSignal } : {});
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw isPassing(response.status) ? statusFailure(response.status, "", undefined) : notFetched();
  }
  const bytes = Number(response.headers.get("content-length") ?? 0);
  const data = await readAll(response.body, response.headers.has("content-encoding") ? 0 : bytes);
  return { data, mediaType: response.headers.get("content-type") ?? undefined };
}

/** Reads into one piece of memory if the length is known; joining pieces at the end takes twice as much. */
async function readAll(body: ReadableStream<Uint8Array>, bytes: number): Promise<Uint8Array> {
  const whole = new Uint8Array(bytes);
  const rest: Uint8Array[] = [];
  let at = 0;
  for await (const piece of body) {
    const fits = Math.max(0, Math.min(piece.length, whole.length - at));
    if (fits > 0) whole.set(piece.subarray(0, fits), at);
    if (fits < piece.length) rest.push(piece.subarray(fits));
    at += piece.length;
  }
  if (at < whole.length) throw notFetched();
  return rest.length === 0 ? whole : Buffer.concat([whole, ...rest]);
}

function notFetched(): ProviderError {
  return new ProviderError("provider_bad_answer", "The file that the provider made could not be fetched.");
}
