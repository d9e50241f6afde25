// Files of a request to models of the AI SDK: picture edits, and clips that start with a picture.
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { createAiSdkProvider } from "../../../../core/adapters/providers/ai-sdk/provider.ts";
import type {
  Provider,
  ProviderInput,
  ProviderOutput,
} from "../../../../core/adapters/providers/provider.ts";
import type { Modality } from "../../../../proto/resources/job.ts";
import { systemClock } from "../../../../runtime/clock.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { callOf, madeBy } from "../../../support/providers.ts";
import { sharedByTests } from "../../../support/shared.ts";
import type { FakeOptions } from "./fake-sdk.ts";
import { sendBytes, sendImages, startOpenAiServer } from "./openai-server.ts";

const log = createLog("error", "test");
let openai: Provider;
let picture: Buffer;
const clip = Buffer.from("00000018667479706d703432000000006d70343269736f6d", "hex");
const asked: FakeOptions["asked"] = [];
let films: Provider;

const server = sharedByTests(() => startOpenAiServer());
beforeAll(async () => {
  const options = { baseURL: server.baseURL, apiKey: "sk-secret" };
  const entry = { package: "@ai-sdk/openai", export: "createOpenAI", options };
  openai = await createAiSdkProvider("openai", entry, { log, clock: systemClock });
  films = await createAiSdkProvider(
    "films",
    {
      package: new URL("fake-sdk.ts", import.meta.url).href,
      export: "createFakeSdk",
      options: { file: clip, asked },
    },
    { log, clock: systemClock },
  );
  picture = await aPicture("#336699");
});

const aPicture = (background: string) =>
  sharp({ create: { width: 48, height: 32, channels: 3, background } })
    .png()
    .toBuffer();

function input(bytes: Uint8Array, mimeType = "image/png"): ProviderInput {
  return { mimeType, bytes: bytes.length, read: async () => bytes, url: "https://files.example/signed" };
}

type Given = Record<string, ProviderInput>;

function start(
  provider: Provider,
  modality: Modality,
  inputs: Given,
  more: { params?: Record<string, unknown>; reserveMemory?: () => Promise<void> } = {},
): Promise<readonly ProviderOutput[]> {
  const named = Object.fromEntries(Object.keys(inputs).map((name) => [name, `upl_${name}`]));
  return madeBy(
    provider.start(
      {
        modality,
        model: { image: "gpt-image-1", audio: "tts-1", video: "film-1" }[modality],
        prompt: "make it rain",
        params: { ...named, ...more.params },
        options: {},
      },
      callOf({
        ...(more.reserveMemory && { reserveMemory: more.reserveMemory }),
        inputs: new Map(Object.entries(inputs)),
      }),
    ),
  );
}

describe("a picture edit", () => {
  test("sends the inputs in the order of the params, with the mask, and without internal file names", async () => {
    const [second, mask] = [await aPicture("#993322"), await aPicture("#000000")];
    server.answer(sendImages(picture));
    const [made] = await start(
      openai,
      "image",
      { image: input(picture), mask: input(mask), style_image: input(second) },
      { params: { count: 1, quality: "low" } },
    );
    expect(made).toMatchObject({ mimeType: "image/png", width: 48, height: 32 });
    const [sent] = server.received;
    expect(sent?.path).toBe("/v1/images/edits");
    expect(sent?.body).toMatchObject({ model: "gpt-image-1", prompt: "make it rain", quality: "low" });
    const images = (sent?.body["image"] ?? sent?.body["image[]"]) as Uint8Array[];
    expect(images.map((image) => Buffer.from(image).toString("hex"))).toEqual([
      picture.toString("hex"),
      second.toString("hex"),
    ]);
    expect(Buffer.from(sent?.body["mask"] as Uint8Array).equals(mask)).toBe(true);
    expect(JSON.stringify(sent?.body)).not.toContain("upl_");
  });

  test("a picture edit without a file is a text request", async () => {
    server.answer(sendImages(picture));
    await start(openai, "image", {});
    expect(server.received[0]).toMatchObject({
      path: "/v1/images/generations",
      body: { prompt: "make it rain" },
    });
  });

  test("a picture edit with a large file waits for the memory budget", async () => {
    const order: string[] = [];
    const large: ProviderInput = {
      ...input(picture),
      bytes: 20 * 2 ** 20,
      read: async () => {
        order.push("read");
        return picture;
      },
    };
    server.answer(sendImages(picture));
    await start(openai, "image", { image: large }, { reserveMemory: async () => void order.push("room") });
    expect(order.slice(0, 2)).toEqual(["room", "read"]);
  });
});

describe("a video request", () => {
  const file = (bytes: Uint8Array, mediaType = "image/png") => ({ type: "file", mediaType, data: bytes });

  async function askFor(inputs: Given) {
    asked.length = 0;
    await start(films, "video", inputs, { params: { style: "noir" } });
    expect(JSON.stringify(asked)).not.toContain("upl_");
    return asked[0];
  }

  test("sends its first frame", async () => {
    expect(await askFor({ image: input(picture) })).toMatchObject({
      prompt: "make it rain",
      image: file(picture),
      providerOptions: { fake: { style: "noir" } },
    });
  });

  test("sends its last frame", async () => {
    const last = await aPicture("#ffffff");
    const sent = await askFor({ last_frame: input(last), first_frame: input(picture) });
    expect(sent).toMatchObject({
      image: file(picture),
      frameImages: [{ image: file(last), frameType: "last_frame" }],
    });
  });

  test("sends the reference pictures", async () => {
    const other = await aPicture("#ffffff");
    const sent = await askFor({
      reference_image: input(other),
      image: input(picture),
      motion: input(clip, "video/mp4"),
    });
    expect(sent).toMatchObject({
      image: file(picture),
      inputReferences: [file(other), file(clip, "video/mp4")],
    });
  });

  test("sends a URL for inputs that the SDK has no field for", async () => {
    const sent = await askFor({ image: input(picture), soundtrack: input(Buffer.from("x"), "audio/wav") });
    expect(sent).toMatchObject({
      image: file(picture),
      providerOptions: { fake: { style: "noir", soundtrack: "https://files.example/signed" } },
    });
  });
});

test("a speech request sends a URL for the voice", async () => {
  server.answer(sendBytes("audio/mpeg", Buffer.from("ID3 and more than that")));
  await start(openai, "audio", { sample: input(Buffer.from("x"), "audio/wav") });
  expect(server.received[0]?.body).toMatchObject({ input: "make it rain" });
  expect(JSON.stringify(server.received[0]?.body)).not.toContain("upl_");
});
