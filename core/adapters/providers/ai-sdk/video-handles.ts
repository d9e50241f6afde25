// Clips that a model of the AI SDK makes asynchronously: one request begins them, and each question about them is a separate request.
import {
  type experimental_generateVideo as generateVideo,
  experimental_getVideoStatus as getVideoStatus,
  type JSONValue,
} from "ai";
import { fetchKeptFile } from "../fetch-file.ts";
import { statusFailure } from "../http-failure.ts";
import { inspectMade, usable } from "../media.ts";
import type { DownloadLimits } from "../provider-fetch.ts";
import { type PollCall, type Polled, type ProviderCall, ProviderError } from "../provider.ts";
import { decodeAnswers } from "./decode-answers.ts";
import { statusOf, toProviderError } from "./failure.ts";

export type VideoModel = Parameters<typeof generateVideo>[0]["model"];
type Status = Awaited<ReturnType<typeof getVideoStatus>>;
type Video = Extract<Status, { status: "completed" }>["videos"][number];

/** Requests of the SDK, with the most bytes that they may receive. */
export type VideoHandleLine = {
  readonly fetch: typeof fetch;
  readonly run: <T>(taking: DownloadLimits, work: () => Promise<T>) => Promise<T>;
  readonly now: () => Date;
};

/** Whether the model can be asked later about what it has begun. */
export function givesHandles(model: VideoModel): boolean {
  return (
    typeof model !== "string" &&
    "doStart" in model &&
    model.doStart !== undefined &&
    model.doStatus !== undefined
  );
}

/** Throws a retryable ProviderError whenever the answer does not tell the outcome. */
export async function pollVideo(
  line: VideoHandleLine,
  model: VideoModel,
  handle: string,
  { request, signal }: PollCall,
): Promise<Polled> {
  const question = smallTaking();
  const collectBy = (known: readonly Video[] | undefined): Polled => ({
    state: "made",
    collect: async (call) => {
      const taking: DownloadLimits = {
        maxBytes: call.maxBytes,
        reserveMemory: call.reserveMemory,
        receivedBytes: 0,
      };
      const files = await line.run(taking, async () =>
        filesOf(line, known ?? (await askAgain(line, model, handle, call.signal)), call),
      );
      return inspectMade(files, request);
    },
  });
  let status: Status;
  try {
    status = await line.run(question, () => askStatus(model, handle, signal));
  } catch (error) {
    signal.throwIfAborted();
    // Only the result is so large: it is in the answer itself, which is fetched once there is space for it.
    if (question.isFull()) return collectBy(undefined);
    return unanswered(error, line.now());
  }
  switch (status.status) {
    case "pending":
      return { state: "running" };
    case "error":
      return { state: "failed", error: failedThere(status.error) };
    case "completed":
      return collectBy(status.videos);
  }
}

function askStatus(model: VideoModel, handle: string, abortSignal: AbortSignal): Promise<Status> {
  const asked = typeof model === "string" ? model : decodeAnswers(model);
  return getVideoStatus(asked, { operation: JSON.parse(handle) as JSONValue, abortSignal, maxRetries: 0 });
}

async function askAgain(
  line: VideoHandleLine,
  model: VideoModel,
  handle: string,
  signal: AbortSignal,
): Promise<readonly Video[]> {
  try {
    const status = await askStatus(model, handle, signal);
    if (status.status === "completed") return status.videos;
    throw status.status === "error" ? failedThere(status.error) : notTold();
  } catch (error) {
    signal.throwIfAborted();
    throw toProviderError(error, line.now());
  }
}

async function filesOf(
  line: VideoHandleLine,
  videos: readonly Video[],
  call: ProviderCall,
): Promise<readonly Uint8Array[]> {
  if (videos.length === 0)
    throw new ProviderError("provider_bad_answer", "The provider answered with no output.");
  return usable(
    videos.map((video) => async () => {
      if (video.type === "binary") return video.data;
      if (video.type === "url" && URL.canParse(video.url))
        return (await fetchKeptFile(line.fetch, { url: new URL(video.url), abortSignal: call.signal })).data;
      throw new ProviderError("provider_bad_answer", "The provider's answer could not be decoded.");
    }),
    call,
  );
}

/** The limit for one question. A larger answer is no mere status. */
function smallTaking(): DownloadLimits & { isFull(): boolean } {
  let isFull = false;
  return {
    maxBytes: Number.POSITIVE_INFINITY,
    receivedBytes: 0,
    isFull: () => isFull,
    reserveMemory: () => {
      isFull = true;
      return Promise.reject(
        new ProviderError("provider_bad_answer", "The memory budget for responses is used up."),
      );
    },
  };
}

/** The work must not be lost because of a temporary error or a wrong key. */
function unanswered(error: unknown, now: Date): Polled {
  const status = statusOf(error);
  if (status === 404 || status === 410)
    return {
      state: "failed",
      error: new ProviderError("provider_failed", "The provider does not know this request any more."),
    };
  const failure = toProviderError(error, now);
  throw failure.retryable ? failure : notTold();
}

function notTold(): ProviderError {
  return new ProviderError(
    "provider_unavailable",
    "The provider does not tell what became of this request.",
    { retryable: true },
  );
}

/** Its words are for the operator at most; they show whether the provider objected to the content. */
function failedThere(words: string): ProviderError {
  const failure = statusFailure(422, words, undefined);
  return failure.failure === "provider_refused"
    ? failure
    : new ProviderError("provider_failed", "The provider could not make it.");
}
