import { expect, test } from "vitest";
import { decodeAnswers } from "../../../../core/adapters/providers/ai-sdk/decode-answers.ts";

const BYTES = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0xff]);
const TEXT = BYTES.toString("base64");

/** Like the classes of provider packages, whose private fields a proxy would hide. */
class Model {
  readonly #answer: object;
  constructor(answer: object) {
    this.#answer = answer;
  }
  async doGenerate(): Promise<object> {
    return this.#answer;
  }
  maxImagesPerCall(): number {
    return Object.keys(this.#answer).length;
  }
}

test.each([
  ["images", { images: [TEXT, TEXT] }, { images: [BYTES, BYTES] }],
  ["speech", { audio: TEXT }, { audio: BYTES }],
  [
    "videos",
    { videos: [{ type: "base64", data: TEXT, mediaType: "video/webm" }] },
    { videos: [{ type: "binary", data: BYTES, mediaType: "video/webm" }] },
  ],
])(
  "[JOB-18] %s in base64 reach the SDK as bytes, so that it keeps no text of them",
  async (_name, answer, decoded) => {
    const model = decodeAnswers(new Model({ ...answer, warnings: [] }));
    expect(await model.doGenerate()).toEqual({ ...decoded, warnings: [] });
    expect(model.maxImagesPerCall()).toBe(2);
  },
);

test.each([
  ["bytes", { images: [BYTES] }],
  ["a URL", { videos: [{ type: "url", url: "https://files.example/1", mediaType: "video/webm" }] }],
  ["invalid base64, which the SDK reports", { audio: "not base64!" }],
  ["images with one invalid base64", { images: [TEXT, "no!"] }],
])("leaves %s unchanged", async (_name, answer) => {
  expect(await decodeAnswers(new Model(answer)).doGenerate()).toEqual(answer);
});
