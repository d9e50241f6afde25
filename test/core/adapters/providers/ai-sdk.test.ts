// The AI SDK adapter against a server with the OpenAI API: success and every kind of failure.
import { Writable } from "node:stream";
import sharp from "sharp";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAiSdkProvider } from "../../../../core/adapters/providers/ai-sdk/provider.ts";
import { readRetryAfter } from "../../../../core/adapters/providers/http-failure.ts";
import { toWav } from "../../../../core/adapters/providers/local/audio.ts";
import { createVideoMaker, LOOP } from "../../../../core/adapters/providers/local/clip.ts";
import { SAMPLE_RATE } from "../../../../core/adapters/providers/local/flite.ts";
import { createProviderFetch } from "../../../../core/adapters/providers/provider-fetch.ts";
import {
  type Provider,
  ProviderError,
  type ProviderOutput,
} from "../../../../core/adapters/providers/provider.ts";
import { createProviders } from "../../../../core/adapters/providers/registry.ts";
import type { Modality } from "../../../../proto/resources/job.ts";
import { systemClock } from "../../../../runtime/clock.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { StartupError } from "../../../../runtime/process/startup-error.ts";
import { callOf, madeBy, ROOMY } from "../../../support/providers.ts";
import { sharedByTests } from "../../../support/shared.ts";
import type { FakeOptions } from "./fake-sdk.ts";
import {
  type Answer,
  sendBytes,
  sendError,
  sendImages,
  sendJson,
  startOpenAiServer,
} from "./openai-server.ts";

const SECRET = "sk-secret-1234";
const NOW = new Date("2030-01-01T00:00:00Z");

let provider: Provider;
let picture: Uint8Array;
let logged = "";

const log = createLog(
  "trace",
  "test",
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString();
      done();
    },
  }),
);

function openAiAt(baseURL: string): Promise<Provider> {
  const options = { baseURL, apiKey: SECRET };
  const entry = { package: "@ai-sdk/openai", export: "createOpenAI", options };
  return createAiSdkProvider("openai", entry, { log, clock: { now: () => NOW } });
}

const server = sharedByTests(() => startOpenAiServer());
beforeAll(async () => {
  provider = await openAiAt(server.baseURL);
  picture = await sharp({ create: { width: 48, height: 32, channels: 3, background: "#336699" } })
    .png()
    .toBuffer();
});

beforeEach(() => {
  logged = "";
});

function generate(
  modality: Modality,
  answer: Answer,
  more: { params?: Record<string, unknown>; options?: Record<string, unknown>; signal?: AbortSignal } = {},
): Promise<readonly ProviderOutput[]> {
  server.answer(answer);
  return madeBy(
    provider.start(
      {
        modality,
        model: modality === "image" ? "gpt-image-1" : "tts-1",
        prompt: "a red boat",
        params: more.params ?? {},
        options: more.options ?? {},
      },
      callOf(more.signal && { signal: more.signal }),
    ),
  );
}

async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw new Error(`expected a ProviderError, got ${String(error)}`);
  return error;
}

