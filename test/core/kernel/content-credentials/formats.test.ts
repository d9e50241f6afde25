import { createHash } from "node:crypto";
import { pino } from "pino";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, inject } from "vitest";
import type { ProviderInput, ProviderOutput } from "../../../../core/adapters/providers/provider.ts";
import {
  type ContentCredentials,
  readCredentials,
} from "../../../../core/kernel/content-credentials/credentials.ts";
import { GENERATION_LABEL } from "../../../../core/kernel/content-credentials/manifest.ts";
import { type MadeBy, type MarkedOutput, signOutputs } from "../../../../core/kernel/outputs/sign-outputs.ts";
import { createVerifying, verifyFile } from "../../../../core/studio/jobs/verify-file.ts";
import { AppError } from "../../../../proto/codes.ts";
import { CREDENTIALS_STATES } from "../../../../proto/resources/verified-file.ts";
import { systemClock } from "../../../../runtime/clock.ts";
import { createMetrics } from "../../../../runtime/ops/metrics.ts";
import { createTestApp, type TestApp } from "../../../support/app.ts";
import { createBreaker } from "../../../support/break-file.ts";
import { makeTestIssuer, signFile, storeOf, wholeFiles } from "../../../support/signed-files.ts";
import { inPieces } from "../../studio/uploads/pictures.ts";
import { activeManifest, assertionOf, filesOfAllKinds, newDataDir, openCredentials } from "./fixtures.ts";

const SOURCES = "http://cv.iptc.org/newscodes/digitalsourcetype/";
const ENTRY_HASH = createHash("sha256").update("an entry").digest("hex");
const signal = new AbortController().signal;

let files: readonly ProviderOutput[];
let credentials: ContentCredentials;
const { dataDir, remove } = newDataDir();

beforeAll(async () => {
  files = await filesOfAllKinds();
  credentials = openCredentials(dataDir);
});
afterAll(async () => {
  await credentials.close();
  remove();
});

const appWith = (own: ContentCredentials) => ({
  credentials: own,
  clock: systemClock,
  log: pino({ level: "silent" }),
  metrics: createMetrics(),
});

function sign(
  outputs: readonly ProviderOutput[],
  change: Partial<MadeBy> = {},
  own = credentials,
): Promise<readonly MarkedOutput[]> {
  const made: MadeBy = {
    jobId: "job_1",
    modelSlug: "the-model",
    entryId: "led_1_debit",
    entryHash: async () => ENTRY_HASH,
    inputs: new Map(),
    ...change,
  };
  return signOutputs(appWith(own), made, outputs, signal);
}

async function signOne(output: ProviderOutput, change: Partial<MadeBy> = {}): Promise<MarkedOutput> {
  const [signed] = await sign([output], change);
  if (!signed) throw new Error("nothing came back");
  return signed;
}

const read = ({ bytes, mimeType }: ProviderOutput) => readCredentials({ credentials }, bytes, mimeType);
const fileOf = (mimeType: string): ProviderOutput => {
  const found = files.find((file) => file.mimeType === mimeType);
  if (!found) throw new Error(`there is no file of ${mimeType}`);
  return found;
};
const inputOf = (file: ProviderOutput): ProviderInput => ({
  mimeType: file.mimeType,
  bytes: file.bytes.length,
  read: async () => file.bytes,
  url: "https://files.example.com/input",
});

