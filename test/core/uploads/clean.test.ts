// What is taken in as an upload, what is kept of it, and in which words the rest is refused.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { clean } from "../../../core/uploads/clean.ts";
import { createImageCleaner } from "../../../core/uploads/image.ts";
import type { CleanedMedia } from "../../../core/uploads/rules.ts";
import { AppError } from "../../../proto/codes.ts";
import { MODALITIES } from "../../../proto/resources/job.ts";
import { inPieces, movingPicture, movingPng, picture, pngBomb, tellingPhoto } from "./pictures.ts";

const cleanImage = createImageCleaner();

/** What is kept, or why nothing is. */
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

describe("a picture", () => {
  test.each([
    ["png", "image/png"],
    ["jpeg", "image/jpeg"],
    ["webp", "image/webp"],
    ["gif", "image/png"],
    ["avif", "image/webp"],
  ] as const)("in %s is kept as %s", async (format, mimeType) => {
    const { bytes, media } = await cleaned(await picture(format), 100);
    expect(media).toEqual({ kind: "image", mimeType, width: 32, height: 16, durationSeconds: null });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: mimeType.slice(6), width: 32 });
  });

  test.each(["jpeg", "png", "webp"] as const)(
    "in %s is turned upright, and loses what it says of who took it where",
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

  test("loses what hangs behind its end", async () => {
    const polyglot = Buffer.concat([await picture(), Buffer.from("<script>alert(1)</script>PK\x03\x04")]);
    const { bytes } = await cleaned(polyglot);
    expect(bytes.includes("script")).toBe(false);
  });

  test("that would be huge is refused by its header, and one that moves by what it says", async () => {
    expect(await refusal(pngBomb(30_000))).toMatch(
      /^unsupported_input: The picture has 30000 x 30000 pixels; /,
    );
    const moves = "unsupported_input: The picture moves.";
    expect(await refusal(await movingPng())).toBe(moves);
    expect(await refusal(await movingPicture("gif"))).toBe(moves);
    expect(await refusal(await movingPicture("webp"))).toBe(moves);
  });

  test.each(["png", "jpeg", "webp", "gif", "avif"] as const)(
    "in %s that breaks off is refused",
    async (format) => {
      const whole = await picture(format, 256);
      for (const part of [0.4, 0.8])
        expect(await refusal(whole.subarray(0, whole.length * part))).toBe(DAMAGED);
    },
  );
});

test("what is nothing that is known here is refused, whatever it calls itself", async () => {
  const unknown = /^unsupported_input: The file is of a kind that cannot be used/;
  expect(await refusal(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"))).toMatch(
    unknown,
  );
  expect(await refusal(Buffer.from("<!doctype html><script>alert(1)</script>"))).toMatch(unknown);
  expect(await refusal(Buffer.from("%PDF-1.7 /JavaScript"))).toMatch(unknown);
  expect(await refusal(Buffer.alloc(5_000, 7))).toMatch(unknown);
  expect(await refusal(Buffer.alloc(0))).toBe("unsupported_input: The file is empty.");
});

test("a picture may have 25 MiB, and nothing more is read of a larger one", async () => {
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
