// Every sample of the docs does what the docs say, against a service with the shipped models. Go takes a compiler and its time, so
// `npm run samples` runs it, with everything else once more and with the real models.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderRequest, ProviderCall } from "../../core/providers/provider.ts";
import { seedDevelopment } from "../../core/seed.ts";
import { type Chapter, loadChapters } from "../../gateway/site/docs/chapters.ts";
import type { Language } from "../../gateway/site/docs/guide-text.ts";
import { programsOf, receiversOf } from "../../scripts/samples/programs.ts";
import { openRecorder, type Recorder, tryReceiver } from "../../scripts/samples/receivers.ts";
import { isInstalled, runPrograms, type Surroundings } from "../../scripts/samples/run.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

const LANGUAGES: readonly Language[] = ["bash", "javascript", "python"];

let service: WholeService;
let recorder: Recorder;
let chapters: Chapter[];
let folder: string;
let env: Record<string, string>;

/** At once, each file another; but a clip takes until it is stopped. */
async function make({ modality, prompt }: ProviderRequest, { signal }: ProviderCall, number: number) {
  if (modality === "video") {
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  }
  const mimeType = modality === "audio" ? "audio/wav" : "image/png";
  return [{ bytes: new TextEncoder().encode(`${number}: ${prompt}`), mimeType, width: 1, height: 1 }];
}

beforeAll(async () => {
  const local = { ...createScriptedProvider({ answer: make, stopsWhenAborted: true }), name: "local" };
  service = await startWholeService({ providers: [local] });
  const demo = await seedDevelopment(service.app, undefined);
  recorder = await openRecorder();
  chapters = loadChapters({ baseUrl: service.url, generationBaseUrl: service.url });
  folder = mkdtempSync(join(tmpdir(), "atelier-samples-"));
  env = {
    ATELIER_KEY: demo.generation_key,
    ATELIER_MEMBER_KEY: demo.member_key,
    ATELIER_CALLBACK_SECRET: demo.callback_secret,
    CALLBACK_URL: recorder.url,
  };
});
afterAll(async () => {
  recorder.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function surroundings(language: Language): Promise<Surroundings> {
  const own = join(folder, language);
  mkdirSync(own, { recursive: true });
  const photo = sharp({ create: { width: 64, height: 48, channels: 3, background: "#a83f1b" } }).png();
  writeFileSync(join(own, "photo.png"), await photo.toBuffer());
  return { folder: own, env };
}

describe.concurrent.each(LANGUAGES)("the samples in %s", (language) => {
  test.skipIf(!isInstalled(language))("print what the docs say", async () => {
    const programs = programsOf(chapters, language);
    expect(programs.length).toBeGreaterThan(10);
    expect(await runPrograms(language, programs, await surroundings(language))).toEqual([]);
  });

  test.skipIf(!isInstalled(language))("take a genuine callback and refuse a forged one", async () => {
    const receiver = receiversOf(chapters).find((sample) => sample.language === language);
    expect(receiver).toBeDefined();
    if (!receiver) return;
    const delivery = await recorder.delivery();
    expect(await tryReceiver(receiver, delivery, await surroundings(language))).toEqual([]);
  });
});

test("every sample is there in Go too", () => {
  const count = (language: Language) =>
    programsOf(chapters, language).map(({ chapter, expected }) => [chapter, expected.length]);
  expect(count("go")).toEqual(count("python"));
  expect(count("javascript")).toEqual(count("python"));
});