describe("the AI SDK adapter", () => {
  test("[PRV-04] makes pictures with their real type and size, and passes on the params", async () => {
    const jpeg = await sharp(picture).jpeg().toBuffer();
    const outputs = await generate("image", sendImages(picture, jpeg), {
      params: { count: 2, width: 1024, height: 1536, quality: "low" },
      options: { background: "opaque" },
    });
    expect(outputs).toMatchObject([
      { mimeType: "image/png", width: 48, height: 32 },
      { mimeType: "image/jpeg", width: 48, height: 32 },
    ]);
    expect(Buffer.from(outputs[0]?.bytes ?? []).equals(picture)).toBe(true);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({
      path: "/v1/images/generations",
      headers: { authorization: `Bearer ${SECRET}`, "idempotency-key": "job_1" },
      body: {
        model: "gpt-image-1",
        prompt: "a red boat",
        n: 2,
        size: "1024x1536",
        quality: "low",
        background: "opaque",
      },
    });
  });

  test("[PRV-04] makes speech with its duration", async () => {
    const wav = toWav(Float32Array.from({ length: SAMPLE_RATE * 2 }, (_, i) => Math.sin(i / 20)));
    const outputs = await generate("audio", sendBytes("audio/wav", wav), {
      params: { voice: "nova", speed: 1.25 },
      options: { output_format: "wav" },
    });
    expect(outputs).toMatchObject([{ mimeType: "audio/wav", durationSeconds: 2 }]);
    expect(server.received[0]).toMatchObject({
      path: "/v1/audio/speech",
      body: { input: "a red boat", voice: "nova", speed: 1.25, response_format: "wav" },
    });
  });

  test("[PRV-04] makes clips with size and duration, from any SDK package", async () => {
    const make = createVideoMaker(LOOP);
    const params = { width: 64, height: 48, duration_seconds: 1, fps: 5 };
    const [clip] = await make({ prompt: "x", params, onProgress: () => {}, checkpoint: () => {} });
    const asked: FakeOptions["asked"] = [];
    const fake = await createAiSdkProvider(
      "films",
      {
        package: new URL("fake-sdk.ts", import.meta.url).href,
        export: "createFakeSdk",
        options: { file: clip?.bytes, asked },
      },
      { log, clock: { now: () => NOW } },
    );
    const outputs = await fake.start(
      {
        modality: "video",
        model: "film-1",
        prompt: "a red boat",
        params: { ...params, aspect_ratio: "4:3", style: "noir" },
        options: {},
      },
      callOf(),
    );
    expect(outputs).toMatchObject([{ mimeType: "video/mp4", width: 64, height: 48, durationSeconds: 1 }]);
    expect(asked).toMatchObject([
      {
        prompt: "a red boat",
        resolution: "64x48",
        duration: 1,
        fps: 5,
        aspectRatio: "4:3",
        providerOptions: { fake: { style: "noir" } },
      },
    ]);
  });

  test("declares that a repeat is not safe, and offers no lookup", () => {
    expect(provider.safeToRepeat).toBe(false);
    expect(provider.lookup).toBeUndefined();
  });
});

