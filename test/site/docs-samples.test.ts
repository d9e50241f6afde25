// Every sample of the docs does what the docs say, against a service with the shipped models. Only `npm run samples` runs Go, which needs a
// compiler and time.
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { ProviderRequest, ProviderCall } from "../../core/adapters/providers/provider.ts";
import { type DemoSecrets, seedDevelopment } from "../../core/entry/seed.ts";
import { type Chapter, loadChapters } from "../../gateway/site/docs/chapters.ts";
import type { Language } from "../../gateway/site/docs/guide-text.ts";
import { picture } from "../core/studio/uploads/pictures.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { useFolder } from "../support/shared.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";
import { makeEnvironment, type Environment } from "./docs-samples/environment.ts";
import { programsOf, endpointsOf } from "./docs-samples/programs.ts";
import { openRecorder, type Recorder, tryReceiver } from "./docs-samples/receivers.ts";
import { isInstalled, runPrograms } from "./docs-samples/run.ts";
import { signInAs } from "./support/sign-in.ts";

const LANGUAGES: readonly Language[] = [
  "bash",
  "javascript",
  "python",
  ...(inject("isThorough") ? ["go" as const] : []),
];

let service: WholeService;
let recorder: Recorder;
let demo: DemoSecrets;
let chapters: Chapter[];
const folder = useFolder();
const environments = new Map<Language, Environment>();

/** Immediately, with a different file each; but a clip runs until it is stopped. */
async function make({ modality }: ProviderRequest, { signal }: ProviderCall, number: number) {
  if (modality === "video") {
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  }
  if (modality === "audio") return [{ bytes: Buffer.from(`a sound: ${number}`), mimeType: "audio/wav" }];
  return [{ bytes: await picture("png"), mimeType: "image/png", width: 32, height: 16 }];
}

beforeAll(async () => {
  const local = { ...createScriptedProvider({ answer: make, stopsWhenAborted: true }), name: "local" };
  service = await startWholeService({ providers: [local], env: { ATELIER_CONTENT_CREDENTIALS: "on" } });
  demo = await seedDevelopment(service.app, undefined);
  recorder = await openRecorder();
  chapters = loadChapters({ baseUrl: service.url, generationBaseUrl: service.app.generationBaseUrl });
  for (const language of LANGUAGES)
    environments.set(
      language,
      await makeEnvironment(language, { folder: folder(), secrets: demo, callbackUrl: recorder.url }),
    );
});
afterAll(async () => {
  recorder.close();
  await service.close();
});

function around(language: Language): Environment {
  const found = environments.get(language);
  if (!found) throw new Error(`nothing was made for ${language}`);
  return found;
}

describe.concurrent.each(LANGUAGES)("the samples in %s", (language) => {
  test.skipIf(!isInstalled(language))("print the output in the docs", async () => {
    const programs = programsOf(chapters, language);
    expect(programs.length).toBeGreaterThan(10);
    expect(await runPrograms(language, programs, around(language))).toEqual([]);
  });

  test.skipIf(!isInstalled(language))("accept a genuine webhook and refuse a forged one", async () => {
    const receivers = endpointsOf(chapters).filter((sample) => sample.language === language);
    expect(receivers.length).toBeGreaterThan(0);
    const delivery = await recorder.delivery();
    for (const receiver of receivers)
      expect(await tryReceiver(receiver, delivery, around(language))).toEqual([]);
  });
});

test("every sample exists in Go too", () => {
  const count = (language: Language) =>
    programsOf(chapters, language)
      // Two languages have a client.
      .filter(({ chapter }) => chapter !== "clients")
      .map(({ chapter, expected }) => [chapter, expected.length]);
  expect(count("go")).toEqual(count("python"));
  expect(count("javascript")).toEqual(count("python"));
});

describe("a page with a sample", () => {
  const noteFor = async (email: string, path = "/docs/jobs") => {
    const person = await signInAs(service, email);
    const { text, headers } = await person.call(path, { headers: { accept: "text/html" } });
    expect(headers.get("cache-control")).toBe("private, no-store");
    return /<p class="docs__key">([\s\S]*?)<\/p>/
      .exec(text)?.[1]
      ?.replaceAll(/<[^>]+>/g, "")
      .replaceAll(/\s+/g, " ");
  };

  test("shows a placeholder for the reader's own key, and never the key itself", async () => {
    const note = await noteFor("demo@atelier.test");
    expect(note).toMatch(/put .+ \(atl_gen_…\w{4}\) there/);
    expect(note).toContain(demo.generation_key.slice(-4));
    expect(await noteFor("demo@atelier.test", "/docs/api/jobs")).toBe(note);
  });

  test("links to creating a key when there is none", async () => {
    expect(await noteFor("newcomer@example.com")).toContain("You have none yet: make one.");
  });
});
