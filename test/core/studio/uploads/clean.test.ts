// Which uploads are accepted, what is kept of them, and how the rest is refused.
import { pino } from "pino";
import sharp from "sharp";
import { describe, expect, test, inject } from "vitest";
import { createLocalProvider } from "../../../../core/adapters/providers/local/provider.ts";
import { clean } from "../../../../core/studio/uploads/clean.ts";
import { createImageCleaner } from "../../../../core/studio/uploads/image.ts";
import type { CleanedMedia } from "../../../../core/studio/uploads/rules.ts";
import { AppError } from "../../../../proto/codes.ts";
import { MODALITIES, type Modality } from "../../../../proto/resources/job.ts";
import { createBreaker } from "../../../support/break-file.ts";
import { callOf, madeBy } from "../../../support/providers.ts";
import { inPieces, movingPicture, movingPng, picture, pngBomb, tellingPhoto } from "./pictures.ts";
import { aac, box, flac, mp3, mp4, wav, webm, WHERE } from "./recordings.ts";

const cleanImage = createImageCleaner();

/** The kept file, or the reason of the refusal. */
async function cleaned(
  bytes: Uint8Array,
  pieceBytes?: number,
): Promise<{ bytes: Buffer; media: CleanedMedia }> {
  const { signal } = new AbortController();
  const pieces = inPieces(bytes, pieceBytes);
  const cleaning = clean(pieces, { maxBytes: 2 ** 30, kinds: MODALITIES, cleanImage, signal });
  const kept: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await cleaning.next();
    if (done) return { bytes: Buffer.concat(kept), media: value };
    kept.push(value);
  }
}

async function refusal(bytes: Uint8Array): Promise<string> {
  const error = await cleaned(bytes).then(
    () => new Error("it was taken"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error;
  return `${error.code}: ${error.message}`;
}

const DAMAGED = "unsupported_input: The picture cannot be opened: it is damaged or breaks off.";

describe("cleaning a picture", () => {
  test.each([
    ["png", "image/png"],
    ["jpeg", "image/jpeg"],
    ["webp", "image/webp"],
    ["gif", "image/png"],
    ["avif", "image/webp"],
  ] as const)("in %s keeps it as %s", async (format, mimeType) => {
    const { bytes, media } = await cleaned(await picture(format), 100);
    expect(media).toEqual({ kind: "image", mimeType, width: 32, height: 16, durationSeconds: null });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: mimeType.slice(6), width: 32 });
  });

  test.each(["jpeg", "png", "webp"] as const)(
    "[INP-01] in %s turns it upright, and removes metadata about author and place",
    async (format) => {
      const photo = await tellingPhoto(format);
      const before = await sharp(photo).metadata();
      expect([before.orientation, before.exif?.includes("Ada"), before.xmp !== undefined]).toEqual([
        6,
        true,
        true,
      ]);
      const { bytes, media } = await cleaned(photo);
      expect(media).toMatchObject({ width: 20, height: 40 });
      const { exif, xmp, icc, orientation } = await sharp(bytes).metadata();
      expect({ exif, xmp, icc, orientation }).toEqual({});
      expect(bytes.includes("Ada")).toBe(false);
    },
  );

  test("removes bytes after its end", async () => {
    const polyglot = Buffer.concat([await picture(), Buffer.from("<script>alert(1)</script>PK\x03\x04")]);
    const { bytes } = await cleaned(polyglot);
    expect(bytes.includes("script")).toBe(false);
  });

  test("refuses one that is too large by its header, and an animation by its type", async () => {
    expect(await refusal(pngBomb(30_000))).toMatch(
      /^unsupported_input: The picture has 30000 x 30000 pixels; /,
    );
    const moves = "unsupported_input: The picture moves.";
    expect(await refusal(await movingPng())).toBe(moves);
    expect(await refusal(await movingPicture("gif"))).toBe(moves);
    expect(await refusal(await movingPicture("webp"))).toBe(moves);
  });

  test.each(["png", "jpeg", "webp", "gif", "avif"] as const)(
    "in %s refuses a truncated one",
    async (format) => {
      const whole = await picture(format, 256);
      for (const part of [0.4, 0.8])
        expect(await refusal(whole.subarray(0, whole.length * part))).toBe(DAMAGED);
    },
  );
});