describe("signing an output", () => {
  test("[OUT-60] writes a manifest of the trusted development authority that is valid, in every format", async () => {
    const signed = await sign(files);
    for (const [index, output] of signed.entries()) {
      expect(output.contentCredentials, output.mimeType).toBe("signed");
      const report = await read(output);
      expect([output.mimeType, report?.state, report?.store?.validation_status]).toEqual([
        output.mimeType,
        "trusted",
        undefined,
      ]);
      expect(assertionOf(report, GENERATION_LABEL)).toEqual({
        job_id: "job_1",
        ledger_entry_id: "led_1_debit",
        ledger_entry_hash: ENTRY_HASH,
        model_slug: "the-model",
        output_index: index,
      });
    }
  });

  test("keeps the pixels of a picture", async () => {
    for (const mimeType of ["image/png", "image/jpeg", "image/webp"]) {
      const { bytes } = await signOne(fileOf(mimeType));
      const pixels = (file: Uint8Array) => sharp(file, { failOn: "error" }).raw().toBuffer();
      expect(Buffer.compare(await pixels(bytes), await pixels(fileOf(mimeType).bytes)), mimeType).toBe(0);
    }
  });

  test("[MARK-02] writes IPTC metadata with the model's slug where the format supports it", async () => {
    const off = openCredentials(dataDir, { ATELIER_CONTENT_CREDENTIALS: "off" });
    for (const own of [credentials, off]) {
      for (const mimeType of ["image/png", "image/jpeg", "image/webp"]) {
        const [output] = await sign([fileOf(mimeType)], {}, own);
        const { xmpAsString } = await sharp(output?.bytes).metadata();
        for (const said of [`${SOURCES}trainedAlgorithmicMedia`, "Atelier, the-model", "job_1"])
          expect(xmpAsString, `${mimeType} ${own.mode}`).toContain(said);
      }
      for (const mimeType of ["video/mp4", "audio/wav"]) {
        const [output] = await sign([fileOf(mimeType)], {}, own);
        expect(
          Buffer.from(output?.bytes ?? []).includes("Atelier, the-model"),
          `${mimeType} ${own.mode}`,
        ).toBe(true);
      }
    }
  });

  test("keeps transparency of a WebP that gets its metadata", async () => {
    const size = { width: 8, height: 8 };
    const image = sharp({ create: { ...size, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } });
    for (const lossless of [true, false]) {
      const bytes = await image.clone().webp({ lossless }).toBuffer();
      const signed = await signOne({ bytes, mimeType: "image/webp", ...size });
      const before = await sharp(bytes).ensureAlpha().raw().toBuffer();
      expect(Buffer.compare(await sharp(signed.bytes).ensureAlpha().raw().toBuffer(), before)).toBe(0);
    }
  });

  test.each(["audio/ogg", "audio/aac", "video/webm"])("skips %s as unsupported", async (mimeType) => {
    const output = { bytes: Buffer.from("not looked at"), mimeType };
    expect(await signOne(output)).toEqual({ ...output, contentCredentials: "unsupported" });
  });

  test("gives up on a file that is no media after its tries, and stores the file unchanged", async () => {
    const output = { bytes: Buffer.from("no picture at all"), mimeType: "image/png" };
    expect(await signOne(output)).toEqual({ ...output, contentCredentials: "failed" });
  });
});

describe("the digital source type", () => {
  const picture = () => inputOf(fileOf("image/jpeg"));
  test.each([
    ["a generated picture", false, false, "trainedAlgorithmicMedia"],
    ["a picture edited by a model", false, true, "compositeWithTrainedAlgorithmicMedia"],
    ["a picture drawn by rules", true, false, "algorithmicMedia"],
    ["a picture edited by rules", true, true, "algorithmicallyEnhanced"],
  ])("the digital source type of %s is the IPTC term", async (_what, drawnByRules, hasInput, term) => {
    const inputs = new Map(hasInput ? [["image", picture()]] : []);
    const output = await signOne({ ...fileOf("image/png"), drawnByRules }, { inputs });
    const { actions } = assertionOf(await read(output), "c2pa.actions.v2") as { actions: object[] };
    expect(actions).toHaveLength(1);
    expect(actions[0]).toMatchObject({ action: "c2pa.created", digitalSourceType: `${SOURCES}${term}` });
  });

  test("the digital source type of a clip that a model made of a picture is fully generated", async () => {
    const output = await signOne(fileOf("video/mp4"), { inputs: new Map([["image", picture()]]) });
    const said = JSON.stringify(assertionOf(await read(output), "c2pa.actions.v2"));
    expect(said).toContain(`${SOURCES}trainedAlgorithmicMedia`);
  });
});

describe("inputs of a job", () => {
  test("[OUT-60] are ingredients that keep their own manifests", async () => {
    const earlier = await signOne(fileOf("image/png"), { jobId: "job_0" });
    const inputs = new Map([
      ["image", inputOf(earlier)],
      ["style", inputOf(fileOf("image/jpeg"))],
    ]);
    const report = await read(await signOne(fileOf("image/webp"), { inputs }));
    expect(report?.state).toBe("trusted");
    const [parent, other] = activeManifest(report)?.ingredients ?? [];
    expect(parent).toMatchObject({ title: "image", relationship: "parentOf" });
    expect(other).toMatchObject({ title: "style", relationship: "inputTo" });
    expect(JSON.stringify(report?.store?.manifests[parent?.active_manifest ?? ""])).toContain("job_0");
    expect(JSON.stringify(report?.store)).not.toContain("thumbnail");
  });

  test("are named even when their format cannot carry a manifest", async () => {
    const inputs = new Map([
      ["audio", inputOf({ bytes: Buffer.from("fLaC and more"), mimeType: "audio/flac" })],
    ]);
    const output = await signOne(fileOf("audio/wav"), { inputs });
    expect(output.contentCredentials).toBe("signed");
    const report = await read(output);
    expect(report?.state).toBe("trusted");
    expect(activeManifest(report)?.ingredients?.[0]).toMatchObject({
      title: "audio",
      relationship: "parentOf",
    });
  });
});

