// fetch for providers of the AI SDK: an answer has a limit, and a connection that fails says so in our own words.
import { ProviderError } from "../provider.ts";

/** A 2048-pixel picture in base64 is about 20 MB; a clip of a minute stays below this, too. */
export const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

/**
 * Rejects, or lets the body fail, with a ProviderError: provider_unavailable (to be tried again) when the provider cannot be
 * reached or hangs up, provider_bad_answer when the answer is too large. An abort stays what it is.
 */
export function createBoundedFetch(maxBytes: number = MAX_ANSWER_BYTES): typeof fetch {
  return async (input, init) => {
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      throw init?.signal?.aborted ? error : unreachable();
    }
    if (Number(response.headers.get("content-length")) > maxBytes) {
      await response.body?.cancel();
      throw tooLarge();
    }
    if (!response.body) return response;
    return new Response(bounded(response.body, maxBytes, init?.signal ?? undefined), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

function bounded(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let received = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        received += value.byteLength;
        if (received <= maxBytes) return controller.enqueue(value);
        controller.error(tooLarge());
        await reader.cancel();
      } catch (error) {
        controller.error(signal?.aborted ? error : unreachable());
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function unreachable(): ProviderError {
  return new ProviderError(
    "provider_unavailable",
    "The provider could not be reached, or it hung up before it had answered.",
    { retryable: true },
  );
}

function tooLarge(): ProviderError {
  return new ProviderError(
    "provider_bad_answer",
    "The provider answered with more data than a result may have.",
  );
}
