// A provider package in the shape of the AI SDK's, whose one video model answers what the test put into its options.
import type {
  Experimental_VideoModelV4 as VideoModel,
  Experimental_VideoModelV4CallOptions as CallOptions,
} from "@ai-sdk/provider";

/** What the model answers: a file, or the address of one. */
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
