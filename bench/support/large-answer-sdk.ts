// A provider package in the shape of the AI SDK's, whose one video model answers with a large file: by its address, or in base64 inside JSON.
import type { Experimental_VideoModelV4 as VideoModel } from "@ai-sdk/provider";

/** `address` is where large-answers-process.ts answers. */
export type LargeAnswerOptions = { address: string; fetch: typeof fetch };

export function createLargeAnswers({ address, fetch: providerFetch }: LargeAnswerOptions): {
  video: (id: "address" | "base64") => VideoModel;
} {
  return {
    video: (modelId) => ({
      specificationVersion: "v4",
      provider: "large.video",
      modelId,
      maxVideosPerCall: 1,
      doGenerate: async ({ abortSignal }) => {
        const response = { timestamp: new Date(), modelId, headers: {} };
        const mediaType = "video/webm";
        if (modelId === "address")
          return { videos: [{ type: "url", url: `${address}/file`, mediaType }], warnings: [], response };
        const answer = await providerFetch(`${address}/base64`, abortSignal ? { signal: abortSignal } : {});
        // As the packages of providers do: all of it as text, then as JSON.
        const { data } = JSON.parse(await answer.text()) as { data: string };
        return { videos: [{ type: "base64", data, mediaType }], warnings: [], response };
      },
    }),
  };
}
