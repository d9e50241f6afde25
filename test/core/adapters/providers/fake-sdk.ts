// A provider package with the interface of the AI SDK, whose one video model returns what the test put into its options.
import type {
  Experimental_VideoModelV4 as VideoModel,
  Experimental_VideoModelV4CallOptions as CallOptions,
} from "@ai-sdk/provider";

/** The model's result: a file or its URL. */
export type FakeOptions = { file: Uint8Array | (() => string); asked: CallOptions[] };

export function createFakeSdk({ file, asked }: FakeOptions): { video: (id: string) => VideoModel } {
  return {
    video: (modelId) => ({
      specificationVersion: "v4",
      provider: "fake.video",
      modelId,
      maxVideosPerCall: 1,
      doGenerate: async (options) => {
        asked.push(options);
        return {
          videos: [
            typeof file === "function"
              ? { type: "url", url: file(), mediaType: "video/mp4" }
              : { type: "binary", data: file, mediaType: "video/mp4" },
          ],
          warnings: [],
          response: { timestamp: new Date(0), modelId, headers: {} },
        };
      },
    }),
  };
}
