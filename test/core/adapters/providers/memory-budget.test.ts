import { describe, expect, test } from "vitest";
import { decodeAnswers } from "../../../../core/adapters/providers/ai-sdk/decode-answers.ts";
import { createOutputLimits, createMemoryBudget } from "../../../../core/adapters/providers/memory-budget.ts";

const never = new AbortController().signal;

/** Runs all pending promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the memory budget", () => {
  test("is granted first come, first served, and never exceeded", async () => {
    const room = createMemoryBudget(100);
    const order: string[] = [];
    const first = await room.take(60, never);
    const second = room.take(60, never).then((release) => (order.push("second"), release));
    // It would fit, but does not overtake.
    const third = room.take(10, never).then((release) => (order.push("third"), release));
    await settled();
    expect([room.taken(), order]).toEqual([60, []]);
    first();
    first();
    expect(await Promise.all([second, third])).toHaveLength(2);
    expect([room.taken(), order]).toEqual([70, ["second", "third"]]);
  });

  test("is granted whole to a response that is larger than it", async () => {
    const room = createMemoryBudget(100);
    const small = await room.take(1, never);
    const large = room.take(1000, never);
    await settled();
    expect(room.taken()).toBe(1);
    small();
    (await large)();
    expect(room.taken()).toBe(0);
  });

  test("is not held by a job that ended while waiting", async () => {
    const room = createMemoryBudget(100);
    await room.take(90, never);
    const stop = new AbortController();
    const ended = room.take(50, stop.signal);
    const behind = room.take(10, never);
    stop.abort(new Error("the deadline"));
    await expect(ended).rejects.toThrow("the deadline");
    await behind;
    expect(room.taken()).toBe(100);
  });
});

describe("a job", () => {
  test("takes the budget of its kind once for any number of large responses, and returns it", async () => {
    const room = createMemoryBudget(100);
    const intake = createOutputLimits(room, 40, never);
    await Promise.all([intake.reserveMemory(), intake.reserveMemory()]);
    expect(room.taken()).toBe(40);
    intake.release();
    await settled();
    expect(room.taken()).toBe(0);
  });

  test("a job without a large response takes no budget", async () => {
    const room = createMemoryBudget(100);
    createOutputLimits(room, 40, never).release();
    await settled();
    expect(room.taken()).toBe(0);
  });
});

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