describe("a failing AI SDK model", () => {
  const cut = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, Math.floor(bytes.length * 0.6));

  const AWAY = { failure: "provider_unavailable", retryable: true } as const;
  const LIMITED = "rate_limit_exceeded";
  const REFUSED = { failure: "provider_refused", retryable: false } as const;
  const FAILED = { failure: "provider_failed", retryable: false } as const;
  const BAD = { failure: "provider_bad_answer", retryable: false } as const;

  test.each<[string, Answer, Partial<ProviderError>]>([
    [
      "429 with Retry-After",
      sendError(429, LIMITED, { "retry-after": "7" }),
      { ...AWAY, retryAfterMs: 7000 },
    ],
    ["429 without Retry-After", sendError(429, LIMITED), { ...AWAY, retryAfterMs: undefined }],
    ["429 for lack of funds", sendError(429, "insufficient_quota"), { ...AWAY, retryable: false }],
    ["500", sendError(500, null), AWAY],
    ["503 in HTML", (response) => response.writeHead(503).end("<html>busy</html>"), AWAY],
    ["a refusal by policy", sendError(400, "content_policy_violation"), REFUSED],
    ["a refusal by moderation", sendError(400, "moderation_blocked"), REFUSED],
    ["another bad request", sendError(400, "invalid_size"), FAILED],
    ["an invalid key", sendError(401, "invalid_api_key"), FAILED],
    ["an unknown model", sendError(404, "model_not_found"), FAILED],
    ["a connection that is reset", (response) => response.destroy(), AWAY],
    [
      "a truncated response",
      (response) => {
        response.writeHead(200, { "content-length": "1000" }).write('{"data":');
        setImmediate(() => response.destroy());
      },
      AWAY,
    ],
    [
      "no JSON",
      (response) => response.writeHead(200, { "content-type": "application/json" }).end('{"data": [{"b64_'),
      BAD,
    ],
    ["JSON of another shape", sendJson(200, { images: 3 }), BAD],
    ["no picture", sendJson(200, { created: 1, data: [] }), BAD],
    ["invalid base64", sendJson(200, { created: 1, data: [{ b64_json: "%%%not base64%%%" }] }), BAD],
    ["bytes that are not a picture", sendImages(Buffer.from("hello, I am text, not a picture")), BAD],
    ["a truncated picture", (response, request) => sendImages(cut(picture))(response, request), BAD],
    ["sound instead of a picture", sendImages(toWav(new Float32Array(100))), BAD],
  ])("maps this response to a provider failure: %s", async (_what, answer, expected) => {
    const failure = await failureOf(generate("image", answer));
    expect(failure).toMatchObject(expected);
    expect(server.received).toHaveLength(1);
    const shown = `${failure.message}${String(failure.cause)}${logged}`;
    for (const secret of [SECRET, "127.0.0.1", "internal.example"]) expect(shown).not.toContain(secret);
  });

  test("a failing AI SDK model with fewer or broken pictures returns the usable ones", async () => {
    const params = { count: 3 };
    expect(await generate("image", sendImages(picture), { params })).toHaveLength(1);
    const broken = sendImages(picture, Buffer.from("oops"), picture);
    expect(await generate("image", broken, { params })).toHaveLength(2);
    const failure = await failureOf(generate("image", sendImages(Buffer.from("oops")), { params }));
    expect(failure.failure).toBe("provider_bad_answer");
  });

  test("fails for speech in the same way", async () => {
    expect(
      await failureOf(generate("audio", sendError(429, null, { "retry-after-ms": "250" }))),
    ).toMatchObject({ failure: "provider_unavailable", retryAfterMs: 250 });
    expect(await failureOf(generate("audio", sendBytes("audio/mpeg", Buffer.from("oops"))))).toMatchObject({
      failure: "provider_bad_answer",
    });
    expect(await failureOf(generate("audio", sendBytes("audio/mpeg", Buffer.alloc(0))))).toMatchObject({
      failure: "provider_bad_answer",
    });
  });

  test("reports that the provider makes nothing of this kind", async () => {
    expect(await failureOf(generate("video", sendJson(200, {})))).toMatchObject({
      failure: "provider_failed",
      message: "The provider makes no video.",
    });
  });

  test("ends with the signal's reason when the provider hangs", async () => {
    const controller = new AbortController();
    const reason = new Error("deadline");
    const pending = generate("image", () => controller.abort(reason), { signal: controller.signal });
    await expect(pending).rejects.toBe(reason);
  });

  test("ends with the signal's reason when the response never ends", async () => {
    const controller = new AbortController();
    const reason = new Error("deadline");
    const pending = generate(
      "image",
      (response) => {
        response.writeHead(200).write("{");
        setImmediate(() => controller.abort(reason));
      },
      { signal: controller.signal },
    );
    await expect(pending).rejects.toBe(reason);
  });

  test("is reported as unreachable", async () => {
    const nobody = await openAiAt("http://127.0.0.1:1/v1");
    const pending = nobody.start(
      { modality: "image", model: "gpt-image-1", prompt: "x", params: {}, options: {} },
      callOf(),
    );
    expect(await failureOf(pending)).toMatchObject({ failure: "provider_unavailable", retryable: true });
  });
});

