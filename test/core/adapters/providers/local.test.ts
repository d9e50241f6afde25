// The files of the embedded provider, parsed as any reader would.
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawFrames } from "../../../../core/adapters/providers/local/frames.ts";
import { createLocalProvider } from "../../../../core/adapters/providers/local/provider.ts";
import { drawSketch } from "../../../../core/adapters/providers/local/sketch/scene.ts";
import { inspectMedia } from "../../../../core/adapters/providers/media.ts";
import { boxesOf, readMp4 } from "../../../../core/adapters/providers/mp4.ts";
import type { Provider, ProviderOutput } from "../../../../core/adapters/providers/provider.ts";
import { inputParamsOf } from "../../../../core/studio/models/input-params.ts";
import { checkParams } from "../../../../core/studio/models/params.ts";
import { LOCAL_MODELS } from "../../../../core/studio/models/seed.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { callOf, madeBy } from "../../../support/providers.ts";

let provider: Provider;

beforeAll(() => {
  provider = createLocalProvider(createLog("error", "test"));
});

afterAll(() => provider.close?.());

/** Calls the provider as core does: with checked params and defaults. */
async function generate(
  slug: string,
  prompt: string,
  given: Record<string, unknown> = {},
  call: Parameters<typeof callOf>[0] = {},
): Promise<ProviderOutput[]> {
  const model = LOCAL_MODELS.find(({ _id }) => _id === slug);
  if (!model) throw new Error(`no model ${slug}`);
  const checked = checkParams(model, given);
  if (Array.isArray(checked)) throw new Error(JSON.stringify(checked));
  const outputs = await madeBy(
    provider.start(
      { modality: model.modality, model: model.provider_model, prompt, params: checked.params, options: {} },
      callOf(call),
    ),
  );
  return [...outputs];
}

async function one(
  slug: string,
  prompt: string,
  given: Record<string, unknown> = {},
): Promise<ProviderOutput> {
  const [output] = await generate(slug, prompt, given);
  if (!output) throw new Error("no output");
  return output;
}

function same(a: ProviderOutput, b: ProviderOutput): boolean {
  return Buffer.from(a.bytes).equals(b.bytes);
}

const SMALL: Record<string, Record<string, unknown>> = {
  image: { width: 160, height: 120 },
  video: { width: 128, height: 72, duration_seconds: 1, fps: 6 },
  audio: { voice: "kal16" },
};

/** The models without file inputs. The others are in local-inputs.test.ts. */
const FROM_WORDS = LOCAL_MODELS.filter((model) => inputParamsOf(model).size === 0);

describe.each(FROM_WORDS.map(({ _id, modality }) => [_id, SMALL[modality] ?? {}] as const))(
  "%s",
  (slug, small) => {
    test("makes the same bytes for the same request, and others for another prompt", async () => {
      const [first, again, other] = await Promise.all([
        one(slug, "a sunset over the sea", small),
        one(slug, "a sunset over the sea", small),
        one(slug, "a city at night", small),
      ]);
      expect(same(first, again)).toBe(true);
      expect(same(first, other)).toBe(false);
    });

    test.each([
      ["emoji alone", "🦄✨🎉👩‍👩‍👧‍👦"],
      ["a script that is not Latin", "夜の海に浮かぶ船"],
      ["no words", "\u200d … \ufe0f"],
      ["markup", `</text><image href="file:///etc/passwd"/> & "quotes" ]]>`],
      ["control characters and half a surrogate pair", "a\u0001b\ud800c\uffff"],
      [
        "4000 characters",
        "The quick brown fox jumps over the lazy dog, again and again. ".repeat(65).slice(0, 4000),
      ],
    ])("makes a valid file of %s", async (_what, prompt) => {
      const model = LOCAL_MODELS.find(({ _id }) => _id === slug);
      const made = one(slug, prompt.slice(0, model?.max_prompt_length), small);
      const output = await made.catch((error: Error) => error);
      // Two models report that they can make nothing of it, and the job is refunded.
      if (output instanceof Error) {
        expect(output.message).toMatch(
          slug === "atelier-poster" ? /^Poster sets words/ : /^Sketch has no picture/,
        );
        expect(prompt).not.toContain("fox");
        return;
      }
      const inspected = await inspectMedia(output.bytes, model?.modality ?? "image");
      expect(inspected.mimeType).toBe(output.mimeType);
    });
  },
);