describe("[INP-01] cleaning sound and video", () => {
  const MEDIA = [
    ["WAV", wav(), "audio", "audio/wav", 1],
    ["MP3", mp3(), "audio", "audio/mpeg", (40 * 1152) / 44_100],
    ["AAC", aac(), "audio", "audio/aac", (20 * 1024) / 44_100],
    ["FLAC", flac(), "audio", "audio/flac", 2],
    ["MP4", mp4(), "video", "video/mp4", 2],
    ["MP4 without a picture", mp4({ handlers: ["soun"] }), "audio", "audio/mp4", 2],
    ["WebM", webm(), "video", "video/webm", 2],
    ["WebM without a picture", webm({ trackType: 2 }), "audio", "audio/webm", 2],
  ] as const;

  test.each(MEDIA)(
    "of %s removes metadata about author and place",
    async (_name, bytes, kind, mimeType, seconds) => {
      expect(bytes.includes(WHERE)).toBe(true);
      for (const pieceBytes of [7, 4_096]) {
        const { bytes: kept, media } = await cleaned(bytes, pieceBytes);
        expect(media).toMatchObject({ kind, mimeType });
        expect(media.durationSeconds).toBeCloseTo(seconds);
        expect(kept.includes("51.5")).toBe(false);
        // Cleaning is idempotent, and offsets are unchanged.
        expect((await cleaned(kept)).bytes.equals(kept)).toBe(true);
        // In a sequence of frames only the tags around them are removed.
        const tagged = mimeType === "audio/mpeg" || mimeType === "audio/aac";
        if (!tagged) expect(kept.length).toBe(bytes.length);
      }
    },
  );

  test("reads the size of a picture", async () => {
    expect((await cleaned(mp4())).media).toMatchObject({ width: 64, height: 36 });
    expect((await cleaned(webm())).media).toMatchObject({ width: 64, height: 36 });
  });

  test("keeps clips of the embedded provider playable", async () => {
    const provider = createLocalProvider(pino({ level: "silent" }));
    const make = async (modality: Modality, model: string, params: Record<string, unknown>) => {
      const request = { modality, model, prompt: "a pier", params, options: {} };
      const [made] = await madeBy(provider.start(request, callOf()));
      if (!made) throw new Error("nothing was made");
      return made;
    };
    const clip = await make("video", "loop", { width: 64, height: 64, duration_seconds: 1, fps: 5 });
    const kept = await cleaned(clip.bytes);
    expect(kept.media).toMatchObject({ kind: "video", width: 64, height: 64 });
    const frames = (bytes: Buffer) => {
      const at = bytes.indexOf("mdat");
      return bytes.subarray(at, at - 4 + bytes.readUInt32BE(at - 4));
    };
    expect(frames(kept.bytes).equals(frames(Buffer.from(clip.bytes)))).toBe(true);
    await provider.close?.();
  });

  test("refuses truncated files", async () => {
    for (const [name, bytes] of MEDIA) {
      // WebM of unknown length has no end.
      if (name.startsWith("WebM")) continue;
      expect([name, await refusal(bytes.subarray(0, bytes.length * 0.63))]).toEqual([
        name,
        expect.stringMatching(/^unsupported_input: The/),
      ]);
    }
  });

  test("refuses a track of locations, or references to other files", async () => {
    expect(await refusal(mp4({ handlers: ["vide", "meta"] }))).toMatch(
      /Cameras store their location in such tracks/,
    );
    expect(
      await refusal(mp4({ reference: box("url ", Buffer.alloc(4), Buffer.from("file:///etc/passwd\0")) })),
    ).toMatch(/to another place/);
    expect(await refusal(webm({ trackType: 17 }))).toMatch(/other than picture and sound/);
    // A timed metadata track is no location, and is removed.
    const { bytes } = await cleaned(mp4({ handlers: ["vide", "tmcd"] }));
    expect(bytes.includes("tmcd")).toBe(false);
    expect(await refusal(mp4({ chunkAt: 100_000 }))).toMatch(/breaks off/);
    expect(await refusal(mp4({ brand: "heic" }))).toMatch(/no MP4/);
    expect(await refusal(webm({ type: "matroska" }))).toMatch(/no WebM/);
    expect(await refusal(Buffer.from("OggS\0\x02 and more of it"))).toMatch(/^unsupported_input/);
  });

  test("refuses sound and video where a picture is required", async () => {
    const { signal } = new AbortController();
    const cleaning = clean(inPieces(wav()), {
      maxBytes: 2 ** 30,
      kinds: ["image", "video"],
      cleanImage,
      signal,
    });
    await expect(cleaning.next()).rejects.toMatchObject({
      code: "unsupported_input",
      message: "The file is audio, and a picture or a video is wanted.",
    });
  });
});

test("an unknown file format is refused, whatever its media type says", async () => {
  const unknown = /^unsupported_input: The file is of a kind that cannot be used/;
  expect(await refusal(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"))).toMatch(
    unknown,
  );
  expect(await refusal(Buffer.from("<!doctype html><script>alert(1)</script>"))).toMatch(unknown);
  expect(await refusal(Buffer.from("%PDF-1.7 /JavaScript"))).toMatch(unknown);
  expect(await refusal(Buffer.alloc(5_000, 7))).toMatch(unknown);
  expect(await refusal(Buffer.alloc(0))).toBe("unsupported_input: The file is empty.");
});

test("a picture has at most 25 MiB, and a larger one is read no further", async () => {
  let sent = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
    for (;;) {
      sent += 2 ** 20;
      yield Buffer.alloc(2 ** 20);
    }
  }
  const { signal } = new AbortController();
  const cleaning = clean(endless(), { maxBytes: 2 ** 30, kinds: MODALITIES, cleanImage, signal });
  await expect(cleaning.next()).rejects.toMatchObject({ code: "upload_too_large" });
  expect(sent).toBeLessThanOrEqual(26 * 2 ** 20);
});

// Broken files of every kind: none ends the process or exhausts memory, and each is cleaned or refused. 10,000 of them with `--mode
// thorough`.
const FILES = inject("brokenFiles");
const MAX_GROWTH_MB = 400;
const MIB = 2 ** 20;

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
