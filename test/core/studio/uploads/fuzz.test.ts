// Broken files of every kind: none ends the process or exhausts memory, and each is cleaned or refused. 10,000 of them with `--mode
// thorough`.
import { describe, expect, inject, test } from "vitest";
import { clean } from "../../../../core/studio/uploads/clean.ts";
import { createImageCleaner } from "../../../../core/studio/uploads/image.ts";
import { AppError } from "../../../../proto/codes.ts";
import { MODALITIES } from "../../../../proto/resources/job.ts";
import { createBreaker } from "../../../support/break-file.ts";
import { inPieces, movingPicture, movingPng, picture, pngBomb, tellingPhoto } from "./pictures.ts";
import { aac, flac, mp3, mp4, wav, webm } from "./recordings.ts";

const FILES = inject("brokenFiles");
const MAX_GROWTH_MB = 400;
const MIB = 2 ** 20;

const cleanImage = createImageCleaner();
/** The same in each run. */
const { below, broken } = createBreaker(20_261_122);

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

/** The outcome. */
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
    // Any other error is a bug.
    if (!(error instanceof AppError)) throw error;
    expect(["unsupported_input", "upload_too_large"]).toContain(error.code);
    expect(error.message).toMatch(/^\S.*\.$/);
    return "refused";
  }
  expect(Buffer.concat(kept).length).toBeGreaterThan(0);
  return "kept";
}

describe("[INP-06] broken files", () => {
  test(
    `broken files of every kind are refused or cleaned: ${FILES} of them`,
    { timeout: 1_800_000 },
    async () => {
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
    },
  );
});