test("a file that its provider signed keeps the provider's manifest next to the new one", async () => {
  const theirs = await signOne(fileOf("image/png"), { jobId: "job_of_the_provider" });
  const report = await read(await signOne(theirs));
  expect(report?.state).toBe("trusted");
  expect(assertionOf(report, GENERATION_LABEL)).toMatchObject({ job_id: "job_1" });
  const [ingredient] = activeManifest(report)?.ingredients ?? [];
  expect(JSON.stringify(report?.store?.manifests[ingredient?.active_manifest ?? ""])).toContain(
    "job_of_the_provider",
  );
});

// Broken files with Content Credentials: none ends the process or exhausts memory, and each gets a known verdict. 1,000 of them with
// `--mode thorough`.
const FILES = inject("brokenSignedFiles");
const MAX_GROWTH_MB = 500;
const MIB = 2 ** 20;

let testApp: TestApp;
let signed: Buffer[];

beforeAll(async () => {
  const issuer = await makeTestIssuer();
  testApp = await createTestApp({ env: { ATELIER_CONTENT_CREDENTIALS_CERT: issuer.pem } });
  const { engine } = testApp.app.credentials;
  const files = [...(await wholeFiles())];
  signed = await Promise.all(files.map(([mimeType, bytes]) => signFile(engine, issuer, { bytes, mimeType })));
});
afterAll(() => testApp.close());

const { below, broken } = createBreaker(20_261_123);

/** Every other file is broken inside its manifest only, because large files would rarely be hit there. */
function brokenFile(n: number): Buffer {
  const [one, other] = [signed[n % signed.length], signed[below(signed.length)]];
  if (!one || !other) throw new Error("there are files to break");
  if (below(2) === 0) return broken(one, other);
  const { start, end } = storeOf(one);
  const { start: from, end: to } = storeOf(other);
  const store = broken(one.subarray(start, end), other.subarray(from, to));
  return Buffer.concat([one.subarray(0, start), store, one.subarray(end)]);
}

test(
  `[MARK-05] reading returns a verdict for each of ${FILES} broken files with credentials`,
  { timeout: 1_800_000 },
  async () => {
    const { app } = testApp;
    const verifying = createVerifying(app);
    const counts: Record<string, number> = {};
    const rssBefore = process.memoryUsage.rss();
    let rssMost = rssBefore;
    let slowestMs = 0;
    for (let n = 0; n < FILES; n++) {
      const { signal } = new AbortController();
      const pieces = inPieces(brokenFile(n), 1 + below(50_000));
      const begun = performance.now();
      const outcome = await verifyFile(app, verifying, { pieces, address: "a", signal }).then(
        ({ state }) => state,
        (error: unknown) => {
          // Any other error is a bug.
          if (!(error instanceof AppError)) throw error;
          expect(error.message).toMatch(/^\S.*\.$/);
          return error.code;
        },
      );
      slowestMs = Math.max(slowestMs, performance.now() - begun);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      rssMost = Math.max(rssMost, process.memoryUsage.rss());
    }
    const grownMb = Math.round((rssMost - rssBefore) / MIB);
    console.log(
      `broken files with credentials: ${FILES}, ${JSON.stringify(counts)}; memory grew by ${grownMb} MiB at most, the slowest took ${Math.round(slowestMs)} ms`,
    );
    const known: string[] = [...CREDENTIALS_STATES, "unsupported_input"];
    expect(Object.keys(counts).filter((outcome) => !known.includes(outcome))).toEqual([]);
    expect(counts["invalid"]).toBeGreaterThan(FILES / 3);
    expect(counts["valid"] ?? 0).toBeLessThan(FILES / 10);
    expect(grownMb).toBeLessThan(MAX_GROWTH_MB);

    const [whole] = signed;
    if (!whole) throw new Error("there is a whole file");
    const { signal } = new AbortController();
    const last = await verifyFile(app, verifying, { pieces: inPieces(whole), address: "a", signal });
    expect(last.state, "a whole file after all of them").toBe("valid");
  },
);