describe("pictures of the embedded provider", () => {
  test("[PRV-03] have the requested size and are no flat colour", async () => {
    const output = await one("atelier-canvas", "forest at dawn", { width: 640, height: 384 });
    expect(output).toMatchObject({ mimeType: "image/png", width: 640, height: 384 });
    expect(Buffer.from(output.bytes.subarray(0, 8)).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
    const format = { format: "png", width: 640, height: 384, channels: 3 };
    expect(await sharp(output.bytes).metadata()).toMatchObject(format);
    const { channels, entropy } = await sharp(output.bytes).stats();
    for (const { stdev } of channels) expect(stdev).toBeGreaterThan(10);
    expect(entropy).toBeGreaterThan(5);
  });

  test("differ from each other in the requested number", async () => {
    const outputs = await generate("atelier-pattern", "bauhaus", { width: 128, height: 128, count: 4 });
    expect(new Set(outputs.map(({ bytes }) => Buffer.from(bytes).toString("base64"))).size).toBe(4);
  });

  test("change with the seed and the model", async () => {
    const size = { width: 128, height: 128 };
    const takes = await Promise.all([
      one("atelier-canvas", "hope", size),
      one("atelier-canvas", "hope", { ...size, seed: 7 }),
      one("atelier-canvas", "hope", { ...size, seed: 8 }),
      one("atelier-vector", "hope", size),
      one("atelier-canvas", "hope", { ...size, caption: true }),
    ]);
    expect(new Set(takes.map(({ bytes }) => Buffer.from(bytes).toString("base64"))).size).toBe(takes.length);
  });

  test("take their colours from hour, place and object", async () => {
    const meanOf = async (prompt: string): Promise<number[]> => {
      const { bytes } = await one("atelier-vector", prompt, { width: 96, height: 96 });
      return (await sharp(bytes).stats()).channels.map(({ mean }) => mean);
    };
    const [desert, ocean, day, night] = await Promise.all([
      meanOf("a desert at sunset"),
      meanOf("the ocean at noon"),
      meanOf("a meadow"),
      meanOf("a meadow at night"),
    ]);
    expect(desert[0]).toBeGreaterThan(desert[2] ?? 255);
    expect(ocean[2]).toBeGreaterThan(ocean[0] ?? 255);
    expect(night[1]).toBeLessThan((day[1] ?? 0) * 0.7);
    const [red, blue] = await Promise.all([meanOf("a red balloon"), meanOf("a blue balloon")]);
    expect((red[0] ?? 0) - (blue[0] ?? 0)).toBeGreaterThan(3);
  });

  test("report what they show of the prompt", async () => {
    const prompt = "three foxes and a flugelhorn in the snow";
    const { understood } = await one("atelier-vector", prompt, SMALL["image"]);
    expect(understood).toEqual({ drawn: ["foxes", "snow"], not_drawn: ["flugelhorn"] });
  });

  test("are drawn at every size of the schema", async () => {
    const [tall, wide] = [
      { width: 64, height: 2048 },
      { width: 2048, height: 64 },
    ];
    expect(await one("atelier-vector", "tower", tall)).toMatchObject(tall);
    expect(await one("atelier-canvas", "tower", wide)).toMatchObject(wide);
  });
});

describe("sound of the embedded provider", () => {
  const soundBytes = ({ bytes }: ProviderOutput): number => Buffer.from(bytes).readUInt32LE(40);
  const samplesOf = (output: ProviderOutput): Int16Array =>
    new Int16Array(output.bytes.slice(44, 44 + soundBytes(output)).buffer);

  test("[PRV-03] is a WAV of 16 bits and 22.05 kHz that is not silent", async () => {
    const output = await one("atelier-voice", "Hello, this is Atelier.");
    const view = new DataView(output.bytes.buffer, output.bytes.byteOffset);
    const text = (at: number): string => Buffer.from(output.bytes.subarray(at, at + 4)).toString("latin1");
    expect([text(0), text(8), text(12), text(36)]).toEqual(["RIFF", "WAVE", "fmt ", "data"]);
    expect([
      view.getUint16(20, true),
      view.getUint16(22, true),
      view.getUint32(24, true),
      view.getUint16(34, true),
    ]).toEqual([1, 1, 22_050, 16]);
    expect(view.getUint32(4, true)).toBe(output.bytes.length - 8);
    expect(output.durationSeconds).toBeCloseTo(soundBytes(output) / 44_100, 5);
    expect((await inspectMedia(output.bytes, "audio")).durationSeconds).toBeCloseTo(
      output.durationSeconds ?? 0,
      5,
    );
    const samples = samplesOf(output);
    const rms = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    expect(rms).toBeGreaterThan(500);
  });

  test("is as long as the text needs, and shorter at a higher speed", async () => {
    const [short, long, fast] = await Promise.all([
      one("atelier-voice", "One sentence."),
      one("atelier-voice", "One sentence. Another sentence. And a third one that is longer."),
      one("atelier-voice", "One sentence. Another sentence. And a third one that is longer.", { speed: 2 }),
    ]);
    expect(long.durationSeconds).toBeGreaterThan((short.durationSeconds ?? 0) * 2);
    expect(fast.durationSeconds).toBeLessThan((long.durationSeconds ?? 0) * 0.7);
  });

  test("differs by voice, and only the narrator has music", async () => {
    const voices = await Promise.all(
      ["slt", "rms", "awb", "kal16"].map((voice) => one("atelier-voice", "Listen.", { voice })),
    );
    const [narrated, bare] = await Promise.all([
      one("atelier-narrator", "Listen."),
      one("atelier-narrator", "Listen.", { music: 0 }),
    ]);
    expect(new Set(voices.map(({ bytes }) => Buffer.from(bytes).toString("base64"))).size).toBe(4);
    const opening = (output: ProviderOutput): number =>
      Math.max(...samplesOf(output).subarray(4_000, 20_000).map(Math.abs));
    expect(opening(narrated)).toBeGreaterThan(1_000);
    expect(opening(bare)).toBe(0);
  });
});

test("every output is declared as drawn by rules, for its content credentials", async () => {
  const made = await Promise.all([
    one("atelier-canvas", "a fox", SMALL["image"]),
    one("atelier-loop", "a fox", SMALL["video"]),
    one("atelier-voice", "a fox", SMALL["audio"]),
  ]);
  expect(made.map(({ drawnByRules }) => drawnByRules)).toEqual([true, true, true]);
});

test("a voice of an earlier release speaks as a current one, for models and jobs that name it", async () => {
  const speak = (voice: string) =>
    madeBy(
      provider.start(
        { modality: "audio", model: "voice", prompt: "Listen.", params: { voice }, options: {} },
        callOf(),
      ),
    );
  const [[sam], [kal]] = await Promise.all([speak("sam"), speak("kal16")]);
  if (!sam || !kal) throw new Error("nothing was said");
  expect(same(sam, kal)).toBe(true);
});

describe("clips of the embedded provider", () => {
  test("[PRV-03] are MP4 with a video track of the requested size and length", async () => {
    const params = { width: 160, height: 90, duration_seconds: 2, fps: 10 };
    const output = await one("atelier-motion", "sunset over mountains", params);
    expect(output).toMatchObject({ mimeType: "video/mp4", width: 160, height: 90, durationSeconds: 2 });
    expect([...boxesOf(output.bytes)].map(({ type }) => type)).toEqual(
      expect.arrayContaining(["ftyp", "mdat", "moov", "mvhd", "trak", "tkhd", "mdhd"]),
    );
    expect(readMp4(output.bytes)).toMatchObject({ width: 160, height: 90 });
    expect(readMp4(output.bytes).durationSeconds).toBeCloseTo(2, 1);
    const bytes = Buffer.from(output.bytes);
    // Creation and modification times are zero.
    for (const { type, start } of boxesOf(bytes))
      if (/^(mvhd|tkhd|mdhd)$/.test(type)) expect(bytes.readBigUInt64BE(start + 4)).toBe(0n);
    expect(bytes.includes("avc1")).toBe(true);
    // Box stsz: version and flags, common size, number of samples.
    expect(bytes.readUInt32BE(bytes.indexOf("stsz") + 12)).toBe(20);
  });

  test("have a poster and report what they show of the prompt", async () => {
    const clip = await one("atelier-loop", "a boat on the sea", SMALL["video"]);
    expect(await sharp(clip.poster).metadata()).toMatchObject({ format: "webp", width: 128, height: 72 });
    expect(clip.understood).toEqual({ drawn: ["boat", "sea"], not_drawn: [] });
  });

  test.each([
    "a fox in a snowstorm at night",
    "two boats on the sea",
    "fish",
    "a hot air balloon in the rain",
    "love",
  ])("move from frame to frame, and a loop ends where it began: %s", async (prompt) => {
    const scene = drawSketch({ prompt, width: 160, height: 96, variation: "" });
    const frameAt = await drawFrames(scene, 128, () => {});
    const frame = (turn: number, pan: number) => Buffer.from(frameAt({ turn, pan }));
    const differing = (a: Buffer, b: Buffer): number =>
      a.reduce((sum, value, i) => sum + (Math.abs(value - (b[i] ?? 0)) > 2 ? 1 : 0), 0);
    const [start, later, panned, end] = [frame(0, 0), frame(0.3, 0), frame(0.3, 30), frame(1, 0)];
    expect(differing(start, later)).toBeGreaterThan(20);
    expect(differing(later, panned)).toBeGreaterThan(20);
    expect(differing(start, end)).toBe(0);
  });
});

describe("a call of the embedded provider", () => {
  test("reports its progress, never backwards", async () => {
    const fractions: number[] = [];
    const onProgress = (fraction: number) => fractions.push(fraction);
    await generate(
      "atelier-loop",
      "silk",
      { width: 64, height: 64, duration_seconds: 1, fps: 5 },
      { onProgress },
    );
    expect(fractions.length).toBeGreaterThan(3);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.every((fraction) => fraction > 0 && fraction <= 1)).toBe(true);
  });

  test("stops when its signal is aborted", async () => {
    const controller = new AbortController();
    const reason = new Error("deadline");
    const pending = generate(
      "atelier-motion",
      "silk",
      { duration_seconds: 10, width: 320, height: 180 },
      { signal: controller.signal, onProgress: () => controller.abort(reason) },
    );
    await expect(pending).rejects.toBe(reason);
  });

  test.each([
    ["an unknown model", { modality: "image", model: "oil", params: {} }],
    ["a model of another modality", { modality: "audio", model: "canvas", params: {} }],
    [
      "a picture of a million pixels a side",
      { modality: "image", model: "canvas", params: { width: 1_000_000 } },
    ],
    ["a clip of odd width", { modality: "video", model: "loop", params: { width: 101 } }],
  ] as const)("fails with a plain message for %s", async (_what, request) => {
    const pending = provider.start({ ...request, prompt: "x", options: {} }, callOf());
    await expect(pending).rejects.toMatchObject({ failure: "provider_failed", retryable: false });
  });
});
