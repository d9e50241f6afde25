// Broken files of every kind: none ends the process, none takes memory without end, each is kept clean or refused in plain words.
// 10,000 of them with `--mode thorough`.
import { describe, expect, inject, test } from "vitest";
import { clean } from "../../../core/uploads/clean.ts";
import { createImageCleaner } from "../../../core/uploads/image.ts";
import { AppError } from "../../../proto/codes.ts";
import { MODALITIES } from "../../../proto/resources/job.ts";
import { mulberry32 } from "../../../runtime/mulberry32.ts";
import { inPieces, movingPicture, movingPng, picture, pngBomb, tellingPhoto } from "./pictures.ts";
import { aac, flac, mp3, mp4, wav, webm } from "./recordings.ts";

declare module "vitest" {
  interface ProvidedContext {
    brokenFiles: number;
  }
}

const FILES = inject("brokenFiles");
const MAX_GROWTH_MB = 400;
const MIB = 2 ** 20;

const cleanImage = createImageCleaner();
/** Of noise; the same in each run. */
const random = mulberry32(20_261_122);
const below = (most: number) => Math.floor(random() * most);

async function seeds(): Promise<Buffer[]> {
  return Promise.all([
    picture("png"),
    picture("jpeg"),
    picture("webp"),
    picture("avif"),
    picture("gif"),
    tellingPhoto("jpeg"),
    tellingPhoto("png"),
    tellingPhoto("webp"),
    movingPng(),
    movingPicture("gif"),
    movingPicture("webp"),
    pngBomb(9_000),
    wav(),
    mp3(),
    aac(),
    flac(),
    mp4(),
    mp4({ handlers: ["soun", "tmcd"] }),
    webm(),
  ]);
}

/** Bits turned, numbers made large, pieces taken out, doubled, or taken from another file; now and then all of it noise. */
function broken(whole: Buffer, other: Buffer): Buffer {
  let bytes = Buffer.from(whole);
  for (let faults = 1 + below(4); faults > 0 && bytes.length > 0; faults--) {
    const at = below(bytes.length);
    const length = 1 + below(Math.max(1, bytes.length >> 2));
    const part = bytes.subarray(at, at + length);
    switch (below(7)) {
      case 0:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
        break;
      case 1:
        bytes.fill(0xff, at, Math.min(bytes.length, at + 1 + below(8)));
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
        break;
      case 4:
        bytes = bytes.subarray(0, at);
        break;
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(below(other.length))]);
        break;
      default:
        // What it begins like is left as it was.
        for (let i = 16 + below(64); i < bytes.length; i += 1 + below(16)) bytes[i] = below(256);
    }
  }
  return bytes;
}

/** What became of it. */
async function outcomeOf(bytes: Buffer): Promise<"kept" | "refused"> {
  const { signal } = new AbortController();
  const pieces = inPieces(bytes, 1 + below(5_000));
  const cleaning = clean(pieces, { maxBytes: 2 ** 30, kinds: MODALITIES, cleanImage, signal });
  const kept: Uint8Array[] = [];
  try {
    for (let next = await cleaning.next(); ; next = await cleaning.next()) {
      if (next.done) break;
      kept.push(next.value);
    }
  } catch (error) {
    // Anything else is a bug of ours.
    if (!(error instanceof AppError)) throw error;
    expect(["unsupported_input", "upload_too_large"]).toContain(error.code);
    expect(error.message).toMatch(/^\S.*\.$/);
    return "refused";
  }
  expect(Buffer.concat(kept).length).toBeGreaterThan(0);
  return "kept";
}

describe("broken files", () => {
  test(`of every kind: ${FILES} of them`, { timeout: 1_800_000 }, async () => {
    const whole = await seeds();
    const count = { kept: 0, refused: 0 };
    const rssBefore = process.memoryUsage.rss();
    let rssMost = rssBefore;
    for (let n = 0; n < FILES; n++) {
      const [one, other] = [whole[n % whole.length], whole[below(whole.length)]];
      if (!one || !other) throw new Error("there are files to break");
      const noise =
        n % 50 === 49 ? Buffer.from(Array.from({ length: below(4_000) }, () => below(256))) : undefined;
      count[await outcomeOf(noise ?? broken(one, other))] += 1;
      rssMost = Math.max(rssMost, process.memoryUsage.rss());
    }
    const grownMb = Math.round((rssMost - rssBefore) / MIB);
    console.log(
      `broken files: ${FILES}, kept ${count.kept}, refused ${count.refused}; memory grew by ${grownMb} MiB at most`,
    );
    expect(count.refused).toBeGreaterThan(FILES / 4);
    expect(count.kept).toBeGreaterThan(FILES / 50);
    expect(grownMb).toBeLessThan(MAX_GROWTH_MB);
  });
});