describe("the size limit of a response", () => {
  const large = Buffer.alloc(3000, "x");

  test.each<[string, Answer]>([
    [
      "declared",
      (response) => response.writeHead(200, { "content-length": String(large.length) }).end(large),
    ],
    [
      "streamed",
      (response) => {
        response.writeHead(200);
        response.write(large.subarray(0, 1500));
        response.end(large.subarray(1500));
      },
    ],
  ])("applies when the length is %s", async (_how, answer) => {
    server.answer(answer);
    const read = async (maxBytes: number): Promise<string> => {
      const taking = { ...ROOMY, maxBytes, receivedBytes: 0 };
      const options = { baseURL: server.baseURL };
      const net = createProviderFetch({ options, privateHosts: [] });
      try {
        return await (await net.fetchFor(taking)(server.baseURL, { method: "POST", body: "{}" })).text();
      } finally {
        await net.close();
      }
    };
    expect(await failureOf(read(2000))).toMatchObject({ failure: "provider_bad_answer" });
    expect(await read(3000)).toHaveLength(3000);
  });
});

test.each([
  [{ "retry-after": "12" }, 12_000],
  [{ "retry-after": "Tue, 01 Jan 2030 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "999999" }, 999_999_000],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-5" }, undefined],
  [{}, undefined],
])("Retry-After %o means %s ms", (headers, expected) => {
  expect(readRetryAfter(headers as Record<string, string>, NOW)).toBe(expected);
});

describe("the AI SDK configuration", () => {
  const entry = (options: object): string =>
    JSON.stringify({ openai: { package: "@ai-sdk/openai", export: "createOpenAI", options } });

  test("names an API key by its environment variable", () => {
    const config = loadConfig({
      OPENAI_KEY: 'quo"ted',
      ATELIER_AI_SDK_PROVIDERS: entry({
        apiKey: "${env.OPENAI_KEY}",
        headers: { a: ["x-${env.OPENAI_KEY}"] },
      }),
    });
    expect(config.aiSdkProviders["openai"]?.options).toEqual({
      apiKey: 'quo"ted',
      headers: { a: ['x-quo"ted'] },
    });
  });

  test.each([
    ["an unset variable", entry({ apiKey: "${env.NOT_SET}" }), /NOT_SET is named in it but not set/],
    ["text that is not JSON", `{"openai": ${SECRET}`, /not valid JSON/],
    [
      "the name of the embedded provider",
      '{"local":{"package":"a","export":"b"}}',
      /local is the embedded provider/,
    ],
    ["a missing package", '{"openai":{"export":"b"}}', /ATELIER_AI_SDK_PROVIDERS/],
  ])("refuses %s, without quoting the value", (_what, value, expected) => {
    const load = (): unknown => loadConfig({ ATELIER_AI_SDK_PROVIDERS: value });
    expect(load).toThrow(expected);
    expect(load).not.toThrow(SECRET);
  });

  test("creates a provider for each entry next to the embedded one", async () => {
    const providers = await createProviders(
      loadConfig({ ATELIER_AI_SDK_PROVIDERS: entry({ apiKey: "x" }) }),
      { log, clock: systemClock },
    );
    expect([...providers.keys()]).toEqual(["local", "openai"]);
    await Promise.all([...providers.values()].map((each) => each.close?.()));
  });

  const load = (other: object) =>
    createProviders(loadConfig({ ATELIER_AI_SDK_PROVIDERS: JSON.stringify({ other }) }), {
      log,
      clock: systemClock,
    });

  test("names a missing package and how to install it, in one line without a stack", async () => {
    const loading = load({ package: "@ai-sdk/none", export: "createNone" });
    await expect(loading).rejects.toBeInstanceOf(StartupError);
    await expect(loading).rejects.toThrow(
      /^The provider "other" cannot be loaded: @ai-sdk\/none is not installed\. Install it with: npm install --prefix \/\S* @ai-sdk\/none$/,
    );
  });

  test("reports that an installed package has no such export", async () => {
    await expect(load({ package: "@ai-sdk/openai", export: "createNone" })).rejects.toThrow(
      'The provider "other" cannot be loaded: @ai-sdk/openai has no export createNone.',
    );
  });
});
